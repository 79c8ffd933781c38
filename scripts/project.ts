import { join } from 'node:path';

/** The folder of the checkout. */
export const projectFolder = join(import.meta.dirname, '..');

/**
 * Folder next to the checkout with real sessions of other agents. It may be missing, and is not part of the project.
 */
export const transcriptsFolder = join(projectFolder, '..', 'shared', 'transcripts');

/** Folder for the reports and logs of test runs. */
export const resultsFolder = join(projectFolder, 'out', 'test-results');
