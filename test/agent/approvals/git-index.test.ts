import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readIndex, trackedPaths } from '../../../src/agent/approvals/git-index.ts';
import { hasGit } from '../../support/installed-git.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const names = ['a', 'src/a.ts', 'src/ab.ts', `src/${'x'.repeat(200)}/y`, 'z.md', 'äöü/b c.ts'];

async function repository() {
  const files = await TemporaryWorkspace.create(Object.fromEntries(names.map((name) => [name, name])));
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
      cwd: files.path,
      stdio: 'pipe',
    });
  git('init', '--quiet');
  git('add', '.');
  return { files, git, index: files.at('.git/index') };
}

describe.skipIf(!hasGit)('trackedPaths', () => {
  it.each(['2', '4'])('reads an index of version %s', async (version) => {
    const { files, git, index } = await repository();
    await using _files = files;
    git('update-index', '--index-version', version);
    expect(trackedPaths(index)).toEqual(names);
    git('commit', '--quiet', '--message=x');
    git('add', '--intent-to-add', '.');
    git('rm', '--quiet', '--cached', 'a');
    expect(trackedPaths(index)).toEqual(names.slice(1));
    git('update-index', '--skip-worktree', 'src/a.ts');
    expect(trackedPaths(index)).toEqual(names.slice(1));
  });

  it('does not follow the references of a split index', async () => {
    const { files, git, index } = await repository();
    await using _files = files;
    git('update-index', '--split-index');
    expect(trackedPaths(index)).toBeUndefined();
  });

  it('does not read the files of a submodule', async () => {
    const { files, git, index } = await repository();
    await using _files = files;
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    expect(trackedPaths(index)).toBeUndefined();
  });

  it('rejects an index that is missing, truncated or changed in one bit', async () => {
    const { files, index } = await repository();
    await using _files = files;
    const whole = await readFile(index);
    for (let at = 0; at < whole.length; at += 7) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1;
      await writeFile(index, at % 2 === 0 ? damaged : whole.subarray(0, at));
      expect(trackedPaths(index)).toBeUndefined();
    }
    expect(trackedPaths(files.at('none'))).toBeUndefined();
  });
});

/** Parts of an index file, each valid by default. */
interface IndexParts {
  readonly signature?: string;
  readonly version?: number;
  readonly count?: number;
  readonly entries?: readonly Buffer[];
  readonly extensions?: Buffer;
}

/** An entry of version 2 or 3, padded to a multiple of eight bytes. */
function entry(name: string, { mode = 0o100644, isExtended = false } = {}): Buffer {
  const head = Buffer.alloc(isExtended ? 64 : 62);
  head.writeUInt32BE(mode, 24);
  head.writeUInt16BE(Buffer.byteLength(name) | (isExtended ? 0x4000 : 0), 60);
  const length = head.length + Buffer.byteLength(name);
  return Buffer.concat([head, Buffer.from(name), Buffer.alloc((Math.floor(length / 8) + 1) * 8 - length)]);
}

/** An entry of version 4, which shares the beginning of its name with the previous entry. */
function shortEntry(dropped: readonly number[], rest: string): Buffer {
  return Buffer.concat([Buffer.alloc(62), Buffer.from(dropped), Buffer.from(`${rest}\0`)]);
}

function extension(name: string, content: string, size = content.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32BE(size, 4);
  return Buffer.concat([head, Buffer.from(content)]);
}

describe('an index file', () => {
  async function read({
    signature = 'DIRC',
    version = 2,
    entries = [],
    count = entries.length,
    extensions = Buffer.alloc(0),
  }: IndexParts) {
    await using files = await TemporaryWorkspace.create();
    const head = Buffer.alloc(12);
    head.write(signature, 'latin1');
    head.writeUInt32BE(version, 4);
    head.writeUInt32BE(count, 8);
    const content = Buffer.concat([head, ...entries, extensions]);
    await files.write('index', Buffer.concat([content, createHash('sha1').update(content).digest()]));
    return readIndex(files.at('index'));
  }

  it('may be empty', async () => {
    expect(await read({})).toEqual({ files: [], submodules: [] });
  });

  it.each([2, 3])('of version %s has files and submodules', async (version) => {
    const entries = [
      entry('a'),
      entry('bb/c', { isExtended: true }),
      entry('1234567890'),
      entry('sub', { mode: 0o160000 }),
      entry('link', { mode: 0o120000 }),
    ];
    expect(await read({ version, entries })).toEqual({
      files: ['a', 'bb/c', '1234567890', 'link'],
      submodules: ['sub'],
    });
  });

  it('of version 4 has names that begin like the previous name', async () => {
    const entries = [shortEntry([0], 'src/a.ts'), shortEntry([4], 'b.ts'), shortEntry([8], 'z')];
    expect((await read({ version: 4, entries }))?.files).toEqual(['src/a.ts', 'src/b.ts', 'z']);
  });

  it('of version 4 may share long names', async () => {
    const long = 'x'.repeat(20_000);
    const entries = [shortEntry([0], `s/${long}`), shortEntry([0x80, 0x9b, 0x20], 'y'), shortEntry([1], 'z')];
    const [, second = '', third] = (await read({ version: 4, entries }))?.files ?? [];
    expect(second).toMatch(/^s\/x*y$/u);
    expect(second.length).toBe(20_002 - (((0 + 1) * 128 + 0x1b + 1) * 128 + 0x20) + 1);
    expect(third).toBe(second.replace('y', 'z'));
  });

  it.each(['TREE', 'REUC', 'UNTR', 'FSMN', 'EOIE', 'IEOT'])('may have the extension %s', async (name) => {
    const extensions = Buffer.concat([extension(name, 'content'), extension('TREE', '')]);
    expect(await read({ entries: [entry('a')], extensions })).toEqual({ files: ['a'], submodules: [] });
  });

  it.each<[string, IndexParts]>([
    ['another signature', { signature: 'DIRX' }],
    ['an older version', { version: 1 }],
    ['a newer version', { version: 5 }],
    ['fewer entries than it says', { entries: [entry('a')], count: 2 }],
    ['an entry that ends within its head', { entries: [entry('a').subarray(0, 60)] }],
    ['a name without an end', { entries: [Buffer.concat([Buffer.alloc(62, 1), Buffer.from('abc')])] }],
    [
      'a name shorter than what it drops',
      { version: 4, entries: [shortEntry([0], 'a'), shortEntry([2], 'b')] },
    ],
    [
      'a name that drops without an end',
      { version: 4, entries: [Buffer.concat([Buffer.alloc(62), Buffer.from([0x80])])] },
    ],
    ['an extension that changes the meaning of entries', { extensions: extension('link', '') }],
    ['a sparse index', { extensions: extension('sdir', '') }],
    ['an extension that is cut', { extensions: extension('TREE', 'ab', 3) }],
    ['bytes after the last extension', { extensions: Buffer.from('TREE') }],
  ])('is not read with %s', async (_what, parts) => {
    expect(await read(parts)).toBeUndefined();
  });

  it('is not read if it is too small or too large', async () => {
    await using files = await TemporaryWorkspace.create({ small: 'DIRC', empty: '' });
    expect([readIndex(files.at('small')), readIndex(files.at('empty'))]).toEqual([undefined, undefined]);
    await truncate(files.at('small'), 50_000_001);
    expect(readIndex(files.at('small'))).toBeUndefined();
  });
});
