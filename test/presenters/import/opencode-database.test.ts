import { appendFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseSessions, withDatabase } from '../../../src/presenters/import/opencode-database.ts';
import { writeOpencodeDatabase } from '../../support/agents/opencode-database.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'database-'));
  path = join(folder, 'opencode.db');
});
afterEach(() => rm(folder, { recursive: true }));

const titles = async (file = path) => (await databaseSessions(file, 9)).map(({ title }) => title);
/** A database that a program holds open, with its last change in the neighbouring log. */
function held(): Disposable & DatabaseSync {
  writeOpencodeDatabase(path, [{ id: 'ses_1', title: 'before', changedAt: 1_000 }]);
  const database = new DatabaseSync(path);
  database.exec(`UPDATE session SET title = 'after'`);
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}

describe('a database of opencode', () => {
  it('is read with its log, and no file is written next to it', async () => {
    using _database = held();
    const copy = join(folder, 'copy');
    await copyFile(path, `${copy}.db`);
    await copyFile(`${path}-wal`, `${copy}.db-wal`);
    const before = readdirSync(folder);
    expect(await titles(`${copy}.db`)).toEqual(['after']);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('is read without incomplete changes in the log', async () => {
    using database = held();
    const { size } = statSync(`${path}-wal`);
    database.exec(`UPDATE session SET title = 'half'`);
    const log = readFileSync(`${path}-wal`);
    const copy = join(folder, 'copy.db');
    await copyFile(path, copy);
    for (const length of [size, size + 20, size + 24, log.length - 1]) {
      writeFileSync(`${copy}-wal`, log.subarray(0, length));
      expect(await titles(copy), String(length)).toEqual(['after']);
    }
    // A frame whose content does not match its checksum.
    log[log.length - 1]! ^= 1;
    writeFileSync(`${copy}-wal`, log);
    expect(await titles(copy)).toEqual(['after']);
  });

  it('is read without an outdated or invalid log', async () => {
    writeOpencodeDatabase(path, [{ id: 'ses_1', title: 'whole', changedAt: 1_000 }]);
    for (const log of ['', 'no log', '\0'.repeat(5_000)]) {
      writeFileSync(`${path}-wal`, log);
      expect(await titles()).toEqual(['whole']);
    }
  });

  it('is read again if it changes in the meantime', async () => {
    writeOpencodeDatabase(path, [{ id: 'ses_1', title: 'before', changedAt: 1_000 }]);
    let readings = 0;
    const title = await withDatabase(path, (database) => {
      const [row] = database.rows('SELECT title FROM session');
      if (readings++ === 0) {
        using other = opened();
        other.exec(`UPDATE session SET title = 'after'; PRAGMA wal_checkpoint(TRUNCATE)`);
      }
      return row?.['title'];
    });
    expect([readings, title]).toEqual([2, 'after']);
  });

  const opened = () => {
    const database = new DatabaseSync(path);
    return Object.assign(database, { [Symbol.dispose]: () => database.close() });
  };

  it('is read after its journal has rolled back a change', async () => {
    writeOpencodeDatabase(path, [{ id: 'ses_1', title: 'whole', changedAt: 1_000 }]);
    writeFileSync(`${path}-journal`, '\0'.repeat(512));
    expect(await titles()).toEqual(['whole']);
  });
});

describe('an unreadable database', () => {
  beforeEach(() => writeOpencodeDatabase(path, [{ id: 'ses_1', title: 'a', changedAt: 1_000 }]));
  const failure = () => databaseSessions(path, 9).then(String, (error: Error) => error.message);

  it('is reported in one sentence if a change is in progress', async () => {
    writeFileSync(
      `${path}-journal`,
      Buffer.concat([Buffer.from('d9d505f920a163d7', 'hex'), Buffer.alloc(504)]),
    );
    expect(await failure()).toBe(
      'The agent is changing this database, or was stopped while doing so. Try again later.',
    );
  });

  it.each([
    ['it is no database', () => writeFile(path, 'x'.repeat(9_000))],
    ['its end is missing', () => truncateSync(path, 5_000)],
    ['its pages are garbage', () => writeFileSync(path, readFileSync(path).fill(7, 100))],
  ])('is reported in one sentence if %s', async (_what, damage) => {
    await damage();
    expect(await failure()).toBe('This file is damaged, or is not an SQLite database.');
  });

  it('is reported in one sentence if it has other tables', async () => {
    await rm(path);
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE other (id TEXT)');
    other.close();
    expect(await failure()).toBe('This database does not have the tables of opencode or Kilo Code.');
  });

  it('is reported in one sentence if it is missing', async () => {
    await rm(path);
    expect(await failure()).toBe('This database cannot be opened.');
  });

  it('is not reported if there is only extra data after the last page', async () => {
    appendFileSync(path, 'x'.repeat(100));
    expect(await titles()).toEqual(['a']);
  });
});
