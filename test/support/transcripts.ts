import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Real sessions of other agents, beside the project; not part of it. */
const folder = fileURLToPath(new URL('../../../shared/transcripts/normalised/', import.meta.url));

export const skipReason = 'the folder ../shared/transcripts/normalised beside the project';

/** Names of the files; empty where the folder is missing. */
export const realTranscripts: readonly string[] = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith('.json'))
  : [];

export function pathOf(name: string): string {
  return folder + name;
}

export function readTranscriptText(name: string): string {
  return readFileSync(pathOf(name), 'utf8');
}
