import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { subAgentConversations } from '../../../src/extension/import/sub-agent-files.ts';
import { messagesOf } from '../../../src/compaction/transcript.ts';
import { textOf } from '../../../src/compaction/message.ts';

const row = (sessionId: string, uuid: string, parentUuid: string | null, role: string, text: string) =>
  JSON.stringify({
    type: role,
    uuid,
    parentUuid,
    sessionId,
    isSidechain: true,
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role, content: role === 'user' ? text : [{ type: 'text', text }] },
  });
const file = (sessionId: string, task: string) =>
  `${row(sessionId, 'a', null, 'user', task)}\n${row(sessionId, 'b', 'a', 'assistant', 'Done.')}\n`;

describe('sub-agents in files of their own', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sub-agents-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const find = (path: string) =>
    subAgentConversations(path, (one) => readFile(one, 'utf8'), new AbortController().signal);

  it('are those beside a session that name it, and those in its folder', async () => {
    await writeFile(join(folder, 's1.jsonl'), '{}');
    await writeFile(join(folder, 'agent-one.jsonl'), file('s1', 'Find the lock.'));
    await writeFile(join(folder, 'agent-other.jsonl'), file('s2', 'Of another session.'));
    await writeFile(join(folder, 'agent-broken.jsonl'), 'no JSON');
    await mkdir(join(folder, 's1', 'subagents'), { recursive: true });
    await writeFile(join(folder, 's1', 'subagents', 'agent-two.jsonl'), file('s1', 'Read the store.'));
    const found = await find(join(folder, 's1.jsonl'));
    expect(found.map(({ kind, id, opening }) => ({ kind, id, opening }))).toEqual([
      { kind: 'sub-agent', id: 'agent-one', opening: 'Find the lock.' },
      { kind: 'sub-agent', id: 'agent-two', opening: 'Read the store.' },
    ]);
    const messages = messagesOf(await found[0]!.read());
    expect(messages.map(({ content }) => textOf(content))).toEqual(['Find the lock.', 'Done.']);
  });

  it('are none of a session that is a sub-agent itself, nor of another format', async () => {
    await writeFile(join(folder, 'agent-one.jsonl'), file('agent-one', 'Find the lock.'));
    expect(await find(join(folder, 'agent-one.jsonl'))).toEqual([]);
    expect(await find(join(folder, 'session.json'))).toEqual([]);
  });
});
