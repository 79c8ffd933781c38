import { DatabaseSync } from 'node:sqlite';

/** A session in the form of opencode's database, made by hand. */
export interface DatabaseSessionSample {
  readonly id: string;
  readonly title: string;
  readonly changedAt: number;
  readonly parent?: string;
  readonly revert?: object;
  /** Messages and their parts in opencode's form, without their ids. */
  readonly messages?: readonly { readonly info: object; readonly parts: readonly object[] }[];
}

/**
 * Writes a database with the tables of opencode that we read. As when opencode has ended, the database has no log.
 */
export function writeOpencodeDatabase(path: string, sessions: readonly DatabaseSessionSample[]): void {
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT,
      version TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER,
      time_updated INTEGER, data TEXT);
  `);
  const session = database.prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const message = database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)');
  const part = database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)');
  for (const { id, title, changedAt, parent = null, revert, messages = [] } of sessions) {
    const reverted = revert === undefined ? null : JSON.stringify(revert);
    session.run(id, 'p1', parent, '/projects/here', title, '1.2.0', reverted, changedAt, changedAt);
    for (const [index, { info, parts }] of messages.entries()) {
      const messageId = `msg_${id}_${index}`;
      message.run(messageId, id, changedAt + index, changedAt, JSON.stringify(info));
      for (const [place, data] of parts.entries()) {
        part.run(`prt_${id}_${index}_${place}`, messageId, id, changedAt, changedAt, JSON.stringify(data));
      }
    }
  }
  database.close();
}
