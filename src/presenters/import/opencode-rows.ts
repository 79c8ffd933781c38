import { importsSentences } from '../../language/english/imports-english.ts';
import { ImportError } from '../../transcripts/reading/transcript-format.ts';
import { withDatabase } from './opencode-database.ts';
import type { Database, Row } from './sqlite.ts';

/** Maximum depth of sub-agents that are read with a session. */
const deepest = 4;
/** Maximum sub-agents of one session that are read with it, oldest first. */
const mostStarted = 1_000;
/** Lines per row above which a session is read again as a whole, because most earlier lines are outdated. */
const mostLinesPerRow = 2;

/** A table with parts of sessions. Each line contains these columns, then `data`. */
interface Table {
  readonly name: 'message' | 'part';
  readonly columns: string;
}

const tables: readonly Table[] = [
  { name: 'message', columns: 'id, session_id, time_created' },
  { name: 'part', columns: 'id, message_id' },
];

/** Rows of a session that have been read. */
interface Known {
  /** Session id → the session's row, as in its last line. */
  readonly sessions: Map<string, string>;
  /** Row, by table and id → time of its last change. */
  readonly changedAt: Map<string, number>;
  /** The latest time of any change. A row with this time may change again without a later time. */
  since: number;
  /** Content of the rows with the latest time. */
  latest: ReadonlyMap<string, string>;
  lines: number;
}

/** Lines of a session that were added since the last reading. */
export interface NewRows {
  /** Lines, each ending with a line feed. */
  readonly lines: readonly string[];
  /** True if the lines are the whole session and replace all earlier lines. */
  readonly isWhole: boolean;
}

/**
 * A session of a database and its sub-agents, as lines that `opencodeFormat` reads: one for each row and each
 * change of a row. opencode sets `time_updated` with every write (`packages/opencode/src/storage/schema.sql.ts`),
 * so readings start at the latest known time. If the number of rows or the sum of their times does not match, rows were
 * deleted or a clock was set back, and everything is read again.
 */
export class SessionRows {
  private readonly path: string;
  private readonly sessionId: string;
  /** Rows changed after this time are ignored. */
  private readonly until: number;
  private known: Known | undefined;

  /** @param until time in milliseconds since 1970; later changes are ignored */
  constructor(path: string, sessionId: string, until = Number.MAX_SAFE_INTEGER) {
    this.path = path;
    this.sessionId = sessionId;
    this.until = until;
  }

  /** @returns undefined if nothing has changed @throws {ImportError} if the session does not exist or is unreadable */
  async read(): Promise<NewRows | undefined> {
    let isAgain = false;
    return withDatabase(this.path, (database) => {
      // Rows from two states of the database cannot be combined.
      if (isAgain) this.known = undefined;
      isAgain = true;
      const added = this.added(database);
      if (added === undefined) return { lines: this.whole(database), isWhole: true };
      return added.length === 0 ? undefined : { lines: added, isWhole: false };
    });
  }

  private whole(database: Database): readonly string[] {
    const sessions = sessionRows(database, this.sessionId);
    if (sessions.size === 0) {
      throw new ImportError(importsSentences.say('noDatabaseSession', { id: this.sessionId }));
    }
    const known: Known = {
      sessions: new Map(),
      changedAt: new Map(),
      since: 0,
      latest: new Map(),
      lines: 0,
    };
    const lines = this.linesSince(database, sessions, known);
    this.known = known;
    return lines;
  }

  /** @returns undefined if the session must be read as a whole */
  private added(database: Database): readonly string[] | undefined {
    const { known } = this;
    // If reading fails below, no rows are known.
    this.known = undefined;
    if (known === undefined) return undefined;
    if (known.lines > mostLinesPerRow * (known.changedAt.size + known.sessions.size)) return undefined;
    const sessions = sessionRows(database, this.sessionId);
    if ([...known.sessions.keys()].some((id) => !sessions.has(id))) return undefined;
    const lines = this.linesSince(database, sessions, known);
    if (!this.isComplete(database, known)) return undefined;
    this.known = known;
    return lines;
  }

  /** Returns lines for the new rows, and records these rows as known. */
  private linesSince(
    database: Database,
    sessions: ReadonlyMap<string, string>,
    known: Known,
  ): readonly string[] {
    const lines: string[] = [];
    for (const [id, row] of sessions) {
      if (known.sessions.get(id) === row) continue;
      known.sessions.set(id, row);
      lines.push(`{"table":"session","id":${JSON.stringify(id)},"data":${row}}\n`);
    }
    const read = new Map<string, { readonly at: number; readonly line: string }>();
    for (const { name, columns } of tables) {
      const changed = `SELECT ${columns}, time_updated, data FROM ${name}
         WHERE session_id = ? AND time_updated BETWEEN ? AND ? ORDER BY time_created, id`;
      for (const session of known.sessions.keys()) {
        const rows = database.rows(changed, session, known.since, this.until);
        for (const { time_updated: at, data, ...row } of rows) {
          const line = `{"table":"${name}",${JSON.stringify(row).slice(1, -1)},"data":${oneLine(data)}}\n`;
          read.set(`${name} ${String(row['id'])}`, { at: Number(at), line });
        }
      }
    }
    const latest = [...read.values()].reduce((most, { at }) => Math.max(most, at), known.since);
    for (const [key, { at, line }] of read) {
      if (known.changedAt.get(key) === at && known.latest.get(key) === line) continue;
      known.changedAt.set(key, at);
      lines.push(line);
    }
    known.latest = new Map(
      [...read].filter(([, { at }]) => at === latest).map(([key, { line }]) => [key, line]),
    );
    known.since = latest;
    known.lines += lines.length;
    return lines;
  }

  private isComplete(database: Database, { sessions, changedAt, since }: Known): boolean {
    let [count, early] = [0, 0];
    for (const { name } of tables) {
      for (const session of sessions.keys()) {
        const [row] = database.rows(
          `SELECT count(*) AS count, sum(? - time_updated) AS early FROM ${name}
           WHERE session_id = ? AND time_updated <= ?`,
          since,
          session,
          this.until,
        );
        count += Number(row?.['count']);
        early += Number(row?.['early']);
      }
    }
    const known = [...changedAt.values()].reduce((sum, at) => sum + since - at, 0);
    return count === changedAt.size && early === known;
  }
}

/** Session id → row of the session or of a sub-agent, as JSON. Each session precedes the sub-agents it started. */
function sessionRows(database: Database, sessionId: string): ReadonlyMap<string, string> {
  const startedBy = `SELECT * FROM session WHERE parent_id = ? ORDER BY time_created, id LIMIT ${mostStarted}`;
  const rows = new Map<string, string>();
  const add = (row: Row, depth: number): void => {
    const id = String(row['id']);
    if (rows.has(id)) return;
    rows.set(id, JSON.stringify(row));
    if (depth > 0) for (const child of database.rows(startedBy, id)) add(child, depth - 1);
  };
  const [root] = database.rows('SELECT * FROM session WHERE id = ?', sessionId);
  if (root !== undefined) add(root, deepest);
  return rows;
}

/** The JSON of a column on one line; empty if the column is not text. */
function oneLine(data: unknown): string {
  return typeof data === 'string' ? data.replaceAll(/[\r\n]/gu, ' ') : 'null';
}
