import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { useOwnFolders } from './scripts/test/own-folders.ts';
import { timeLimit } from './scripts/machine-speed.ts';

useOwnFolders();

/** Every core works. Vitest would keep one for itself, which is half of a machine with two. */
const onAllCores = { maxWorkers: '100%' };

/**
 * Limits for a test that hangs, in milliseconds: what a busy machine slows down passes. Suites that drive a real
 * browser or a real VS Code wait within limits of their own.
 */
const [brief, long] = [timeLimit(120_000), timeLimit(600_000)];
const unhurried = { testTimeout: brief, hookTimeout: brief };
const patient = { testTimeout: long, hookTimeout: long };

/**
 * One file at a time, as a VS Code with its extension host and its browser keeps a machine busy, and all files in one
 * process, which share its server and its browser: starting them takes longer than most files.
 */
const workbenchSuite = { fileParallelism: false, isolate: false, ...patient };

/** Every project draws its generated cases alike. */
const setupFiles = ['test/support/generated-cases.ts'];

const unitTests =
  'test/{language,bridge,compaction,transcripts,library,measures,insights,wire,agent,cli,presenters,protocol,extension,architecture,scripts}/**/*.test.ts';

/** Unit tests that replace modules. The modules of a worker's next file must not be theirs. */
const mockingTests = globSync(unitTests)
  .filter((file) => readFileSync(file, 'utf8').includes('vi.mock('))
  // Vitest wants slashes, on Windows too.
  .map((file) => file.replaceAll('\\', '/'));

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
          ...patient,
          ...onAllCores,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          setupFiles,
          ...patient,
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
          setupFiles: [...setupFiles, 'test/harness/after-failure.ts'],
          ...workbenchSuite,
        },
      },
    ],
  },
});
