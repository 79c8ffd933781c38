import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionRows } from '../../../src/presenters/import/opencode-rows.ts';
import { followTranscript } from '../../../src/transcripts/followed-transcript.ts';
import {
  conversationOf,
  importTranscript,
  type ImportedTranscript,
} from '../../../src/transcripts/import-transcript.ts';
import { opencodeMessages } from '../../support/format-samples.ts';
import { writeOpencodeDatabase } from '../../support/agents/opencode-database.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rows-'));
  path = join(folder, 'opencode.db');
});
afterEach(() => rm(folder, { recursive: true }));

/** Everything that an import returns, with the other conversations. */
function told({ others = [], transcript, ...imported }: ImportedTranscript) {
  const conversations = others.map((other) => ({ ...other, read: other.read().entries }));
  return { ...imported, conversations, view: transcript.view };
}

/** A session that is read as it changes, and again as a whole for comparison. */
function follow() {
  const rows = new SessionRows(path, 'ses_1');
  let followed = followTranscript();
  const sizes: number[] = [];
  return {
    /** Number of lines in each reading; negative for a reading of the whole. */
    sizes,
    expectWhole: async () => {
      const added = await rows.read();
      const lines = (added?.lines.join('') ?? '').split('\n').length - 1;
      sizes.push(added?.isWhole === true ? -lines : lines);
      if (added?.isWhole === true) followed = followTranscript();
      followed.append(added?.lines.join('') ?? '');
      const whole = await new SessionRows(path, 'ses_1').read();
      expect(told(conversationOf(followed.read(), undefined))).toEqual(
        told(importTranscript(whole?.lines.join('') ?? '')),
      );
    },
  };
}

const messages = opencodeMessages.map(({ info, parts }) => ({ info, parts }));
const part = (text: string) => JSON.stringify({ type: 'text', text });

/** A program that keeps writing to the database, with a neighbouring log. */
function open(): DatabaseSync & Disposable {
  const database = new DatabaseSync(path);
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}

describe('a session in a database', () => {
  beforeEach(() => {
    writeOpencodeDatabase(path, [
      { id: 'ses_1', title: 'a', changedAt: 1_000, messages },
      { id: 'ses_2', title: 'b', changedAt: 1_000, parent: 'ses_1', messages: messages.slice(0, 2) },
      { id: 'ses_9', title: 'another', changedAt: 1_000, messages },
    ]);
  });

  it('is read in full at first, and then only in new rows', async () => {
    using database = open();
    const { expectWhole, sizes } = follow();
    await expectWhole();
    await expectWhole();
    database.exec(`INSERT INTO part VALUES ('prt_z', 'msg_ses_1_4', 'ses_1', 2000, 2000, '${part('more')}')`);
    await expectWhole();
    database.exec(`UPDATE part SET data = '${part('much more')}', time_updated = 2001 WHERE id = 'prt_z'`);
    await expectWhole();
    // Within the same millisecond.
    database.exec(`UPDATE part SET data = '${part('most')}' WHERE id = 'prt_z'`);
    await expectWhole();
    database.exec(
      `UPDATE part SET data = '${part('elsewhere')}', time_updated = 2002 WHERE session_id = 'ses_9'`,
    );
    await expectWhole();
    expect(sizes.slice(1)).toEqual([0, 1, 1, 1, 0]);
  });

  it.each([
    ['a part is deleted', `DELETE FROM part WHERE id = 'prt_ses_1_4_0'`],
    ['a session of a sub-agent is deleted', `DELETE FROM session WHERE id = 'ses_2'`],
    [
      'a clock went back',
      `UPDATE part SET data = '${part('late')}', time_updated = 7 WHERE id = 'prt_ses_1_4_0'`,
    ],
  ])('is read in full again if %s', async (_what, change) => {
    using database = open();
    const { expectWhole, sizes } = follow();
    await expectWhole();
    database.exec(change);
    await expectWhole();
    expect(sizes[1]).toBeLessThan(0);
  });

  it('is read in full again if most of the data has changed', async () => {
    using database = open();
    const { expectWhole, sizes } = follow();
    const change = database.prepare(`UPDATE part SET data = ?, time_updated = ? WHERE id = 'prt_ses_1_4_0'`);
    for (let turn = 0; turn < 60; turn++) {
      change.run(part(`turn ${turn}`), 2_000 + turn);
      await expectWhole();
    }
    const wholes = sizes.filter((size) => size < 0).length;
    expect(wholes).toBeGreaterThan(1);
    expect(wholes).toBeLessThan(6);
  });

  it('is read with the same result as in full, no matter what has changed', async () => {
    const id = fc
      .constantFrom('1_0_0', '1_1_2', '1_4_0', '2_0_0', '2_1_1', 'new')
      .map((one) => `prt_ses_${one}`);
    const message = fc.constantFrom('1_0', '1_4', '2_1', 'x').map((one) => `msg_ses_${one}`);
    const change = fc.record({
      kind: fc.constantFrom('part', 'message', 'remove part', 'remove message', 'session', 'child', 'orphan'),
      id,
      message,
      text: fc.string(),
      at: fc.integer({ min: 1, max: 1_000_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 6 }), async (steps) => {
        await rm(path, { force: true });
        writeOpencodeDatabase(path, [
          { id: 'ses_1', title: 'a', changedAt: 1_000, messages },
          { id: 'ses_2', title: 'b', changedAt: 1_000, parent: 'ses_1', messages: messages.slice(0, 2) },
        ]);
        using database = open();
        const { expectWhole } = follow();
        await expectWhole();
        for (const changes of steps) {
          for (const one of changes) apply(database, one);
          await expectWhole();
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is read with the same result as in full after another process has written it row by row', async () => {
    const { expectWhole, sizes } = follow();
    await expectWhole();
    const child = spawn(process.execPath, ['--no-warnings', '-e', writer, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close') as Promise<[number | null]>;
    let [isEnded, written, read] = [false, 0, 0];
    child.stdout.on('data', (turns: Buffer) => (written += turns.length)).on('end', () => (isEnded = true));
    while (!isEnded) {
      // Each turn is read once at least, however slowly this process runs.
      for (; read < written; read++) child.stdin.write('.');
      await expectUnlessWritten(expectWhole);
      // Reading waits for nothing, so messages of the other process need a pause.
      await setImmediate();
    }
    expect((await ended)[0]).toBe(0);
    await expectWhole();
    expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(1);
  });
});

describe('a database that another program has locked', () => {
  it('is read as it was before the change', async () => {
    writeOpencodeDatabase(path, [{ id: 'ses_1', title: 'a', changedAt: 1_000, messages }]);
    const child = spawn(process.execPath, ['--no-warnings', '-e', locker, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    using lookedAt = open();
    expect(() => lookedAt.prepare('SELECT 1 FROM session').get()).toThrow('locked');
    const rows = new SessionRows(path, 'ses_1');
    expect((await rows.read())?.lines.join('')).toContain('"title":"a"');
    child.stdin.end('release');
    await once(child, 'exit');
    expect((await rows.read())?.lines.join('')).toContain('"title":"locked"');
  });
});

/** The comparison reads the database twice, and a row can be written in between. */
async function expectUnlessWritten(expectWhole: () => Promise<void>): Promise<void> {
  await expectWhole().catch((error: unknown) => {
    if ((error as Error).name !== 'AssertionError') throw error;
  });
}

interface Change {
  readonly kind: string;
  readonly id: string;
  readonly message: string;
  readonly text: string;
  readonly at: number;
}

function apply(database: DatabaseSync, { kind, id, message, text, at }: Change): void {
  const session = id.includes('ses_2') ? 'ses_2' : 'ses_1';
  const put = (sql: string, ...values: readonly (string | number)[]) => database.prepare(sql).run(...values);
  switch (kind) {
    case 'part':
      return void put(
        'INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)',
        id,
        message,
        session,
        at,
        at,
        part(text),
      );
    case 'message':
      return void put(
        'INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?)',
        message,
        session,
        at,
        at,
        JSON.stringify({ role: 'assistant', modelID: text, time: { created: at } }),
      );
    case 'remove part':
      return void put('DELETE FROM part WHERE id = ?', id);
    case 'remove message':
      return void put('DELETE FROM message WHERE id = ?', message);
    case 'session':
      return void put('UPDATE session SET title = ?, time_updated = ? WHERE id = ?', text, at, session);
    case 'child':
      return void put(
        'INSERT OR REPLACE INTO session (id, parent_id, title, time_created, time_updated) VALUES (?, ?, ?, ?, ?)',
        'ses_3',
        'ses_2',
        text,
        at,
        at,
      );
    default:
      return void put(`UPDATE session SET parent_id = 'ses_0' WHERE id = 'ses_2'`);
  }
}

/** Writes turns, and waits after each for a byte that confirms the reading. */
const writer = `
const { readSync, writeSync } = require('node:fs');
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1]);
const message = database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)');
const part = database.prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)');
for (let turn = 0; turn < 40; turn++) {
  const id = 'msg_y' + String(turn).padStart(3, '0');
  message.run(id, 'ses_1', 5000 + turn, Date.now(), JSON.stringify({ role: turn % 2 ? 'assistant' : 'user' }));
  for (let step = 0; step < 4; step++) {
    const data = { type: 'text', text: 'élan 写 🎈 '.repeat(step + 1) + turn };
    part.run('prt_' + id, id, 'ses_1', 5000 + turn, Date.now(), JSON.stringify(data));
  }
  writeSync(1, '.');
  readSync(0, Buffer.alloc(1));
}
database.close();
`;

/** Locks a database until a message arrives. */
const locker = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1]);
database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE session SET title = 'locked'");
console.log('locked');
process.stdin.once('data', () => {
  database.exec('COMMIT');
  database.close();
});
`;
