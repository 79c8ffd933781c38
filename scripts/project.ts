import { join } from 'node:path';

/** The checkout. */
export const projectFolder = join(import.meta.dirname, '..');

/** Where test runs leave reports and logs. */
export const resultsFolder = join(projectFolder, 'out', 'test-results');
