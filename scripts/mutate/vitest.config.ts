import { defineConfig } from 'vitest/config';
import { useOwnFolders } from '../test/own-folders.ts';

useOwnFolders();

/** The tests of one room, which Stryker runs once for each mutant. */
export default defineConfig({
  test: {
    include: (process.env['MUTATED_TESTS'] ?? '').split(','),
    isolate: false,
    setupFiles: ['test/support/generated-cases.ts'],
    testTimeout: 20_000,
  },
});
