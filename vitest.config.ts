import { defineConfig } from 'vitest/config';

/** Suites that drive a real browser or a real VS Code: one file at a time, because they share two cores. */
const browserSuite = { fileParallelism: false, testTimeout: 120_000, hookTimeout: 300_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'test/{compaction,transcripts,measures,insights,agent,cli,extension,architecture,scripts}/**/*.test.ts',
          ],
          testTimeout: 30_000,
        },
      },
      { test: { name: 'contract', include: ['test/contract/**/*.test.ts'], testTimeout: 300_000 } },
      { test: { name: 'webview', include: ['test/webview/**/*.test.ts'], ...browserSuite } },
      // Writes the pictures of the README; no stage of `npm test` names it.
      { test: { name: 'screenshots', include: ['test/screenshots/**/*.test.ts'], ...browserSuite } },
      { test: { name: 'end-to-end', include: ['test/end-to-end/**/*.test.ts'], ...browserSuite } },
    ],
  },
});
