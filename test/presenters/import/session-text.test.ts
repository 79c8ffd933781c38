import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { databasePath } from '../../../src/presenters/import/opencode-database.ts';
import { readSessionText } from '../../../src/presenters/import/session-text.ts';
import { importTranscript } from '../../../src/transcripts/import-transcript.ts';
import { openedLimits } from '../../../src/transcripts/reading/read-limits.ts';
import { opencodeMessages } from '../../support/format-samples.ts';
import { writeOpencodeDatabase } from '../../support/agents/opencode-database.ts';

describe('the text of a session', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'opencode-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const read = (path: string) => readSessionText(path, new AbortController().signal, openedLimits);
  const messages = opencodeMessages.map(({ info, parts }) => ({ info, parts }));

  async function write(path: string, value: object): Promise<string> {
    const file = join(folder, 'storage', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(value));
    return file;
  }

  it('of opencode is assembled, with sub-agents, from the files of messages and parts', async () => {
    const path = await write('session/p1/ses_1.json', { id: 'ses_1', title: 'a' });
    await write('session/p1/ses_2.json', { id: 'ses_2', parentID: 'ses_1' });
    await write('session/p1/ses_3.json', { id: 'ses_3' });
    for (const { info, parts } of messages) {
      await write(`message/ses_1/${info.id}.json`, info);
      await write(`message/ses_2/${info.id}_2.json`, info);
      for (const [index, part] of parts.entries()) await write(`part/${info.id}/prt_${index}.json`, part);
    }
    await write('part/msg_1/prt_9.json', { type: 'text', text: 'and that' });
    await writeFile(join(folder, 'storage/part/msg_1/prt_a.json'), 'half a par');
    const imported = importTranscript(await read(path));
    expect(imported.format).toBe('opencode');
    expect(messagesOf(imported).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(messagesOf(imported)[0]?.content).toHaveLength(3);
    expect(imported.others?.map(({ id }) => id)).toEqual(['ses_2']);
  });

  it('of opencode is read from its database, and no file is written next to it', async () => {
    const database = join(folder, 'opencode 100%.db');
    writeOpencodeDatabase(database, [
      { id: 'ses_1', title: 'a', changedAt: 1, messages },
      { id: 'ses_2', title: 'b', changedAt: 2, parent: 'ses_1', messages: messages.slice(0, 2) },
    ]);
    const imported = importTranscript(await read(databasePath(database, 'ses_1')));
    expect(messagesOf(imported).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(imported.compactions).toMatchObject([{ summary: 'notes' }]);
    expect(imported.others?.map(({ kind, id }) => [kind, id])).toEqual([['sub-agent', 'ses_2']]);
    expect(await readdir(folder)).toEqual(['opencode 100%.db']);
  });

  it('is refused with one sentence if the database lacks the session or is not a database', async () => {
    const database = join(folder, 'a.db');
    writeOpencodeDatabase(database, []);
    await expect(read(databasePath(database, 'ses_9'))).rejects.toThrow(
      'There is no session ses_9 in this database.',
    );
    await writeFile(join(folder, 'b.db'), 'text');
    await expect(read(databasePath(join(folder, 'b.db'), 'ses_9'))).rejects.toThrow(
      'This file is damaged, or is not an SQLite database.',
    );
  });

  it('of any other agent is the content of its file', async () => {
    const path = await write('any.jsonl', { parentUuid: null });
    expect(await read(path)).toBe('{"parentUuid":null}');
  });
});
