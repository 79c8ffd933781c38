import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/compaction/signals/cancellation.ts';
import { textOf } from '../../../src/compaction/messages/message.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { followSession } from '../../../src/presenters/import/followed-session.ts';
import { databasePath } from '../../../src/presenters/import/opencode-database.ts';
import { opencodeMessages } from '../../support/format-samples.ts';
import { writeOpencodeDatabase } from '../../support/opencode-database.ts';

describe('a followed session', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'followed-'));
    path = join(folder, 's1.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));
  const { signal } = new AbortController();

  const row = (uuid: string, text: string) =>
    `${JSON.stringify({ parentUuid: null, sessionId: 's1', type: 'user', uuid, message: { role: 'user', content: text } })}\n`;
  const texts = (session: ReturnType<typeof followSession>) =>
    messagesOf(session.read()).map(({ content }) => textOf(content));

  it('has what was added at each refresh, and says whether there was anything', async () => {
    await writeFile(path, row('a', 'one'));
    const session = followSession(path);
    expect([await session.refresh(signal), await session.refresh(signal)]).toEqual([true, false]);
    const added = row('b', 'zwölf 🎈').replace('"parentUuid":null', '"parentUuid":"a"');
    const bytes = new TextEncoder().encode(added);
    await appendFile(path, bytes.subarray(0, bytes.length - 12));
    expect(await session.refresh(signal)).toBe(true);
    expect(texts(session)).toEqual(['one']);
    await appendFile(path, bytes.subarray(bytes.length - 12));
    await session.refresh(signal);
    expect(texts(session)).toEqual(['one', 'zwölf 🎈']);
  });

  it('is read from its beginning where its file was cut', async () => {
    await writeFile(path, row('a', 'one') + row('b', 'two'));
    const session = followSession(path);
    await session.refresh(signal);
    await truncate(path, row('a', 'one').length);
    expect(await session.refresh(signal)).toBe(true);
    expect(texts(session)).toEqual(['one']);
  });

  it('is read from its beginning where another file took its place, a larger one too', async () => {
    await writeFile(path, row('a', 'one'));
    const session = followSession(path);
    await session.refresh(signal);
    await writeFile(join(folder, 'new'), row('c', 'another, longer one'));
    await rename(join(folder, 'new'), path);
    expect(await session.refresh(signal)).toBe(true);
    expect(texts(session)).toEqual(['another, longer one']);
  });

  it('is read from its beginning where its file was written over', async () => {
    await writeFile(path, row('a', 'one'));
    const session = followSession(path);
    await session.refresh(signal);
    await writeFile(path, row('d', 'over') + row('e', 'and over'));
    await session.refresh(signal);
    expect(texts(session)).toEqual(['and over']);
  });

  it('has nothing twice where two refreshes are under way at once', async () => {
    await writeFile(path, row('a', 'one'));
    const session = followSession(path);
    expect(await Promise.all([session.refresh(signal), session.refresh(signal)])).toEqual([true, false]);
    expect(texts(session)).toEqual(['one']);
  });

  it('goes on after its file was gone for a while, and after a wait was cancelled', async () => {
    const session = followSession(path);
    await expect(session.refresh(signal)).rejects.toThrow('ENOENT');
    await writeFile(path, row('a', 'one'));
    await expect(session.refresh(AbortSignal.abort())).rejects.toThrow(CancelledError);
    expect(await session.refresh(signal)).toBe(true);
    expect(texts(session)).toEqual(['one']);
  });

  it('of a database is read as a whole', async () => {
    const database = join(folder, 'opencode.db');
    const sample = (messages: typeof opencodeMessages | readonly []) => [
      { id: 'ses_1', title: 'a', changedAt: 1, messages },
    ];
    writeOpencodeDatabase(database, sample([]));
    const session = followSession(databasePath(database, 'ses_1'));
    expect([await session.refresh(signal), await session.refresh(signal)]).toEqual([true, false]);
    expect(texts(session)).toEqual([]);
    await rm(database);
    writeOpencodeDatabase(database, sample(opencodeMessages));
    expect(await session.refresh(signal)).toBe(true);
    expect(messagesOf(session.read())).toHaveLength(4);
  });
});
