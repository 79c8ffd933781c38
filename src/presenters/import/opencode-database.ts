import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { importsSentences } from '../../language/english/imports-english.ts';
import { isRecord } from '../../language/is-record.ts';
import { ImportError } from '../../transcripts/reading/transcript-format.ts';
import { DatabaseSnapshot } from './database-snapshot.ts';
import { type Database, loadSqlite, readSnapshot, type Row, TooLargeError } from './sqlite.ts';

/** A session in a database, with the fields that a list shows. */
interface DatabaseSession {
  readonly id: string;
  readonly title: string | undefined;
  /** The agent's working folder. */
  readonly directory: string | undefined;
  /** Id of the session that started this sub-agent, or undefined. */
  readonly parentId: string | undefined;
  /** Last change in milliseconds since 1970. */
  readonly changedAt: number;
  /** Total size of the session's parts, in bytes. */
  readonly size: number;
}

/** Maximum characters of a title or folder that are read for a list. */
const longestField = 4_000;

/** Separates the path of a database from the id of a session in it. No file name of opencode contains it. */
const separator = '#';

/** The path of a session in a database: the path of the database, `#`, and the id. */
export function databasePath(database: string, sessionId: string): string {
  return `${database}${separator}${sessionId}`;
}

/** Splits a path made by `databasePath`; undefined for the path of a file. */
export function inDatabase(
  path: string,
): { readonly database: string; readonly sessionId: string } | undefined {
  const { database, sessionId } = /^(?<database>.*\.db)#(?<sessionId>ses_\w+)$/su.exec(path)?.groups ?? {};
  return database === undefined || sessionId === undefined ? undefined : { database, sessionId };
}

/**
 * The newest sessions in a database of opencode or Kilo Code.
 *
 * @throws {ImportError} if the database is unreadable, is being changed, or does not have opencode's tables
 */
export async function databaseSessions(path: string, most: number): Promise<readonly DatabaseSession[]> {
  return withDatabase(path, (database) => {
    const rows = database.rows(
      `SELECT id, substr(title, 1, ${longestField}) AS title, substr(directory, 1, ${longestField}) AS directory,
         parent_id, time_updated,
         (SELECT sum(octet_length(data)) FROM part WHERE part.session_id = session.id) AS size
       FROM session ORDER BY time_updated DESC LIMIT ?`,
      most,
    );
    return rows.flatMap(({ id, title, directory, parent_id: parentId, time_updated: changedAt, size }) =>
      typeof id !== 'string'
        ? []
        : [
            {
              id,
              title: textIn(title),
              directory: textIn(directory),
              parentId: textIn(parentId),
              changedAt: typeof changedAt === 'number' ? changedAt : 0,
              size: typeof size === 'number' ? size : 0,
            },
          ],
    );
  });
}

/**
 * Session id → last messages of the session, without their parts, newest last.
 *
 * @throws {ImportError} like `databaseSessions`
 */
export async function lastMessages(
  path: string,
  sessionIds: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  return withDatabase(path, (database) => {
    return new Map(
      sessionIds.map((id): readonly [string, readonly Row[]] => {
        const rows = database.rows(
          'SELECT data FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT ?',
          id,
          most,
        );
        return [
          id,
          rows
            .map(({ data }) => parsed(data))
            .filter((info) => info !== undefined)
            .toReversed(),
        ];
      }),
    );
  });
}

/** @returns undefined if the data is not a JSON object */
function parsed(data: unknown): Row | undefined {
  try {
    const value: unknown = typeof data === 'string' ? JSON.parse(data) : undefined;
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A version string that changes with the database and with its log, which contains the newest writes. */
export async function databaseVersion(path: string): Promise<string> {
  const states = await Promise.all([path, `${path}-wal`].map((file) => stat(file).catch(() => undefined)));
  return states.map((state) => (state === undefined ? '' : `${state.mtimeMs} ${state.size}`)).join(',');
}

/** Milliseconds to wait until another program finishes a change, and between attempts. */
const patience = 2_000;
const betweenLooks = 50;
/** SQLite's result codes for a damaged file and for a file that is not a database: https://sqlite.org/rescode.html */
const damages: ReadonlySet<unknown> = new Set([11, 26]);
/** SQLite's result codes if it uses too much memory or too many steps, or if a value is too long. */
const limits: ReadonlySet<unknown> = new Set([7, 9, 18]);
const tables = ['session', 'message', 'part'] as const;

/**
 * Reads one state of a database including its log. `work` is synchronous, and is repeated if the database has changed
 * in the meantime.
 *
 * @throws {ImportError} like `databaseSessions`
 */
export async function withDatabase<Result>(
  path: string,
  work: (database: Database) => Result,
): Promise<Result> {
  const sqlite = await loadSqlite();
  const begun = Date.now();
  do {
    using snapshot = snapshotOf(path);
    try {
      const result = readSnapshot(sqlite, snapshot, tables, work);
      if (snapshot.isWhole()) return result;
    } catch (error) {
      if (error instanceof ImportError) throw error;
      if (snapshot.isWhole()) throw new ImportError(importsSentences.say(faultOf(error)), { cause: error });
    }
    await pause(betweenLooks);
  } while (Date.now() - begun <= patience);
  throw new ImportError(importsSentences.say('databaseInUse'));
}

function snapshotOf(path: string): DatabaseSnapshot {
  try {
    return new DatabaseSnapshot(path);
  } catch (error) {
    throw new ImportError(importsSentences.say('databaseUnreadable'), { cause: error });
  }
}

function faultOf(error: unknown): 'damagedDatabase' | 'databaseTooLarge' | 'otherDatabase' {
  if (error instanceof TooLargeError) return 'databaseTooLarge';
  const code = isRecord(error) && typeof error['resultCode'] === 'number' ? error['resultCode'] & 0xff : 0;
  if (limits.has(code)) return 'databaseTooLarge';
  return damages.has(code) ? 'damagedDatabase' : 'otherDatabase';
}
