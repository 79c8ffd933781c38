import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StateFile } from '../../../src/presenters/storage/state-file.ts';

describe('StateFile', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'state-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const open = () => new StateFile(join(folder, 'new', 'state.json'));

  it('is on disk once a call resolves', async () => {
    const state = open();
    await state.setActive('s1');
    await state.setDraft('s1', 'half a thought');
    expect(await open().active()).toBe('s1');
    expect(await open().draftOf('s1')).toBe('half a thought');
  });

  it('keeps the last of several simultaneous changes, and leaves no temporary file', async () => {
    const state = open();
    await Promise.all(['a', 'ab', 'abc'].map((text) => state.setDraft('s1', text)));
    expect(await open().draftOf('s1')).toBe('abc');
    expect(await readdir(join(folder, 'new'))).toEqual(['state.json']);
  });

  it('keeps the changes that another window writes at the same time', async () => {
    const windows = [open(), open(), open()];
    await Promise.all(
      windows.flatMap((window, number) =>
        Array.from({ length: 5 }, (_, draft) => window.setDraft(`s${number}-${draft}`, 'a thought')),
      ),
    );
    await windows[0]!.setActive('s1');
    const drafts = windows.flatMap((_, number) =>
      Array.from({ length: 5 }, (__, draft) => `s${number}-${draft}`),
    );
    for (const id of drafts) expect(await windows[1]!.draftOf(id), id).toBe('a thought');
    expect(await windows[2]!.active()).toBe('s1');
  });

  it('keeps the chat opened last, no matter how often another was opened before', async () => {
    const state = open();
    await state.setActive('s2');
    await Promise.all(['s1', 's1', 's2'].map((id) => state.setActive(id)));
    expect(await state.active()).toBe('s2');
  });

  it('is not rewritten without a change', async () => {
    const state = open();
    await state.setActive('s1');
    const { ino } = await stat(join(folder, 'new', 'state.json'));
    await state.setActive('s1');
    expect((await stat(join(folder, 'new', 'state.json'))).ino).toBe(ino);
  });

  it('forgets an empty draft', async () => {
    const state = open();
    await state.setDraft('s1', 'x');
    await state.setDraft('s1', '');
    expect(await open().draftOf('s1')).toBe('');
  });

  it.each([undefined, '{"active":', '3', '{"active":3,"drafts":{"s1":3}}'])(
    'reads %s as empty',
    async (text) => {
      const path = join(folder, 'state.json');
      if (text !== undefined) await writeFile(path, text);
      const state = new StateFile(path);
      expect(await state.active()).toBeUndefined();
      expect(await state.draftOf('s1')).toBe('');
    },
  );
});
