import {
  appendFile,
  chmod,
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HeldElsewhereError, newOwner } from '../../../src/agent/locks/session-lock.ts';
import type { Durability } from '../../../src/presenters/storage/durability.ts';
import {
  OutdatedSessionError,
  type Rewritten,
  type SessionFile,
} from '../../../src/presenters/storage/session-file.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import type { SessionEvent } from '../../../src/transcripts/session/session-event.ts';
import { recordWith } from '../../support/records.ts';
import { called, result, said, typed } from '../../support/messages.ts';

const now = Date.UTC(2026, 0, 1);
const message = (id: string, text = 'hi'): SessionEvent => ({ type: 'message', message: typed(id, text) });

describe('SessionFile', () => {
  let folder: string;
  let store: SessionStore;
  let durability: Durability;
  let notices: Rewritten[];
  let id: string;
  let file: SessionFile;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'session-file-'));
    durability = 'none';
    notices = [];
    store = new SessionStore(folder, {
      durability: () => durability,
      rewritten: (notice) => notices.push(notice),
    });
    ({ id, file } = store.create(now));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await file.close();
    await rm(folder, { recursive: true });
  });
  const path = () => join(folder, `${id}.jsonl`);
  const idsOf = async (session = id) => {
    const { contents } = (await store.open(session))!;
    return contents.entries.map((entry) => (entry.type === 'message' ? entry.message.id : entry.type));
  };

  /** Replaces a method of the handle that the file has open. */
  async function onHandles(change: (handle: FileHandle) => void): Promise<void> {
    const probe = await import('node:fs/promises').then(({ open }) => open(path(), 'a+'));
    change(Object.getPrototypeOf(probe) as FileHandle);
    await probe.close();
  }
  const noSpace = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

  /** Writes part of the data and fails, like a full disk. */
  const fillDisk = () =>
    onHandles((handles) => {
      vi.spyOn(handles, 'appendFile').mockImplementationOnce(async function (this: FileHandle, data) {
        await this.write((data as Buffer).subarray(0, 25));
        throw noSpace();
      });
    });

  it('removes what a failed write left, so that the next line is separate', async () => {
    await file.append(message('m1'));
    const before = await readFile(path(), 'utf8');
    await fillDisk();
    await expect(file.append(message('m2'))).rejects.toThrow('no space left');
    expect(await readFile(path(), 'utf8')).toBe(before);
    await file.append(message('m3'));
    expect(await idsOf()).toEqual(['m1', 'm3']);
  });

  it('ends a partial line with a line feed if it cannot be removed', async () => {
    await file.append(message('m1'));
    await fillDisk();
    await onHandles((handles) => {
      vi.spyOn(handles, 'truncate').mockRejectedValue(new Error('operation not permitted'));
    });
    await expect(file.append(message('m2'))).rejects.toThrow('no space left');
    await file.append(message('m3'));
    expect(await idsOf()).toEqual(['m1', 'm3']);
    expect((await store.open(id))!.contents.problems).toEqual(['Line 3 was skipped: it is not valid JSON.']);
  });

  it('leaves no file if the first write fails, and begins again with the next line', async () => {
    await file.append(message('m1'));
    await fillDisk();
    const second = store.create(now);
    await expect(second.file.append(message('m1'))).rejects.toThrow('no space left');
    expect(await store.list()).toMatchObject([{ id }]);
    await second.file.append(message('m2'));
    await second.file.close();
    expect((await store.open(second.id))!.contents).toMatchObject({
      header: { id: second.id },
      problems: [],
      entries: [{ message: { id: 'm2' } }],
    });
  });

  it('tries again to open a file that could not be opened', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'no folder');
    await expect(file.append(message('m1'))).rejects.toThrow();
    await rm(folder);
    await file.append(message('m2'));
    expect(await idsOf()).toEqual(['m2']);
  });

  it('rewrites a session whose file was deleted', async () => {
    await file.append({ type: 'title', title: 'Hi' }, message('m1'));
    await rm(path());
    await file.append(message('m2'));
    expect(await idsOf()).toEqual(['m1', 'm2']);
    expect((await store.open(id))!.contents).toMatchObject({ header: { id }, title: 'Hi', problems: [] });
    expect(notices).toEqual([{ path: path(), damage: 'deleted', aside: undefined }]);
  });

  it('rewrites a session whose folder was deleted', async () => {
    await file.append(message('m1'));
    await rm(folder, { recursive: true });
    await file.append(message('m2'));
    expect(await idsOf()).toEqual(['m1', 'm2']);
  });

  const damages: Readonly<Record<string, () => Promise<void>>> = {
    replaced: async () => {
      await writeFile(join(folder, 'other'), '{"type":"title","title":"theirs"}\n');
      await rename(join(folder, 'other'), path());
    },
    'written over': () => writeFile(path(), '{"type":"title","title":"theirs"}\n'),
    'cut off': () => truncate(path(), 10),
    emptied: () => truncate(path(), 0),
    'changed in one byte': async () => {
      const text = await readFile(path(), 'utf8');
      await writeFile(path(), text.replace('person', 'parson'));
    },
    'written to by another program': () => appendFile(path(), `${JSON.stringify(message('m2', 'theirs'))}\n`),
    'made read-only': () => chmod(path(), 0o444),
  };

  it.each(Object.keys(damages))('keeps both versions if the file was %s', async (what) => {
    await file.append(message('m1'), { type: 'title', title: 'ours' });
    await damages[what]!();
    const theirs = await readFile(path(), 'utf8');
    await file.append(message('m2', 'ours'));
    await file.append(message('m3', 'ours'));
    expect(await idsOf()).toEqual(['m1', 'm2', 'm3']);
    expect((await store.open(id))!.contents).toMatchObject({ title: 'ours', problems: [] });
    expect(notices).toHaveLength(1);
    expect(await readFile(notices[0]!.aside!, 'utf8')).toBe(theirs);
    expect(await store.list()).toHaveLength(2);
  });

  it('continues in a file that was replaced by a copy of it', async () => {
    await file.append(message('m1'));
    await copyFile(path(), join(folder, 'copy'));
    await rename(join(folder, 'copy'), path());
    await file.append(message('m2'));
    expect(await idsOf()).toEqual(['m1', 'm2']);
    expect(notices).toEqual([]);
  });

  it('continues after a title written by a window of an earlier version', async () => {
    await file.append(message('m1'));
    await appendFile(path(), '{"type":"title","title":"renamed"}\n');
    await file.append(message('m2'));
    expect((await store.open(id))!.contents.title).toBe('renamed');
    expect(notices).toEqual([]);
  });

  it('notices a change between reading the file and writing the first line', async () => {
    await file.append(message('m1'));
    await file.close();
    const opened = (await store.open(id))!;
    await truncate(path(), 0);
    await opened.file.append(message('m2'));
    await opened.file.close();
    expect(await idsOf()).toEqual(['m1', 'm2']);
    expect(notices).toMatchObject([{ damage: 'changed' }]);
  });

  it('is only appended to, and only read once', async () => {
    await file.append(message('m1'));
    await file.close();
    const before = await readFile(path());
    const { ino } = await stat(path());
    ({ file } = (await store.open(id))!);
    const read = vi.fn();
    await onHandles((handles) => {
      vi.spyOn(handles, 'read').mockImplementation(read);
    });
    await file.append(message('m2'));
    await file.append(message('m3'));
    expect((await stat(path())).ino).toBe(ino);
    expect((await readFile(path())).subarray(0, before.length)).toEqual(before);
    expect(read).not.toHaveBeenCalled();
  });

  it('loses nothing if a rewrite fails, and tries again with the next line', async () => {
    await file.append(message('m1'));
    await truncate(path(), 0);
    const nextPath = vi.spyOn(store, 'pathOf').mockReturnValueOnce(join(path(), 'impossible'));
    await expect(file.append(message('m2'))).rejects.toThrow();
    nextPath.mockRestore();
    await file.append(message('m3'));
    expect(await idsOf()).toEqual(['m1', 'm3']);
  });

  describe('with another writer on the same session', () => {
    const other = () => new SessionStore(folder, { windowName: () => 'other' });

    it('is written only by the first writer until this writer closes it', async () => {
      await file.append(message('m1'));
      const second = (await other().open(id))!;
      await expect(second.file.append(message('m2'))).rejects.toThrow(HeldElsewhereError);
      await expect(other().append(id, { type: 'title', title: 'theirs' })).rejects.toThrow(
        HeldElsewhereError,
      );
      await expect(other().delete(id)).rejects.toThrow('open in another window');
      await file.append(message('m3'));
      await file.close();
      expect(await idsOf()).toEqual(['m1', 'm3']);
      await other().append(id, { type: 'title', title: 'theirs' });
      expect(await store.list()).toMatchObject([{ title: 'theirs' }]);
      expect(await readdir(folder)).toEqual([`${id}.jsonl`]);
    });

    it('is not written by a writer that read the file before the other wrote', async () => {
      await file.append(message('m1'));
      const second = (await other().open(id))!;
      await file.append(message('m2', 'said meanwhile'));
      await file.close();
      await expect(second.file.append(message('m2'))).rejects.toThrow(OutdatedSessionError);
      await second.file.close();
      expect(notices).toEqual([]);
      const third = (await other().open(id))!;
      await third.file.append(message('m3'));
      await third.file.close();
      expect(await idsOf()).toEqual(['m1', 'm2', 'm3']);
    });

    it('acknowledges no line once another writer has the lock', async () => {
      await file.append(message('m1'));
      await writeFile(`${path()}.owner`, JSON.stringify(newOwner('other')));
      await expect(file.append(message('m2'))).rejects.toThrow(HeldElsewhereError);
      await expect(file.append(message('m3'))).rejects.toThrow(HeldElsewhereError);
      expect(await idsOf()).toEqual(['m1']);
    });
  });

  it('writes one line after the other, even if callers do not wait', async () => {
    const many = Array.from({ length: 50 }, (_, index) => `m${index + 1}`);
    await Promise.all(many.map((name) => file.append(message(name))));
    expect(await idsOf()).toEqual(many);
  });

  it('refuses values that are not JSON, and continues', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const event = { type: 'message', message: { ...typed('m1', 'hi'), deep } } as SessionEvent;
    await expect(file.append(event)).rejects.toThrow(RangeError);
    await file.append(message('m2'));
    expect(await idsOf()).toEqual(['m2']);
  });

  describe('flushing to the disk', () => {
    const answer: SessionEvent = { type: 'message', message: said('m3', 'done') };
    const events: readonly SessionEvent[] = [
      message('m1'),
      { type: 'message', message: called('m2', ['k1', 'read_file']) },
      { type: 'message', message: result('m4', 'k1', 'text') },
      answer,
      { type: 'compaction', record: recordWith('c1', [], []) },
      { type: 'title', title: 'Hi' },
      { type: 'turn', outcome: 'failed', message: 'No.' },
    ];

    it.each([
      ['none', 0],
      ['turn', 3],
      ['write', 7],
    ] as const)('happens, with the setting "%s", for %i of 7 lines', async (setting, expected) => {
      await file.append({ type: 'title', title: 'first' });
      durability = setting;
      let flushed = 0;
      await onHandles((handles) => {
        vi.spyOn(handles, 'sync').mockImplementation(() => {
          flushed++;
          return Promise.resolve();
        });
      });
      for (const event of events) await file.append(event);
      expect(flushed).toBe(expected);
    });

    it('rejects a line that the disk refused', async () => {
      await file.append(message('m1'));
      durability = 'turn';
      await onHandles((handles) => {
        vi.spyOn(handles, 'sync').mockRejectedValueOnce(
          Object.assign(new Error('i/o error'), { code: 'EIO' }),
        );
      });
      await expect(file.append(answer)).rejects.toThrow('i/o error');
      expect(await idsOf()).toEqual(['m1']);
    });

    it('is omitted if the file system does not support it', async () => {
      await file.append(message('m1'));
      durability = 'write';
      await onHandles((handles) => {
        vi.spyOn(handles, 'sync').mockRejectedValue(Object.assign(new Error('invalid'), { code: 'EINVAL' }));
      });
      await file.append(answer);
      expect(await idsOf()).toEqual(['m1', 'm3']);
    });
  });
});
