import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Every core works. Vitest would keep one for itself, which is half of a machine with two. */
const onAllCores = { maxWorkers: '100%' };

/** Time for suites that wait for nobody, in milliseconds: what hangs fails, what a busy machine slows down does not. */
const unhurried = { testTimeout: 60_000, hookTimeout: 120_000 };

/** Time for suites that drive a real browser or a real VS Code, in milliseconds. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000 };

/**
 * One file at a time, as a VS Code with its extension host and its browser keeps a machine busy, and all files in one
 * process, which share its server and its browser: starting them takes longer than most files.
 */
const workbenchSuite = { fileParallelism: false, isolate: false, ...patient };

/** Every project draws its generated cases alike. */
const setupFiles = ['test/support/generated-cases.ts'];

const unitTests =
  'test/{language,bridge,compaction,transcripts,library,measures,insights,agent,cli,presenters,protocol,extension,architecture,scripts}/**/*.test.ts';

/** Unit tests that replace modules. The modules of a worker's next file must not be theirs. */
const mockingTests = globSync(unitTests).filter((file) => readFileSync(file, 'utf8').includes('vi.mock('));

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [unitTests],
          exclude: mockingTests,
          // Loading the engine and the counter's ranks for each file takes longer than most files.
          isolate: false,
          setupFiles,
          ...unhurried,
          ...onAllCores,
        },
      },
      { test: { name: 'unit-mocked', include: mockingTests, setupFiles, ...unhurried, ...onAllCores } },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          isolate: false,
          setupFiles,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          ...onAllCores,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          setupFiles,
          ...patient,
          testTimeout: 600_000,
          ...onAllCores,
        },
      },
      {
        test: {
          name: 'webview',
          include: ['test/webview/**/*.test.ts'],
          // The files of a worker share its browser: starting one takes longer than most files.
          isolate: false,
          setupFiles,
          ...patient,
          ...onAllCores,
        },
      },
      // Writes the pictures of the README; no stage of `npm test` names it.
      { test: { name: 'screenshots', include: ['test/screenshots/**/*.test.ts'], ...workbenchSuite } },
      {
        test: {
          name: 'end-to-end',
          include: ['test/end-to-end/**/*.test.ts'],
          setupFiles: [...setupFiles, 'test/harness/picture-of-failure.ts'],
          ...workbenchSuite,
        },
      },
    ],
  },
});
