import { join } from 'node:path';

/** The checkout. */
export const projectFolder = join(import.meta.dirname, '..');

/** Folder for the reports and logs of test runs. */
export const resultsFolder = join(projectFolder, 'out', 'test-results');
