import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage, Message } from '../../src/compaction/messages/message.ts';
import { rewrittenId } from '../../src/compaction/records/record.ts';
import { project } from '../../src/compaction/transcript/view.ts';
import { transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { isEntry, type SessionEvent } from '../../src/transcripts/session/session-event.ts';
import { messageKey } from '../../src/wire/message-key.ts';
import type { WireReply, WireRequest } from '../../src/wire/wire.ts';
import { WireConversation } from '../../src/wire/wire-conversation.ts';
import { createMeter } from '../support/engine.ts';

const meter = await createMeter();
const at = '2026-11-27T12:00:00.000Z';
const system: ChatMessage = { role: 'system', content: 'You write code.' };
const user = (content: string): ChatMessage => ({ role: 'user', content });
const said = (content: string): ChatMessage => ({ role: 'assistant', content });
const called = (id: string, name: string): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: '{"path":"src/main.ts"}' } }],
});
const result = (id: string, content: string): ChatMessage => ({ role: 'tool', tool_call_id: id, content });

function request(messages: readonly ChatMessage[], tools: WireRequest['tools'] = []): WireRequest {
  return {
    model: 'a-model',
    isStream: true,
    tools,
    messages: messages.map((chat) => ({ chat, raw: [chat] })),
  };
}

function reply(chat: ChatMessage): WireReply {
  return { chat, isComplete: true, usage: { inputTokens: 10, outputTokens: 2 }, model: 'a-model' };
}

/** A conversation and the events that it has recorded. */
function recorded() {
  const conversation = new WireConversation({ client: 'claude-code', isOfSubAgent: false, meter });
  const events: SessionEvent[] = [];
  return {
    events,
    request: async (...messages: readonly ChatMessage[]) => {
      events.push(...(await conversation.request(request(messages), at)));
    },
    reply: (chat: ChatMessage) => events.push(...conversation.reply(reply(chat), at)),
    get view(): readonly Message[] {
      return project(events.filter(isEntry));
    },
    get records() {
      return events.flatMap((event) => (event.type === 'compaction' ? [event.record] : []));
    },
  };
}

const keysOf = (messages: readonly ChatMessage[]) => messages.map((message) => messageKey(message));

describe('a conversation on the wire', () => {
  it('records each message once, although every request repeats all of them', async () => {
    const one = recorded();
    await one.request(system, user('Read the file.'));
    one.reply(called('call_1', 'read'));
    await one.request(system, user('Read the file.'), called('call_1', 'read'), result('call_1', 'text'));
    one.reply(said('It says “text”.'));
    expect(one.view.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    expect(one.records).toEqual([]);
    expect(one.view.at(-1)).toMatchObject({ modelId: 'a-model', usage: { inputTokens: 10 } });
  });

  it('takes a reply that comes back trimmed, and with its arguments written anew, for the same reply', async () => {
    const one = recorded();
    await one.request(system, user('Go.'));
    one.reply({ ...called('call_1', 'read'), content: ' First I read.\n' });
    const [call] = called('call_1', 'read').tool_calls ?? [];
    const again = { ...call!, function: { name: 'read', arguments: '{ "path": "src/main.ts" }' } };
    await one.request(
      system,
      user('Go.'),
      { role: 'assistant', content: 'First I read.', tool_calls: [again] },
      result('call_1', 'x'),
    );
    expect(one.records).toEqual([]);
  });

  it('records a message that the client changed in its place, under the same id', async () => {
    const one = recorded();
    await one.request({ ...system, content: 'Today is Monday.' }, user('Go.'));
    one.reply(said('Done.'));
    await one.request(
      { ...system, content: 'Today is Tuesday.' },
      user('Go.'),
      said('Done.'),
      user('And now?'),
    );
    const [record] = one.records;
    expect(record).toMatchObject({ actualStrategy: rewrittenId, status: 'applied' });
    expect(one.view.map(({ content }) => content)).toEqual(['Today is Tuesday.', 'Go.', 'Done.', 'And now?']);
    expect(one.view[0]?.id).toBe('m1');
  });

  it('records a history that the client replaced with a summary as its compaction', async () => {
    const one = recorded();
    const long = Array.from({ length: 6 }, (_, number) =>
      user(`Step ${number}. ${'Read the file. '.repeat(40)}`),
    );
    await one.request(system, ...long);
    one.reply(said('I have read it all.'));
    await one.request(system, user('Summary: the files were read.'), user('Go on.'));
    const [record] = one.records;
    expect(record).toMatchObject({ actualStrategy: 'claude-code', status: 'applied' });
    expect(record?.actions.map(({ kind }) => kind)).toEqual(['keep', 'summarise']);
    expect(one.view.map(({ content }) => content)).toEqual([
      system.content,
      'Summary: the files were read.',
      'Go on.',
    ]);
  });

  it('records that the client left a reply out', async () => {
    const one = recorded();
    await one.request(system, user('Go.'));
    one.reply(said('I was int'));
    await one.request(system, user('Go.'), user('Again, please.'));
    expect(one.view.map(({ content }) => content)).toEqual([system.content, 'Go.', 'Again, please.']);
  });

  it('records the tools when they change, with their servers', async () => {
    const conversation = new WireConversation({ client: 'codex', isOfSubAgent: false, meter });
    const tool = (name: string) => ({ type: 'function', function: { name } }) as const;
    const first = [{ schema: tool('read') }, { schema: tool('mcp__git__log'), server: 'git' }];
    const typesOf = (events: readonly SessionEvent[]) => events.map(({ type }) => type);
    expect(await conversation.request(request([user('Go.')], first), at)).toContainEqual({
      type: 'tools',
      tools: [tool('read'), tool('mcp__git__log')],
      servers: { mcp__git__log: 'git' },
    });
    expect(typesOf(await conversation.request(request([user('Go.'), user('On.')], first), at))).toEqual([
      'message',
    ]);
    expect(
      typesOf(await conversation.request(request([user('Go.'), user('On.')], first.slice(1)), at)),
    ).toEqual(['tools']);
  });

  it('marks the task of a sub-agent as written by a model', async () => {
    const conversation = new WireConversation({ client: 'codex', isOfSubAgent: true, meter });
    const events = await conversation.request(request([user('Count the lines.')]), at);
    expect(events).toMatchObject([{ message: { origin: 'model' } }]);
  });

  it('numbers calls of a provider that gives them no ids', async () => {
    const one = recorded();
    await one.request(user('Go.'));
    one.reply(called('', 'read'));
    expect(one.view[1]?.tool_calls?.[0]?.id).toBe('read#1');
  });

  it('shows what the client sent, whatever it changes from request to request', async () => {
    const word = fc.constantFrom('a', 'b', 'c', 'a longer message with some words in it');
    const message = fc.oneof(word.map(user), word.map(said));
    // A message without text leaves a view, and the provider refuses it.
    const history = fc.array(message, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(history, fc.option(word)), { minLength: 1, maxLength: 5 }),
        async (turns) => {
          const one = recorded();
          for (const [messages, answer] of turns) {
            await one.request(...messages);
            expect(keysOf(one.view)).toEqual(keysOf(messages));
            if (answer !== null) one.reply(said(answer));
          }
          expect(keysOf(transcriptOf(one.events.filter(isEntry)).view)).toEqual(keysOf(one.view));
        },
      ),
    );
  });
});
