import { stat } from 'node:fs/promises';
import { companionOf } from '../import/companion-files.ts';
import { inDatabase, withDatabase } from '../import/opencode-database.ts';
import { isSessionInFolder } from '../import/opencode-folder.ts';
import { endOf } from '../import/transcript-file.ts';
import { TraceLines } from './trace-lines.ts';

/** State of a session before it became live again. */
export interface IdleState {
  /** Size of the session's file in bytes. */
  readonly size: number;
  /** Time of the last change in milliseconds since 1970. */
  readonly changedAt: number;
}

/** Searches a session for the traces that agents leave when they compact, without reading the messages. */
export interface CompactionTraces {
  /** Files to watch. Each new trace changes at least one of them. */
  readonly files: readonly string[];
  /**
   * Searches for marks that are new since the last check; at first, since the idle state.
   *
   * @returns the part that existed before, in the form of `SourcePlace`; `last` if only the last compaction is known
   *   to be new; undefined if there is no new trace
   * @throws errors of the file system
   */
  look(): Promise<number | 'last' | undefined>;
}

/** @returns undefined for a document, which must be read as a whole */
export function compactionTracesAt(path: string, idle: IdleState | undefined): CompactionTraces | undefined {
  const place = inDatabase(path);
  if (place !== undefined) return tracesInRows(place, idle);
  if (isSessionInFolder(path)) return undefined;
  const beside = companionOf(path);
  if (beside?.endsWith('.compaction.json') === true) return tracesInState(path, beside, idle);
  if (beside !== undefined) return tracesInTask(path, beside, idle);
  if (!path.endsWith('.jsonl')) return undefined;
  const lines = new TraceLines(path, idle?.size);
  return { files: [path], look: () => lines.look() };
}

/** Maximum milliseconds between the last change of the idle state and the end of its last reply. */
const lastReply = 120_000;

/** Searches the messages of a session in a database. opencode marks a summary and notes how it ended. */
function tracesInRows(
  { database, sessionId }: { database: string; sessionId: string },
  idle: IdleState | undefined,
): CompactionTraces {
  let known = idle === undefined ? undefined : idle.changedAt + lastReply;
  return {
    files: [database, `${database}-wal`],
    look: () =>
      withDatabase(database, (content) => {
        const since = known ?? Number.MAX_SAFE_INTEGER;
        const [found] = content.rows(
          `SELECT max(time_updated) AS latest,
             total(time_updated > ? AND data LIKE '%"summary":true%' AND data LIKE '%"finish":"%') AS traces
           FROM message WHERE session_id = ?`,
          since,
          sessionId,
        );
        known = Math.max(Number(found?.['latest'] ?? 0), idle === undefined ? 0 : (known ?? 0));
        return Number(found?.['traces']) > 0 ? since : undefined;
      }),
  };
}

/** Watches the file in which Cline keeps the last compaction of a session. */
function tracesInState(path: string, beside: string, idle: IdleState | undefined): CompactionTraces {
  let known = idle?.changedAt;
  return {
    files: [path, beside],
    look: async () => {
      const at = await stat(beside).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      const isNew = known !== undefined && at > known;
      known = Math.max(at, known ?? 0);
      return isNew ? 'last' : undefined;
    },
  };
}

/** Number of bytes searched at the end of both files of a task. */
const taskTail = 262_144;
const taskTrace =
  /"ts"\s*:\s*(?<ts>\d+)|"(?<made>contextCondense|contextTruncation)"\s*:\s*\{|"conversationHistoryDeletedRange"\s*:\s*(?<range>\[[\d,\s]*\])/gu;
/** Beginning of Cline's request for a summary, and of the message that Cline continues from. */
const clineSummary =
  /(?<isAsked><explicit_instructions type=\\"(?:summarize_task|condense)\\">)|ran out of context\. The conversation is summarized below:|The user has accepted the condensed conversation summary/gu;

/** Searches the displayed messages of a task. Roo Code notes each summary and cut; Cline notes the omitted range. */
function tracesInTask(path: string, beside: string, idle: IdleState | undefined): CompactionTraces {
  let known = idle?.changedAt;
  return {
    files: [path, beside],
    look: async () => {
      const newest = newestTrace(await endOf(beside, taskTail).catch(() => ''));
      const isNew = known !== undefined && newest > known;
      if (isNew && isBeingSummarised(await endOf(path, taskTail))) return undefined;
      known = Math.max(newest, known ?? 0);
      return isNew ? 'last' : undefined;
    },
  };
}

/** Time of the last trace in milliseconds since 1970, or 0. @param tail end of the displayed messages */
function newestTrace(tail: string): number {
  let at = 0;
  let newest = 0;
  // A range that Cline noted before the tail is not new.
  let range = tail.startsWith('[') ? '' : undefined;
  for (const { groups = {} } of tail.matchAll(taskTrace)) {
    at = Number(groups['ts'] ?? at);
    const isOther = groups['range'] !== undefined && range !== undefined && groups['range'] !== range;
    range = groups['range'] ?? range;
    if (groups['made'] !== undefined || isOther) newest = at;
  }
  return newest;
}

/** True while a summary that Cline requested is missing from the conversation. */
function isBeingSummarised(tail: string): boolean {
  return [...tail.matchAll(clineSummary)].at(-1)?.groups?.['isAsked'] !== undefined;
}
