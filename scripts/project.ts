import { join } from 'node:path';

/** The checkout. */
export const projectFolder = join(import.meta.dirname, '..');

/**
 * Folder with real sessions of other agents, next to the checkout. It may be missing; none of it is part of
 * the project.
 */
export const transcriptsFolder = join(projectFolder, '..', 'shared', 'transcripts');

/** Folder for the reports and logs of test runs. */
export const resultsFolder = join(projectFolder, 'out', 'test-results');
