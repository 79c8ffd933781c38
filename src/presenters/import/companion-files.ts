import { lstat } from 'node:fs/promises';
import { parseShallow } from '../../compaction/text/parse-json.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { shownInBrief } from '../../transcripts/formats/cline/cline-task-events.ts';
import type { ReadLimits } from '../../transcripts/reading/read-limits.ts';
import { beginningOfText, endOf, readTranscriptFile } from './transcript-file.ts';

/** A file that an agent keeps beside that of a session, and that tells what became of its context. */
interface Companion {
  /** Ends of the paths of a session's file and of the one beside it. */
  readonly session: RegExp;
  readonly beside: RegExp;
  readonly endings: readonly [session: string, beside: string];
  /** Names under which the text of a session has the content of the two. */
  readonly names: readonly [session: string, beside: string];
  /** The part of the text that is read, as JSON; undefined if it is not whole. */
  readonly brief: (text: string) => string | undefined;
  /** The part of the file that tells how full the context is. */
  readonly telling: 'beginning' | 'end';
}

const companions: readonly Companion[] = [
  {
    session: /(?<=^|[/\\])api_conversation_history\.json$/u,
    beside: /(?<=^|[/\\])ui_messages\.json$/u,
    endings: ['api_conversation_history.json', 'ui_messages.json'],
    names: ['conversation', 'shown'],
    brief: shownInBrief,
    telling: 'end',
  },
  {
    session: /(?<=[^/\\])\.messages\.json$/u,
    beside: /(?<=[^/\\])\.compaction\.json$/u,
    endings: ['.messages.json', '.compaction.json'],
    names: ['session', 'compaction'],
    brief: (text) => (parseShallow(text) === undefined ? undefined : text),
    telling: 'beginning',
  },
];

/** Path of the file beside that of a session; undefined if its agent keeps none. */
export function companionOf(path: string): string | undefined {
  const companion = companions.find(({ session }) => session.test(path));
  return companion && path.replace(companion.session, companion.endings[1]);
}

/** Path of the session's file beside which another file is; undefined for every other path. */
export function sessionBeside(path: string): string | undefined {
  const companion = companions.find(({ beside }) => beside.test(path));
  return companion && path.replace(companion.beside, companion.endings[0]);
}

/** Milliseconds since 1970 at which the file beside a session's was changed; undefined if there is none. */
export async function companionChangedAt(path: string): Promise<number | undefined> {
  const beside = companionOf(path);
  const described = beside === undefined ? undefined : await lstat(beside).catch(() => undefined);
  return described?.isFile() === true ? described.mtimeMs : undefined;
}

/**
 * The content of the file beside that of a session, as far as it is read.
 *
 * @returns JSON; undefined if there is none, or it is not whole now
 * @throws {CancelledError} if the signal was aborted
 */
export async function readCompanion(
  path: string,
  signal: AbortSignal,
  limits: ReadLimits,
): Promise<string | undefined> {
  const companion = companions.find(({ session }) => session.test(path));
  const beside = companionOf(path);
  if (companion === undefined || beside === undefined) return undefined;
  const text = await readTranscriptFile(beside, signal, limits, () => {}, limits.document).catch(
    () => undefined,
  );
  throwIfCancelled(signal);
  return text === undefined ? undefined : companion.brief(text);
}

/**
 * The part of the file beside that of a session that tells how full its context is.
 *
 * @param size bytes that are read
 * @returns undefined if there is no such file
 */
export async function tellingPartOf(
  path: string,
  size: number,
  read = { beginningOf: beginningOfText, endOf },
): Promise<string | undefined> {
  const companion = companions.find(({ session }) => session.test(path));
  const beside = companionOf(path);
  if (companion === undefined || beside === undefined) return undefined;
  const part = companion.telling === 'end' ? read.endOf(beside, size) : read.beginningOf(beside, size);
  return part.catch(() => undefined);
}

/** The text of a session from those of its file and of the one beside it. @param beside as `readCompanion` returns it */
export function withCompanion(path: string, text: string, beside: string | undefined): string {
  const companion = companions.find(({ session }) => session.test(path));
  if (companion === undefined || beside === undefined) return text;
  const [own, other] = companion.names;
  return `{"${own}":${text},"${other}":${beside}}`;
}
