import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Message, textOf } from '../../src/compaction/messages/message.ts';

/** Folder next to the project with real sessions of other agents. They are not part of the project. */
const folder = fileURLToPath(new URL('../../../shared/transcripts/normalised/', import.meta.url));

/** A session of our own agent on the sample workspace, written by `scripts/pictures/write-sample-session.ts`. */
const sample = fileURLToPath(new URL('../../samples/sessions/questions.jsonl', import.meta.url));

export const skipReason = 'the folder ../shared/transcripts/normalised beside the project';

/** Names of the files of other agents; empty if the folder is missing. */
export const realTranscripts: readonly string[] = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith('.json'))
  : [];

/** Name of the session included in the project. */
export const sampleSession = 'questions.jsonl';

/** All available real sessions: at least the session that is included in the project. */
export const realSessions: readonly string[] = [sampleSession, ...realTranscripts];

export function pathOf(name: string): string {
  return name === sampleSession ? sample : folder + name;
}

export function readTranscriptText(name: string): string {
  return readFileSync(pathOf(name), 'utf8');
}

/** Original files of other agents, in a folder for each format. */
const originals = fileURLToPath(new URL('../../../shared/transcripts/original/', import.meta.url));

export const skipReasonOfOriginals = 'the folder ../shared/transcripts/original beside the project';

/** Folders of logs that only the command line and the library read. */
const logs = /^(?:litellm|swe-agent|tau-bench|vscode-chatreplay)-/u;

/** Path of one real file for each format of an agent; empty if the folder is missing. */
export const originalSessions: readonly string[] = existsSync(originals)
  ? readdirSync(originals).flatMap((format) =>
      (logs.test(format) ? [] : readdirSync(originals + format))
        .slice(0, 1)
        .map((name) => `${originals}${format}/${name}`),
    )
  : [];

/** Openings of messages that programs wrote, although the normalised files list them as the user's. */
const programOpening =
  /^(?:<(?:command-(?:name|message)|local-command-stdout|environment_info|agent-notification)>|\[Request interrupted by user)/u;

/**
 * Indices of the messages in the user's role that a program wrote.
 *
 * @param listed indices in the normalised file; other messages count unless they begin like a program's message
 */
export function writtenByPrograms(
  messages: readonly Message[],
  listed: readonly number[],
): readonly number[] {
  return messages.flatMap(({ role, origin, content }, index) => {
    if (role !== 'user' || origin !== 'harness') return [];
    return listed.includes(index) || !programOpening.test(textOf(content)) ? [index] : [];
  });
}
