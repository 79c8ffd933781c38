import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  announce,
  announceCall,
  announcedAt,
  claimAnswer,
  ensureFolder,
  isAnnounced,
  isOwnFolder,
  notedTranscript,
  noteFile,
  readNote,
  withdraw,
  writeNote,
} from '../../../src/bridge/hooks/note-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notes-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const path = '/sessions/s1.jsonl';
const modeOf = async (place: string) => (await stat(place)).mode & 0o777;

describe('ensureFolder', () => {
  it('creates a folder and its parents for the owner alone', async () => {
    const nested = join(folder, 'a', 'b', 'c');
    await ensureFolder(nested);
    for (const place of [nested, join(folder, 'a', 'b'), join(folder, 'a')]) {
      expect(await modeOf(place)).toBe(0o700);
    }
  });

  it('keeps an existing folder, and works for parallel callers', async () => {
    const nested = join(folder, 'a', 'b');
    await Promise.all([ensureFolder(nested), ensureFolder(nested), ensureFolder(nested)]);
    await writeFile(join(nested, 'kept'), '');
    await ensureFolder(nested);
    expect(await readdir(nested)).toEqual(['kept']);
  });

  it('fails if a parent is a file', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(ensureFolder(join(folder, 'file', 'a'))).rejects.toThrow('ENOTDIR');
  });
});

describe('isOwnFolder', () => {
  it('accepts a folder that does not exist yet, and a file, whose use fails later', async () => {
    expect(await isOwnFolder(join(folder, 'missing'))).toBe(true);
    await writeFile(join(folder, 'file'), '', { mode: 0o644 });
    expect(await isOwnFolder(join(folder, 'file'))).toBe(true);
    expect(await modeOf(join(folder, 'file'))).toBe(0o644);
  });

  it.each([0o777, 0o750, 0o701, 0o700])('closes its own folder to all other users: %o', async (mode) => {
    await chmod(folder, mode);
    expect(await isOwnFolder(folder)).toBe(true);
    expect(await modeOf(folder)).toBe(0o700);
  });

  it('neither accepts nor changes the folder of another user', async () => {
    await chmod(folder, 0o755);
    vi.spyOn(process, 'geteuid').mockReturnValue((await stat(folder)).uid + 1);
    expect(await isOwnFolder(folder)).toBe(false);
    expect(await modeOf(folder)).toBe(0o755);
  });
});

describe('a note', () => {
  it('has a file name for each name and kind, which does not contain the name', () => {
    const names = [
      noteFile(folder, 's1', 'notes'),
      noteFile(folder, 's1', 'pending'),
      noteFile(folder, '../s2', 'notes'),
    ];
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name.slice(folder.length)).toMatch(/^.[\da-f]{32}\.[a-z]+\.json$/u);
  });

  it('is read as it was written', async () => {
    await writeNote(join(folder, 'n.json'), { text: 'a', list: [1] });
    expect(await readNote(join(folder, 'n.json'))).toMatchObject({ text: 'a', list: [1] });
  });

  it.each([
    ['is missing', () => Promise.resolve()],
    ['is a folder', (file: string) => mkdir(file)],
    ['is a pipe', (file: string) => promisify(execFile)('mkfifo', [file])],
    ['is not JSON', (file: string) => writeFile(file, '{"before":')],
    ['has no seal', (file: string) => writeFile(file, '{"text":"a"}')],
    [
      'has another content than its seal says',
      (file: string) => writeFile(file, `{"seal":"${'a'.repeat(22)}","before":1}`),
    ],
    [
      'is larger than any note',
      async (file: string) => {
        await writeFile(file, '{"before":1}');
        await truncate(file, 40_000_001);
      },
    ],
  ])('is rejected at once if it %s', async (_what, make) => {
    await make(join(folder, 'n.json'));
    expect(await readNote(join(folder, 'n.json'))).toBeUndefined();
  });

  it.each(['{"before":1}', '{"transcript":"/s"}', '{"wasMissing":true}'])(
    'of a version without seals is read: %s',
    async (text) => {
      await writeFile(join(folder, 'n.json'), text);
      expect(await readNote(join(folder, 'n.json'))).toEqual(JSON.parse(text));
    },
  );
});

describe('an announced compaction', () => {
  it('has the size of the session before it, until it is withdrawn', async () => {
    expect(await announcedAt(folder, path)).toBeUndefined();
    await announce(folder, path, 700);
    expect(isAnnounced(folder, path)).toBe(true);
    expect(await announcedAt(folder, path)).toBe(700);
    expect(isAnnounced(folder, '/sessions/s2.jsonl')).toBe(false);
    await withdraw(folder, path);
    expect(isAnnounced(folder, path)).toBe(false);
    expect(await announcedAt(folder, path)).toBeUndefined();
  });

  it.each([
    ['is damaged', '{"before":'],
    ['has no size', '{"before":null}'],
    ['has a negative size', '{"before":-1}'],
  ])('counts from the beginning of the session if its note %s', async (_what, text) => {
    await writeFile(noteFile(folder, path, 'pending'), text);
    expect(await announcedAt(folder, path)).toBe(0);
  });

  it('can be withdrawn twice, and even if a folder has the name of its note', async () => {
    await mkdir(noteFile(folder, path, 'pending'));
    await withdraw(folder, path);
    await withdraw(folder, path);
    expect(isAnnounced(folder, path)).toBe(false);
  });
});

describe('claimAnswer', () => {
  it('succeeds once for each compaction of each session', async () => {
    const claims = await Promise.all(Array.from({ length: 5 }, () => claimAnswer(folder, path, 'k1')));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimAnswer(folder, path, 'k2')).toBe(true);
    expect(await claimAnswer(folder, '/sessions/s2.jsonl', 'k1')).toBe(true);
  });

  it('leaves a file that only its owner can read', async () => {
    await claimAnswer(folder, path, 'k1');
    const [name = ''] = await readdir(folder);
    expect(await modeOf(join(folder, name))).toBe(0o600);
  });

  it('fails if the folder is missing', async () => {
    await expect(claimAnswer(join(folder, 'missing'), path, 'k1')).rejects.toThrow('ENOENT');
  });
});

describe('the path of a session', () => {
  it('is stored by the id of the session when its compaction is announced', async () => {
    await announceCall(folder, { session: 's1', transcript: path }, 0);
    expect(await notedTranscript(folder, 's1')).toBe(path);
    expect(await notedTranscript(folder, 's2')).toBeUndefined();
  });

  it('is not read from a note without a path', async () => {
    await writeNote(noteFile(folder, 's1', 'session'), { transcript: 3 });
    expect(await notedTranscript(folder, 's1')).toBeUndefined();
  });
});
