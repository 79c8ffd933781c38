import { stat } from 'node:fs/promises';
import { companionOf } from '../import/companion-files.ts';
import { inDatabase, withDatabase } from '../import/opencode-database.ts';
import { isSessionInFolder } from '../import/opencode-folder.ts';
import { endOf } from '../import/transcript-file.ts';
import { MarkedLines } from './marked-lines.ts';

/** A session as it was when it went on for the last time before now. */
export interface IdleState {
  /** Bytes of its file. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Marks that agents leave when they compact, found without reading a session. */
export interface SessionMarks {
  /** Files of which one changes whenever there can be a new mark. */
  readonly files: readonly string[];
  /**
   * Looks for marks that were not there at the last look; at the first, for those since the session was idle, if that is
   * known.
   *
   * @returns the part of the session that was there before, as `SourcePlace` has it; `last` if not more is known than that
   *   the last compaction is new; undefined if there is none
   * @throws what the file system throws
   */
  look(): Promise<number | 'last' | undefined>;
}

/** @returns undefined for a document: nothing but the whole of it tells */
export function sessionMarksAt(path: string, idle: IdleState | undefined): SessionMarks | undefined {
  const place = inDatabase(path);
  if (place !== undefined) return markedRows(place, idle);
  if (isSessionInFolder(path)) return undefined;
  const beside = companionOf(path);
  if (beside?.endsWith('.compaction.json') === true) return markedState(path, beside, idle);
  if (beside !== undefined) return markedTask(path, beside, idle);
  if (!path.endsWith('.jsonl')) return undefined;
  const lines = new MarkedLines(path, idle?.size);
  return { files: [path], look: () => lines.look() };
}

/** Milliseconds after the last change of a session in which its last reply can have been written. */
const lastReply = 120_000;

/** The messages of a session in a database: opencode marks a summary, and says how it ended. */
function markedRows(
  { database, sessionId }: { database: string; sessionId: string },
  idle: IdleState | undefined,
): SessionMarks {
  let known = idle === undefined ? undefined : idle.changedAt + lastReply;
  return {
    files: [database, `${database}-wal`],
    look: () =>
      withDatabase(database, (content) => {
        const since = known ?? Number.MAX_SAFE_INTEGER;
        const [found] = content.rows(
          `SELECT max(time_updated) AS latest,
             total(time_updated > ? AND data LIKE '%"summary":true%' AND data LIKE '%"finish":"%') AS marks
           FROM message WHERE session_id = ?`,
          since,
          sessionId,
        );
        known = Math.max(Number(found?.['latest'] ?? 0), idle === undefined ? 0 : (known ?? 0));
        return Number(found?.['marks']) > 0 ? since : undefined;
      }),
  };
}

/** The file in which Cline keeps the last compaction of a session. */
function markedState(path: string, beside: string, idle: IdleState | undefined): SessionMarks {
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

/** Bytes at the end of both files of a task that are searched. */
const taskTail = 262_144;
const taskMark =
  /"ts"\s*:\s*(?<ts>\d+)|"(?<made>contextCondense|contextTruncation)"\s*:\s*\{|"conversationHistoryDeletedRange"\s*:\s*(?<range>\[[\d,\s]*\])/gu;
/** Cline asks for a summary, and goes on with it. */
const clineSummary =
  /(?<isAsked><explicit_instructions type=\\"(?:summarize_task|condense)\\">)|ran out of context\. The conversation is summarized below:|The user has accepted the condensed conversation summary/gu;

/** The messages that a task shows: Roo Code tells of each summary and cut, Cline of what requests leave out. */
function markedTask(path: string, beside: string, idle: IdleState | undefined): SessionMarks {
  let known = idle?.changedAt;
  return {
    files: [path, beside],
    look: async () => {
      const newest = newestMark(await endOf(beside, taskTail).catch(() => ''));
      const isNew = known !== undefined && newest > known;
      if (isNew && isBeingSummarised(await endOf(path, taskTail))) return undefined;
      known = Math.max(newest, known ?? 0);
      return isNew ? 'last' : undefined;
    },
  };
}

/** Time of the last mark, in milliseconds since 1970; 0 if there is none. @param tail of what a task shows */
function newestMark(tail: string): number {
  let at = 0;
  let newest = 0;
  // A range that was there before the tail began is no new one.
  let range = tail.startsWith('[') ? '' : undefined;
  for (const { groups = {} } of tail.matchAll(taskMark)) {
    at = Number(groups['ts'] ?? at);
    const isOther = groups['range'] !== undefined && range !== undefined && groups['range'] !== range;
    range = groups['range'] ?? range;
    if (groups['made'] !== undefined || isOther) newest = at;
  }
  return newest;
}

/** True while a summary that Cline has asked for is not in the conversation yet. */
function isBeingSummarised(tail: string): boolean {
  return [...tail.matchAll(clineSummary)].at(-1)?.groups?.['isAsked'] !== undefined;
}
