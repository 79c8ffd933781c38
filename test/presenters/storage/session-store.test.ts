import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/compaction/signals/cancellation.ts';
import { ReadOnlySessionError } from '../../../src/presenters/storage/session-file.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import { typed } from '../../support/messages.ts';

const now = Date.UTC(2026, 0, 1);

describe('SessionStore', () => {
  let folder: string;
  let store: SessionStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sessions-'));
    store = new SessionStore(join(folder, 'sessions'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const pathOf = (id: string) => join(folder, 'sessions', `${id}.jsonl`);

  it('creates no file before something is written', async () => {
    store.create(now);
    expect(await store.list()).toEqual([]);
  });

  it('returns appended entries, even in another process', async () => {
    const { id, file } = store.create(now);
    await file.append({ type: 'message', message: typed('m1', 'hi') });
    await file.append({ type: 'title', title: 'Hi' });
    await file.close();
    const found = await new SessionStore(join(folder, 'sessions')).open(id);
    expect(found?.contents).toMatchObject({ header: { id }, title: 'Hi', problems: [] });
    expect(found?.contents.entries).toHaveLength(1);
  });

  it('only appends, and first ends a line that a crash cut off', async () => {
    const { id, file } = store.create(now);
    await file.append({ type: 'message', message: typed('m1', 'hi') });
    await file.close();
    await appendFile(pathOf(id), '{"type":"message","mess');
    const before = await readFile(pathOf(id), 'utf8');

    const reopened = await store.open(id);
    await reopened!.file.append({ type: 'message', message: typed('m2', 'again') });
    await reopened!.file.close();
    expect(await readFile(pathOf(id), 'utf8')).toMatch(new RegExp(`^${escape(before)}\\n`));
    const { contents } = (await store.open(id))!;
    expect(contents.entries).toHaveLength(2);
    expect(contents.problems).toEqual(['Line 3 was skipped: it is not valid JSON.']);
  });

  it('lists the newest session first, with its newest title', async () => {
    for (const title of ['one', 'two']) {
      const { file } = store.create(now);
      await file.append({ type: 'title', title: 'draft' });
      await file.append({ type: 'title', title });
      await file.close();
    }
    const titles = (await store.list()).map((listing) => listing.title);
    expect(titles.toSorted()).toEqual(['one', 'two']);
    const [newest] = await store.list();
    await store.append(newest!.id, { type: 'title', title: 'renamed' });
    expect((await store.list())[0]).toMatchObject({ id: newest!.id, title: 'renamed' });
  });

  it.each([
    ['a title that can be read', '{"type":"title","title":"Old"}\n{"type":"title","title":"N\0', 'Old'],
    ['a title in its first line', '{"type":"title","title":"First"}\n', 'First'],
    [
      'what was said first',
      `{"type":"tit\n${JSON.stringify({ type: 'message', message: typed('m1', 'Why?') })}\n`,
      'Why?',
    ],
    ['nothing else where nothing can be read', '\0\0\0', 'New chat'],
  ])('lists a damaged session with %s', async (_what, text, title) => {
    await mkdir(join(folder, 'sessions'), { recursive: true });
    await writeFile(pathOf('damaged'), text);
    expect(await store.list()).toMatchObject([{ id: 'damaged', title }]);
  });

  it('lists a session as it was read, until its time or its size changes', async () => {
    await mkdir(join(folder, 'sessions'), { recursive: true });
    const write = async (title: string, seconds: number) => {
      await writeFile(pathOf('chat'), `{"type":"title","title":"${title}"}\n`);
      await utimes(pathOf('chat'), seconds, seconds);
      return (await store.list())[0]?.title;
    };
    expect(await write('one', 1)).toBe('one');
    expect(await write('two', 1)).toBe('one');
    expect(await write('two', 2)).toBe('two');
    expect(await write('three', 2)).toBe('three');
  });

  it('writes a new session with its existing entries', async () => {
    const events = [
      { type: 'title', title: 'Hi' },
      { type: 'message', message: typed('m1', 'hi') },
    ] as const;
    const { id, file } = await store.write(now, events, new AbortController().signal);
    await file.append({ type: 'message', message: typed('m2', 'again') });
    await file.close();
    expect((await store.open(id))?.contents).toMatchObject({
      header: { id },
      title: 'Hi',
      entries: [{ message: { id: 'm1' } }, { message: { id: 'm2' } }],
    });
  });

  it('leaves no file of a session if writing it was cancelled', async () => {
    const stopper = new AbortController();
    const events = [
      { type: 'title', title: 'Hi' },
      {
        type: 'message',
        get message() {
          stopper.abort();
          return typed('m1', 'hi');
        },
      },
      { type: 'title', title: 'Later' },
    ] as const;
    await expect(store.write(now, events, stopper.signal)).rejects.toThrow(CancelledError);
    expect(await readdir(join(folder, 'sessions'))).toEqual([]);
  });

  describe('with sub-agents', () => {
    const begin = async (title: string, parent?: { sessionId: string; callKey: string }, at = now) => {
      const { id, file } = store.create(at, parent);
      await file.append({ type: 'title', title });
      await file.close();
      return id;
    };

    it('lists sub-agents with the session that started them, oldest first, and not as chats', async () => {
      const chat = await begin('chat');
      const other = await begin('other');
      const second = await begin('ui', { sessionId: chat, callKey: 'm7:0' }, now + 5);
      const first = await begin('api', { sessionId: chat, callKey: 'm3:1' });
      expect((await store.list()).map(({ title }) => title).toSorted()).toEqual(['chat', 'other']);
      expect(await store.subAgentsOf(chat)).toEqual([
        { id: first, callKey: 'm3:1', createdAt: '2026-01-01T00:00:00.000Z' },
        { id: second, callKey: 'm7:0', createdAt: '2026-01-01T00:00:00.005Z' },
      ]);
      expect(await store.subAgentsOf(other)).toEqual([]);
    });

    it('opens sub-agents by their ids, and writes the id of their session into the file', async () => {
      const parent = { sessionId: await begin('chat'), callKey: 'm3:0' };
      const id = await begin('api', parent);
      const found = await store.open(id);
      expect(found?.contents).toMatchObject({ header: { id, parent }, title: 'api' });
    });

    it('deletes sub-agents and their shared files with the session that started them', async () => {
      const chat = await begin('chat');
      const other = await begin('other');
      const kept = await begin('kept', { sessionId: other, callKey: 'm3:0' });
      const gone = await begin('gone', { sessionId: chat, callKey: 'm3:0' });
      const shared = store.sharedFolder(chat, 'm3:0');
      await mkdir(shared);
      await store.delete(chat);
      expect(await store.list()).toMatchObject([{ id: other }]);
      expect(await store.open(gone)).toBeUndefined();
      await expect(readdir(shared)).rejects.toThrow('ENOENT');
      expect(await store.open(kept)).toBeDefined();
    });

    it('excludes files that are not sessions of sub-agents, such as truncated files', async () => {
      const chat = await begin('chat');
      await mkdir(join(folder, 'sessions', chat));
      await writeFile(join(folder, 'sessions', chat, 'broken.jsonl'), '{"type":"sess');
      expect(await store.subAgentsOf(chat)).toEqual([]);
    });

    it.each(['../outside', 'a.b.c', 'a.', '.a', 'a./b', 'a.../b'])('rejects "%s" as an id', async (id) => {
      await mkdir(join(folder, 'sessions'), { recursive: true });
      await writeFile(join(folder, 'outside.jsonl'), 'precious');
      await store.delete(id);
      expect(await store.open(id)).toBeUndefined();
      expect(await store.subAgentsOf(id)).toEqual([]);
      expect(await readFile(join(folder, 'outside.jsonl'), 'utf8')).toBe('precious');
    });

    it('names the folder of files shared by sub-agents so that it is valid on every system', () => {
      expect(store.sharedFolder('2026-a', 'm3:0')).toBe(join(folder, 'sessions', '2026-a', 'shared-m3-0'));
    });
  });

  it('ignores other files', async () => {
    const { file } = store.create(now);
    await file.append({ type: 'title', title: 'mine' });
    await file.close();
    await writeFile(join(folder, 'sessions', 'notes.txt'), 'x');
    await writeFile(join(folder, 'sessions', 'UPPER case.jsonl'), 'x');
    expect(await store.list()).toHaveLength(1);
  });

  it('opens a session of a newer version as read-only, and does not write to it', async () => {
    const id = '2027-01-01-00-00-00-aaaaaaaa';
    const text = `{"type":"session","version":2,"id":"${id}"}\n{"type":"mood"}\n`;
    await mkdir(join(folder, 'sessions'));
    await writeFile(pathOf(id), text);
    const opened = (await store.open(id))!;
    expect(opened).toMatchObject({ readOnly: 'newer-version', contents: { header: { version: 2 } } });
    const event = { type: 'title', title: 'mine' } as const;
    await expect(opened.file.append(event)).rejects.toThrow(ReadOnlySessionError);
    await expect(store.append(id, event)).rejects.toThrow(ReadOnlySessionError);
    expect(await readFile(pathOf(id), 'utf8')).toBe(text);
  });
});

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
