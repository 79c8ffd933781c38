/**
 * Writes the storage of this version to `test/fixtures/storage-<version>`. Run it once for each published version. It
 * drives a real VS Code and needs a build (`npm run build`) and a browser, like the end-to-end tests.
 *
 * Usage: node scripts/test/write-storage.ts
 */
import { startVitest } from 'vitest/node';
import { projectFolder } from '../project.ts';

const timeout = 600_000;
await startVitest([], {
  root: projectFolder,
  config: false,
  include: ['test/harness/write-storage.ts'],
  watch: false,
  testTimeout: timeout,
  hookTimeout: timeout,
});
