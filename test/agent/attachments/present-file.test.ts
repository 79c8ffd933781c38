import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { presentFileReader } from '../../../src/agent/attachments/present-file.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const signal = new AbortController().signal;

describe('a file restored after a summary', () => {
  it('is read in its current state, under the name that the model should use', async () => {
    await using files = await TemporaryWorkspace.create({ 'src/a.ts': 'one\r\ntwo\n' });
    const read = presentFileReader(new Workspace([files.path]));
    for (const name of ['src/a.ts', './src/../src/a.ts', path.join(files.path, 'src/a.ts')]) {
      expect(await read(name, signal)).toEqual({
        path: 'src/a.ts',
        lines: ['one', 'two'],
        modifiedAt: expect.any(Number) as number,
      });
    }
  });

  it.each([
    ['is gone', 'gone.ts'],
    ['is a directory', 'src'],
    ['lies outside the workspace', '/etc/hostname'],
    ['is reached by a link that leads outside', 'link'],
    ['may hold secrets', '.env'],
    ['is binary', 'picture'],
    ['is large', 'large.txt'],
    ['has an impossible name', 'a\0b'],
  ])('is not read if it %s', async (_why, name) => {
    await using files = await TemporaryWorkspace.create({
      'src/a.ts': 'text',
      '.env': 'KEY=value',
      picture: new Uint8Array([1, 0, 2]),
      'large.txt': 'x'.repeat(200_001),
    });
    await symlink('/etc/hostname', path.join(files.path, 'link'));
    expect(await presentFileReader(new Workspace([files.path]))(name, signal)).toBeUndefined();
  });

  it('is not read if no folder is open', async () => {
    expect(await presentFileReader(new Workspace([]))('a.ts', signal)).toBeUndefined();
  });
});
