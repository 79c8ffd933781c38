import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textOf } from '../../../src/compaction/messages/message.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { subAgentConversations } from '../../../src/presenters/import/sub-agent-conversations.ts';

describe('conversations of sub-agents', () => {
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

  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sub-agents-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const find = (path: string) =>
    subAgentConversations(path, (one) => readFile(one, 'utf8'), new AbortController().signal);

  describe('sub-agents in separate files', () => {
    it('are the files next to a session that name the session, and the files in its folder', async () => {
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

    it('of Qwen Code are next to the chats, in a folder named after the session', async () => {
      const task = { type: 'user', uuid: 'a', parentUuid: null, sessionId: 's1', isSidechain: true };
      const message = { role: 'user', parts: [{ text: 'Find the lock.' }] };
      await mkdir(join(folder, 'chats'));
      await mkdir(join(folder, 'subagents', 's1'), { recursive: true });
      await writeFile(join(folder, 'chats', 's1.jsonl'), '{}');
      const file = join(folder, 'subagents', 's1', 'agent-one.jsonl');
      await writeFile(file, `${JSON.stringify({ ...task, message })}\n`);
      const [found] = await find(join(folder, 'chats', 's1.jsonl'));
      expect(found).toMatchObject({ kind: 'sub-agent', id: 'agent-one', opening: 'Find the lock.' });
      expect(messagesOf(await found!.read())).toMatchObject([{ content: 'Find the lock.' }]);
    });

    it("are not searched for if the session is a sub-agent's or of another format", async () => {
      await writeFile(join(folder, 'agent-one.jsonl'), file('agent-one', 'Find the lock.'));
      expect(await find(join(folder, 'agent-one.jsonl'))).toEqual([]);
      expect(await find(join(folder, 'session.json'))).toEqual([]);
    });
  });

  describe('sub-agents of Gemini CLI', () => {
    const chat = (sessionId: string, task: string) =>
      [
        { sessionId, projectHash: 'p' },
        { id: 'u1', type: 'user', content: [{ text: task }] },
        { id: 'g1', type: 'gemini', content: 'Done.' },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join('');

    it('are in the folder named after the id in the file', async () => {
      const chats = join(folder, 'chats');
      await mkdir(join(chats, 'one'), { recursive: true });
      await mkdir(join(folder, 'two'), { recursive: true });
      await writeFile(join(chats, 'session-1.jsonl'), chat('one', 'Main.'));
      await writeFile(join(chats, 'session-2.jsonl'), chat('../two', 'Main.'));
      await writeFile(join(chats, 'one', 'a.jsonl'), chat('a', 'Find the lock.'));
      await writeFile(join(folder, 'two', 'a.jsonl'), chat('a', 'Elsewhere.'));
      const found = await find(join(chats, 'session-1.jsonl'));
      expect(found.map(({ opening }) => opening)).toEqual(['Find the lock.']);
      expect(messagesOf(await found[0]!.read()).map(({ content }) => textOf(content))).toEqual([
        'Find the lock.',
        'Done.',
      ]);
      expect(await find(join(chats, 'session-2.jsonl'))).toEqual([]);
    });
  });

  describe('sub-agents of Codex', () => {
    const id = (digit: number) => `0000000${digit}-0000-7000-8000-000000000000`;
    const rollout = (of: number, parent?: number) => {
      const source =
        parent === undefined ? 'cli' : { subagent: { thread_spawn: { parent_thread_id: id(parent) } } };
      return [
        { type: 'session_meta', payload: { id: id(of), cwd: '/w', source } },
        {
          type: 'response_item',
          payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: `task ${of}` }] },
        },
      ]
        .map((event) => `${JSON.stringify(event)}\n`)
        .join('');
    };
    const write = async (day: string, time: string, of: number, parent?: number) => {
      const path = join(
        folder,
        'sessions',
        '2026',
        ...day.split('-'),
        `rollout-2026-${day}T${time}-${id(of)}.jsonl`,
      );
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(path, rollout(of, parent));
      return path;
    };

    it('are the files of the same day and the next two days that name the session', async () => {
      const path = await write('01-31', '10-00-00', 1);
      await write('01-31', '11-00-00', 2, 1);
      await write('02-01', '00-10-00', 3, 1);
      await write('02-01', '00-20-00', 4, 9);
      await write('02-01', '00-30-00', 5);
      await write('02-09', '00-00-00', 6, 1);
      const found = await find(path);
      expect(found.map(({ opening }) => opening)).toEqual(['task 2', 'task 3']);
      const [first] = found;
      expect((await first?.read())?.entries).toHaveLength(1);
    });
  });
});
