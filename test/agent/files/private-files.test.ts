import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PictureStore } from '../../../src/agent/attachments/picture-store.ts';
import { SharedFolder } from '../../../src/agent/delegation/shared-files.ts';
import { keepPrivate } from '../../../src/agent/files/private-files.ts';
import { SharedFile } from '../../../src/agent/locks/shared-file.ts';
import { createRemember } from '../../../src/agent/tools/remember.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import { typed } from '../../support/messages.ts';
import { bytesOf, pictures } from '../../support/pictures.ts';
import { noQuestion } from '../../support/no-question.ts';

const never = new AbortController().signal;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'private-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

/** Everything in the folder that someone other than its owner may read, write or enter. */
async function openToOthers(): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const modes = await Promise.all(names.map((name) => modeOf(join(folder, name))));
  return names.filter((_name, index) => ((modes[index] ?? 0) & 0o077) !== 0);
}

describe.skipIf(process.platform === 'win32')('a stored file', () => {
  it.each<readonly [string, () => Promise<unknown>]>([
    [
      'a session',
      async () => {
        const { file } = new SessionStore(join(folder, 'workspace', 'sessions')).create(0);
        await file.append({ type: 'message', message: typed('m1', 'hi') });
        await file.close();
      },
    ],
    [
      'a picture',
      () => new PictureStore(join(folder, 'sessions', 'pictures')).keep(bytesOf(pictures.png), 'image/png'),
    ],
    [
      'a file that sub-agents share',
      async () => {
        const shared = new SharedFolder(join(folder, 'sessions', 'shared'), [], () => 0);
        await shared.accessOf('scout').write('notes.md', 'found');
      },
    ],
    [
      'a note of the memory',
      async () => {
        const memory = { path: join(folder, 'global', 'memory.md'), shown: 'memory.md' };
        const action = await createRemember(memory, () => 0).propose({ text: 'Tabs.' }, never);
        if ('perform' in action)
          await action.perform({ signal: never, callKey: 'a', ask: noQuestion, progress: () => {} });
      },
    ],
    ['an approval', () => new SharedFile(join(folder, 'workspace', 'approvals.json')).change(() => '{}')],
  ])('is readable by its owner alone: %s', async (_what, store) => {
    await store();
    expect((await readdir(folder, { recursive: true })).length).toBeGreaterThan(1);
    expect(await openToOthers()).toEqual([]);
  });

  it('loses the read access that an earlier version gave to other users', async () => {
    await mkdir(join(folder, 'sessions', 'deep'), { recursive: true, mode: 0o755 });
    await writeFile(join(folder, 'sessions', 'deep', 'a.jsonl'), '{}', { mode: 0o644 });
    await chmod(folder, 0o755);
    await keepPrivate(folder);
    expect(await modeOf(folder)).toBe(0o700);
    expect(await openToOthers()).toEqual([]);
  });

  it('does not change the target of a link', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
    await writeFile(join(elsewhere, 'shared.txt'), '', { mode: 0o644 });
    await symlink(join(elsewhere, 'shared.txt'), join(folder, 'link'));
    await chmod(folder, 0o755);
    await keepPrivate(folder);
    expect(await modeOf(folder)).toBe(0o700);
    expect(await modeOf(join(elsewhere, 'shared.txt'))).toBe(0o644);
    await rm(elsewhere, { recursive: true });
  });

  it('keeps its permissions if its path, or a link, is given instead of a folder', async () => {
    await writeFile(join(folder, 'file'), '', { mode: 0o644 });
    await mkdir(join(folder, 'open'), { mode: 0o755 });
    await symlink(join(folder, 'open'), join(folder, 'link'));
    await keepPrivate(join(folder, 'file'));
    await keepPrivate(join(folder, 'link'));
    expect(await modeOf(join(folder, 'file'))).toBe(0o644);
    expect(await modeOf(join(folder, 'open'))).toBe(0o755);
  });

  it('causes no error if it is missing', async () => {
    await expect(keepPrivate(join(folder, 'none'))).resolves.toBeUndefined();
  });
});
