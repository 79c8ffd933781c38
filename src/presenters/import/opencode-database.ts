import { stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { importsSentences } from '../../language/imports-english.ts';
import { isRecord } from '../../language/is-record.ts';
import { ImportError } from '../../transcripts/reading/transcript-format.ts';

/** A row of a table, its columns by name. */
export type Row = Readonly<Record<string, unknown>>;

/** A session in a database, as a list needs it. */
export interface DatabaseSession {
  readonly id: string;
  readonly title: string | undefined;
  /** The folder it was held in. */
  readonly directory: string | undefined;
  /** Of a sub-agent: the id of the session that started it. */
  readonly parentId: string | undefined;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** Bytes of its parts. */
  readonly size: number;
}

/** Separates the path of a database from the id of a session in it. No file of opencode has it in its name. */
const separator = '#';

/** The path by which a session in a database goes: that of the database, `#`, and its id. */
export function databasePath(database: string, sessionId: string): string {
  return `${database}${separator}${sessionId}`;
}

/** Takes a path of `databasePath` apart; undefined for the path of a file. */
export function inDatabase(
  path: string,
): { readonly database: string; readonly sessionId: string } | undefined {
  const { database, sessionId } = /^(?<database>.*\.db)#(?<sessionId>ses_\w+)$/su.exec(path)?.groups ?? {};
  return database === undefined || sessionId === undefined ? undefined : { database, sessionId };
}

/**
 * The newest sessions in a database of opencode or Kilo Code. Nothing is written, not even the files that SQLite keeps
 * beside a database in use.
 *
 * @throws {ImportError} if this program cannot read SQLite, or the tables are not those of opencode
 */
export async function databaseSessions(path: string, most: number): Promise<readonly DatabaseSession[]> {
  return withDatabase(path, (database) => {
    const rows = database
      .prepare(
        `SELECT id, title, directory, parent_id, time_updated,
           (SELECT sum(octet_length(data)) FROM part WHERE part.session_id = session.id) AS size
         FROM session ORDER BY time_updated DESC LIMIT ?`,
      )
      .all(most) as readonly Row[];
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
 * The last messages of sessions, without their parts, each time the newest last.
 *
 * @param most messages of a session
 * @returns by the ids of the sessions
 * @throws {ImportError} as `databaseSessions` does
 */
export async function lastMessages(
  path: string,
  sessionIds: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  return withDatabase(path, (database) => {
    const newest = database.prepare(
      'SELECT data FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT ?',
    );
    return new Map(
      sessionIds.map((id): readonly [string, readonly Row[]] => {
        const rows = newest.all(id, most) as readonly Row[];
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

/** @returns nothing for what is not an object in JSON */
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

/** A text that is another one once a database has changed: of what was written last, only the log next to it tells. */
export async function databaseVersion(path: string): Promise<string> {
  const states = await Promise.all([path, `${path}-wal`].map((file) => stat(file).catch(() => undefined)));
  return states.map((state) => (state === undefined ? '' : `${state.mtimeMs} ${state.size}`)).join(',');
}

/** Milliseconds to wait for a program that has locked a database, as it does for a moment when it closes it. */
const lockPatience = 2_000;
const betweenLooks = 50;

/**
 * Opens a database of opencode or Kilo Code for as long as something is read of it.
 *
 * @param work reads; it is done again where the database was locked
 * @throws {ImportError} as `databaseSessions` does
 */
export async function withDatabase<Result>(
  path: string,
  work: (database: DatabaseSync) => Result,
): Promise<Result> {
  const sqlite = await import('node:sqlite').catch(() => undefined);
  if (sqlite === undefined) throw new ImportError(importsSentences.say('noSqlite'));
  for (let waited = 0; ; waited += betweenLooks) {
    const location = pathToFileURL(path);
    // Without a program that writes to it now, SQLite would create the files for sharing it.
    if (!(await isInUse(path))) location.searchParams.set('immutable', '1');
    let database: DatabaseSync | undefined;
    try {
      database = new sqlite.DatabaseSync(location, { readOnly: true });
      return work(database);
    } catch (error) {
      if (error instanceof ImportError) throw error;
      if (!isLocked(error) || waited >= lockPatience) {
        throw new ImportError(importsSentences.say('otherDatabase'), { cause: error });
      }
    } finally {
      database?.close();
    }
    // SQLite's own waiting would hold up the thread.
    await pause(betweenLooks);
  }
}

/** True for SQLITE_BUSY, of which SQLite has several kinds in the higher bits: https://sqlite.org/rescode.html#busy */
function isLocked(error: unknown): boolean {
  return isRecord(error) && typeof error['errcode'] === 'number' && (error['errcode'] & 0xff) === 5;
}

/** True while changes are in a file of their own beside the database. */
async function isInUse(path: string): Promise<boolean> {
  return stat(`${path}-wal`).then(
    () => true,
    () => false,
  );
}
