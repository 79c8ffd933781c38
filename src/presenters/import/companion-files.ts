import { lstat } from 'node:fs/promises';
import { parseShallow } from '../../compaction/text/parse-json.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { shownInBrief } from '../../transcripts/formats/cline/cline-task-events.ts';
import type { ReadLimits } from '../../transcripts/reading/read-limits.ts';
import { beginningOfText, endOf, readTranscriptFile } from './transcript-file.ts';

/** A file that an agent keeps next to a session's file, with the state of the session's context. */
interface Companion {
  /** Path endings of a session's file and of its companion. */
  readonly session: RegExp;
  readonly beside: RegExp;
  readonly endings: readonly [session: string, beside: string];
  /** Keys of the two texts in the combined text of a session. */
  readonly names: readonly [session: string, beside: string];
  /** Reduces the companion to the needed JSON; undefined if the file is incomplete. */
  readonly brief: (text: string) => string | undefined;
  /** The part of the file that shows how full the context is. */
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

/** Path of the companion of a session's file; undefined if the agent keeps no companion. */
export function companionOf(path: string): string | undefined {
  const companion = companions.find(({ session }) => session.test(path));
  return companion && path.replace(companion.session, companion.endings[1]);
}

/** Path of the session's file next to a companion; undefined if the path is not a companion's. */
export function sessionBeside(path: string): string | undefined {
  const companion = companions.find(({ beside }) => beside.test(path));
  return companion && path.replace(companion.beside, companion.endings[0]);
}

/** Time when a session's companion was last changed, in milliseconds since 1970; undefined without a companion. */
export async function companionChangedAt(path: string): Promise<number | undefined> {
  const beside = companionOf(path);
  const described = beside === undefined ? undefined : await lstat(beside).catch(() => undefined);
  return described?.isFile() === true ? described.mtimeMs : undefined;
}

/** Reads a session's companion. @returns JSON; undefined if it is incomplete @throws {CancelledError} if aborted */
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

/** The part of a session's companion that shows how full its context is; undefined without a companion. */
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

/** Combines the texts of a session's file and its companion. @param beside result of `readCompanion` */
export function withCompanion(path: string, text: string, beside: string | undefined): string {
  const companion = companions.find(({ session }) => session.test(path));
  if (companion === undefined || beside === undefined) return text;
  const [own, other] = companion.names;
  return `{"${own}":${text},"${other}":${beside}}`;
}
