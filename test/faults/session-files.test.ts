import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import {
  appendFile,
  chmod,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  rename,
  rm,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { messageOf } from '../../src/compaction/records/reason.ts';
import { databasePath } from '../../src/presenters/import/opencode-database.ts';
import { readerOf } from '../../src/presenters/live/session-reader.ts';
import { formatSamples, opencodeMessages } from '../support/format-samples.ts';
import { writeOpencodeDatabase } from '../support/agents/opencode-database.ts';
import { fault } from './support/fault.ts';
import type { FaultCount } from './support/fault-count.ts';

const secret = 'TEXT OF OUTSIDE';
/** Megabytes that reading a session may take, including those of Node. */
const mostMegabytes = 300;
/** Seconds after which a process counts as hanging, on any busy machine. */
const longest = 120;
const scriptAt = (name: string) => fileURLToPath(new URL(`./support/${name}`, import.meta.url));
const [readsSession, listsSessions] = [scriptAt('read-session.ts'), scriptAt('list-sessions.ts')];
const run = promisify(execFile);
const session = formatSamples['claude-code'] ?? '';
const never = new AbortController().signal;

interface Place {
  readonly folder: string;
  /** Path of the session. */
  readonly path: string;
}

async function inFolder(name: string, work: (place: Place) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'session-files-'));
  try {
    await work({ folder, path: join(folder, name) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Reads a session in a separate process, which must end in time, with little memory and at most one line. */
async function tryReading(
  what: string,
  path: string,
  count: FaultCount,
  isReadable?: boolean,
  program = [readsSession, path],
): Promise<void> {
  count.tried();
  const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', ...program], {
    timeout: longest * 1_000,
    maxBuffer: 1e8,
  }).catch((error: unknown) => ({ stdout: JSON.stringify({ outcome: String(error), megabytes: Infinity }) }));
  const { outcome, megabytes } = JSON.parse(stdout) as { outcome: string; megabytes: number | null };
  const told = `${what}: ${outcome.slice(0, 300)}`;
  if (megabytes === null || megabytes > mostMegabytes) count.harmed(`${told} (${megabytes} MB)`);
  if (outcome.includes(secret)) count.harmed(`${told} (reads outside)`);
  if (isReadable === true && !outcome.startsWith('{')) count.harmed(`${told} (is not read)`);
  if (isReadable === false && outcome.startsWith('{')) count.harmed(`${told} (is read)`);
  if (!outcome.startsWith('{') && (outcome.includes('\n') || outcome.length > 600)) count.harmed(told);
}

/** @param line of a session, with a place for some JSON */
const lineWith = (json: string) =>
  `{"type":"user","uuid":"u99","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"x"},"more":${json}}\n`;
const repeated = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));

/** Texts that are all different. */
function shortMessages(bytes: number, length: number): string {
  return Array.from({ length: Math.floor(bytes / length) }, (_, at) => {
    const uuid = `v${at}`;
    const content = repeated(`word${at} `, length - 100);
    return `${JSON.stringify({ type: 'user', uuid, sessionId: 's', message: { role: 'user', content } })}\n`;
  }).join('');
}

/** Rows with a text, and much more in fields that the reader ignores. */
function repeatingResults(bytes: number): string {
  return Array.from({ length: Math.floor(bytes / 20_000) }, (_, at) => {
    const message = { role: 'user', content: `said ${at}` };
    const toolUseResult = { interrupted: false, originalFile: repeated(`line${at} `, 20_000) };
    return `${JSON.stringify({ type: 'user', uuid: `v${at}`, sessionId: 's', message, toolUseResult })}\n`;
  }).join('');
}

function ownNames(objects: number): string {
  return Array.from({ length: objects / 50_000 }, (_, line) => {
    return lineWith(`[${Array.from({ length: 50_000 }, (_, at) => `{"k${line}_${at}":0}`).join(',')}]`);
  }).join('');
}

describe('the extension survives sessions of other agents', () => {
  const giants: readonly (readonly [string, string, isReadable: boolean])[] = [
    ['a message of 60 MB', lineWith(JSON.stringify('x'.repeat(60_000_000))), true],
    ['a message of 60 MB in Chinese', lineWith(JSON.stringify(repeated('漢字', 20_000_000))), true],
    ['150 MB without a line break', 'x'.repeat(150_000_000), true],
    ['a message of 15 MB', lineWith(JSON.stringify(repeated('some words ', 15_000_000))), true],
    ['lists in a line of 60 MB', lineWith(`[${repeated('[],', 60_000_000)}0]`), true],
    ['lists in many lines', repeated(lineWith(`[${repeated('[],', 900_000)}0]`), 100_000_000), false],
    ['objects with unique field names', ownNames(1_500_000), false],
    ['95 MB of short messages', shortMessages(95_000_000, 1_200), false],
    ['190 MB of short messages', shortMessages(190_000_000, 2_000), false],
    ['45 MB of short messages', shortMessages(45_000_000, 2_000), true],
    ['100 MB of results that repeat their files', repeatingResults(100_000_000), true],
    ['empty objects', repeated('{}\n', 100_000_000), false],
    ['blank lines', repeated('\n', 100_000_000), false],
    ['lines that are not JSON', repeated('{x\n', 100_000_000), false],
    ['JSON 100,000 levels deep', lineWith('['.repeat(100_000) + ']'.repeat(100_000)), true],
    ['an object 100,000 levels deep', lineWith('{"a":'.repeat(100_000) + '0' + '}'.repeat(100_000)), true],
    ['prototype keys', lineWith('{"__proto__":{"said":1},"constructor":{"prototype":{"said":1}}}'), true],
  ];
  fault('session files: 180 MB of values that pretend to be a session of ours', (count) =>
    inFolder('session.jsonl', async ({ path }) => {
      const header = '{"type":"session","version":1,"id":"s","createdAt":"2026-01-05T09:00:01.000Z"}';
      for (const most of [15_000_000, 180_000_000]) {
        await writeFile(path, `${header}\n{"type":"message","more":[${repeated('[],', most)}0]}\n`);
        await tryReading(`${most} bytes`, path, count, false);
      }
    }),
  );

  for (const [what, text, isReadable] of giants) {
    fault(`session files: ${what}`, (count) =>
      inFolder('session.jsonl', async ({ path }) => {
        await writeFile(path, `${session}${text}`);
        await tryReading(what, path, count, isReadable);
      }),
    );
  }

  fault('session files: NULs and holes of up to 5 GB', (count) =>
    inFolder('session.jsonl', async ({ path }) => {
      for (const bytes of [190_000_000, 5_000_000_000]) {
        await writeFile(path, session);
        await truncate(path, bytes);
        await tryReading(`${bytes} bytes`, path, count, bytes < 200_000_000);
      }
    }),
  );

  fault('session files: documents of up to 150 MB', (count) =>
    inFolder('chat.json', async ({ path }) => {
      const document = (content: string) => `[{"role":"user","content":${content}}]`;
      for (const content of [
        JSON.stringify(repeated('some words ', 14_000_000)),
        JSON.stringify('x'.repeat(150_000_000)),
        `[${repeated('[],', 15_000_000)}0]`,
        `[${repeated('[],', 5_900_000)}`,
        '['.repeat(100_000) + ']'.repeat(100_000),
      ]) {
        await writeFile(path, document(content));
        await tryReading(`${content.length} characters`, path, count);
      }
    }),
  );

  fault('session files: links, pipes, devices and folders in place of files', (count) =>
    inFolder('session.jsonl', async ({ folder, path }) => {
      const outside = join(folder, 'outside.jsonl');
      await writeFile(outside, session.replaceAll('read this', secret));
      for (const make of noFiles(outside)) {
        await make(path);
        await tryReading(String(make), path, count, false);
        await rm(path, { recursive: true });
      }
    }),
  );

  fault('session files: replacements of a followed file', (count) =>
    inFolder('session.jsonl', async ({ folder, path }) => {
      const outside = join(folder, 'outside.jsonl');
      await writeFile(outside, `${session}${session.replaceAll('read this', secret)}`);
      const changes = [
        ...noFiles(outside).map((make) => async () => {
          await unlink(path);
          await make(path);
        }),
        () => truncate(path, 0),
        () => truncate(path, 100),
        () => truncate(path, 5_000_000_000),
        () => chmod(path, 0),
        () => rename(path, `${path}.1`),
        () => writeFile(path, '\0'.repeat(1_000_000)),
        () => appendFile(path, '{"half":'),
      ];
      for (const change of changes) {
        count.tried();
        await rm(path, { recursive: true, force: true });
        await writeFile(path, session);
        const reader = readerOf({ path });
        const before = await reader.read(never);
        await change();
        const after = await reader.read(never).catch(messageOf);
        if (JSON.stringify(after ?? '').includes(secret)) count.harmed(`${String(change)}: reads outside`);
        await rm(path, { recursive: true, force: true });
        await writeFile(path, session);
        const again = await reader.read(never).catch(messageOf);
        if (JSON.stringify(again ?? before) !== JSON.stringify(before)) {
          count.harmed(`${String(change)}: ${JSON.stringify(again).slice(0, 200)}`);
        }
      }
    }),
  );

  const manyFiles: Readonly<Record<string, (storage: string) => Promise<void>>> = {
    '900 MB of parts': async (storage) => {
      const part = join(storage, 'part/msg_1/prt_0.json');
      await writeFile(part, `{"type":"text","text":"${repeated('some words ', 15_000_000)}"}`);
      for (let at = 1; at < 60; at++) await link(part, join(dirname(part), `prt_${at}.json`));
    },
    '40,000 parts': async (storage) => {
      for (let at = 0; at < 40_000; at++)
        await writeFile(join(storage, `part/msg_1/prt_${at}.json`), '{"type":"text","text":"a"}');
    },
    '40 sub-agents of 15 MB': async (storage) => {
      for (let at = 2; at < 42; at++)
        await writeFile(
          join(storage, `session/p/ses_${at}.json`),
          `{"parentID":"ses_1","more":"${'x'.repeat(15_000_000)}"}`,
        );
    },
  };
  for (const [what, write] of Object.entries(manyFiles)) {
    fault(`session files: a folder of files with ${what}`, (count) =>
      inFolder('storage', async ({ path: storage }) => {
        const path = join(storage, 'session/p/ses_1.json');
        for (const folder of ['session/p', 'message/ses_1', 'part/msg_1'])
          await mkdir(join(storage, folder), { recursive: true });
        await writeFile(path, '{"id":"ses_1"}');
        await writeFile(join(storage, 'message/ses_1/msg_1.json'), '{"role":"user"}');
        await write(storage);
        await tryReading(what, path, count, false);
      }),
    );
  }

  for (const [what, folderOf] of [
    ['sub-agents', (project: string) => join(project, '11111111-1111-4111-8111-111111111111/subagents')],
    ['sessions', (project: string) => project],
  ] as const) {
    fault(`session files: 150,000 files of ${what} in a folder`, (count) =>
      inFolder('home', async ({ folder, path: home }) => {
        const project = join(home, '.claude/projects/-w');
        await mkdir(folderOf(project), { recursive: true });
        const file = join(project, '11111111-1111-4111-8111-111111111111.jsonl');
        await writeFile(file, session.replaceAll(/"cwd":"[^"]*"/gu, `"cwd":${JSON.stringify(folder)}`));
        for (let at = 0; at < 150_000; at++) {
          const other = join(folderOf(project), `${what === 'sessions' ? '' : 'agent-'}${at}.jsonl`);
          // The file system limits the number of names of a file.
          if (at % 30_000 === 0) await copyFile(file, other);
          else
            await link(
              join(dirname(other), basename(other).replace(/\d+/u, String(at - (at % 30_000)))),
              other,
            );
        }
        await tryReading(what, home, count, true, [listsSessions, home, folder]);
      }),
    );
  }

  fault('session files: growth beyond the limit for reading', (count) =>
    inFolder('session.jsonl', async ({ path }) => {
      await writeFile(path, session);
      const reader = readerOf({ path });
      const before = await reader.read(never);
      for (let size = 20_000_000; size < 2_000_000_000; size *= 3) {
        count.tried();
        await truncate(path, size);
        const read = await reader.read(never).catch(messageOf);
        const isTold =
          typeof read === 'string' ? read.includes('MB') : read?.entries.length === before?.entries.length;
        if (!isTold) count.harmed(`${size} bytes: ${JSON.stringify(read).slice(0, 200)}`);
      }
    }),
  );
});

/** Functions that create something other than a file. */
function noFiles(outside: string): readonly ((path: string) => Promise<unknown>)[] {
  return [
    (path) => symlink(outside, path),
    (path) => symlink('/dev/zero', path),
    (path) => symlink(path, path),
    (path) => Promise.resolve(execFileSync('mkfifo', [path])),
    (path) => mkdir(path),
  ];
}

describe('the extension survives databases of other agents', () => {
  const messages = [
    { ...opencodeMessages[0]!, parts: [{ type: 'text', text: 'read this' }] },
    ...opencodeMessages.slice(1, 2),
  ];
  const tables = ['session', 'message', 'part'] as const;
  const aside = (table: string) => `ALTER TABLE ${table} RENAME TO ${table}_kept;`;
  const endless = `WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n)`;
  /** Changes of a database before it is read, and whether its session can be read then. */
  const kinds: readonly (readonly [string, string, isReadable?: boolean])[] = [
    ...tables.map(
      (table) =>
        [
          `a view in place of ${table}`,
          `${aside(table)} CREATE VIEW ${table} AS SELECT * FROM ${table}_kept;`,
          false,
        ] as const,
    ),
    ...tables.map(
      (table) =>
        [
          `an endless view in place of ${table}`,
          `${aside(table)} CREATE VIEW ${table} AS ${endless} SELECT i AS id, 'ses_1' AS session_id, i AS parent_id, '' AS title,
             '' AS directory, 0 AS time_created, 0 AS time_updated, 'x' AS data, 'x' AS message_id FROM n;`,
          false,
        ] as const,
    ),
    [
      'triggers',
      tables
        .map((table) => `CREATE TRIGGER t_${table} AFTER INSERT ON ${table} BEGIN DELETE FROM session; END;`)
        .join(''),
      true,
    ],
    ['a generated column', `ALTER TABLE part ADD COLUMN made TEXT AS (hex(zeroblob(400000000)));`, false],
    [
      'a generated column in place of the text',
      `ALTER TABLE part DROP COLUMN data; ALTER TABLE part ADD COLUMN data TEXT AS (printf('%.*c', 900000000, 'x'));`,
      false,
    ],
    [
      'a virtual table',
      `${aside('part')} CREATE VIRTUAL TABLE part USING fts5(id, message_id, session_id, time_created, time_updated, data);`,
      false,
    ],
    ['a text of 300 MB', `UPDATE part SET data = printf('%.*c', 300000000, 'x');`, false],
    ['a blob of 300 MB', `UPDATE part SET data = zeroblob(300000000);`],
    ['a title of 300 MB', `UPDATE session SET title = printf('%.*c', 300000000, 'x');`],
    [
      'blobs as ids',
      `UPDATE session SET title = zeroblob(9000000), directory = zeroblob(9000000), version = zeroblob(9000000);`,
    ],
    [
      'large numbers',
      `UPDATE part SET time_updated = 9223372036854775807; UPDATE session SET time_updated = 9223372036854775807;`,
    ],
    [
      '400,000 parts',
      `${endless} INSERT INTO part SELECT 'p' || i, 'msg_ses_1_0', 'ses_1', i, i, '{"type":"text","text":"' || i || '"}' FROM n LIMIT 400000;`,
      false,
    ],
    [
      '100 MB of parts',
      `${endless} INSERT INTO part SELECT 'p' || i, 'msg_ses_1_0', 'ses_1', i, i, '{"type":"text","text":"' || printf('%.*c', 1000000, 'x') || '"}' FROM n LIMIT 100;`,
      false,
    ],
    [
      '200,000 sessions',
      `${endless} INSERT INTO session SELECT 'ses_x' || i, 'p', 'ses_1', '/projects/here', 't', '1', NULL, i, i FROM n LIMIT 200000;`,
    ],
    [
      'sessions that name each other as their parent',
      `UPDATE session SET parent_id = id; INSERT INTO session SELECT 'ses_2', 'p', 'ses_1', '', '', '1', NULL, 1, 1; UPDATE session SET parent_id = 'ses_2' WHERE id = 'ses_1';`,
      true,
    ],
    ['an id with a path', `UPDATE session SET id = '../../outside', directory = '/../../outside';`, false],
  ];
  for (const [what, change, isReadable] of kinds) {
    fault(`databases: ${what}`, (count) =>
      inFolder('opencode.db', async ({ folder, path }) => {
        writeOpencodeDatabase(path, [{ id: 'ses_1', title: 'a', changedAt: 1_000, messages }]);
        const database = new DatabaseSync(path);
        try {
          database.exec(`PRAGMA journal_mode = DELETE; PRAGMA legacy_alter_table = ON; ${change}`);
        } finally {
          database.close();
        }
        await tryUnchanged(what, { folder, path }, count, isReadable);
      }),
    );
  }

  fault('databases: damaged, truncated, or with foreign logs and journals', (count) =>
    inFolder('opencode.db', async ({ folder, path }) => {
      const write = () =>
        writeOpencodeDatabase(path, [{ id: 'ses_1', title: 'a', changedAt: 1_000, messages }]);
      write();
      const whole = readFileSync(path);
      const log = Buffer.alloc(32);
      log.writeUInt32BE(0x377f0682, 0);
      log.writeUInt32BE(0xfffffff8, 8);
      checksum(log);
      const outside = join(dirname(folder), 'outside');
      const damages: readonly (() => unknown)[] = [
        () => truncate(path, 5_000),
        () => truncate(path, 5_000_000_000),
        () => writeFile(path, Buffer.from(whole).fill(7, 100)),
        () => writeFile(path, Buffer.from(whole).fill(0, 4_096, 8_192)),
        ...[16, 18, 20, 28, 36, 44, 56, 100, 103, 105, 108].map((at) => () => {
          const other = Buffer.from(whole);
          other.fill(0xff, at, at + 2);
          return writeFile(path, other);
        }),
        // The log states that its pages have four gigabytes.
        () => writeFile(`${path}-wal`, log),
        () => writeFile(`${path}-wal`, '').then(() => truncate(`${path}-wal`, 5_000_000_000)),
        () => execFileSync('mkfifo', [`${path}-wal`]),
        () => execFileSync('mkfifo', [`${path}-journal`]),
        () => symlink('/dev/zero', `${path}-wal`),
        () => symlink('/dev/zero', `${path}-journal`),
        () => symlink(outside, `${path}-wal`),
        () => mkdir(`${path}-wal`),
      ];
      for (const damage of damages) {
        for (const name of readdirSync(folder)) await rm(join(folder, name), { recursive: true });
        write();
        await damage();
        await tryUnchanged(String(damage), { folder, path }, count);
      }
    }),
  );

  async function tryUnchanged(
    what: string,
    { folder, path }: Place,
    count: FaultCount,
    isReadable?: boolean,
  ): Promise<void> {
    const state = () =>
      readdirSync(folder).map((name) => {
        const described = existsSync(join(folder, name)) ? statSync(join(folder, name)) : undefined;
        return `${name} ${described?.size} ${described?.mtimeMs}`;
      });
    const before = state();
    await tryReading(what, databasePath(path, 'ses_1'), count, isReadable);
    if (String(state()) !== String(before)) count.harmed(`${what}: something was written`);
  }
});

/** Writes the checksum of the header of a log: https://sqlite.org/fileformat2.html#checksum_algorithm */
function checksum(log: Buffer): void {
  let [one, other] = [0, 0];
  for (let at = 0; at < 24; at += 8) {
    one = (one + log.readUInt32LE(at) + other) >>> 0;
    other = (other + log.readUInt32LE(at + 4) + one) >>> 0;
  }
  log.writeUInt32BE(one, 24);
  log.writeUInt32BE(other, 28);
}
