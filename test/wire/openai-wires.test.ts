import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizesOf, totalOf } from '../../scripts/agents/server/request-sizes.ts';
import { chatWire as chatServer } from '../../scripts/agents/server/wires/chat-wire.ts';
import { responsesWire as responsesServer } from '../../scripts/agents/server/wires/responses-wire.ts';
import type { Wire as ServerWire } from '../../scripts/agents/server/wires/wire.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import { loadEncoding } from '../../src/compaction/tokens/token-counter.ts';
import { sum } from '../../src/compaction/tokens/usage.ts';
import type { Fields } from '../../src/transcripts/reading/fields.ts';
import { chatWire } from '../../src/wire/chat-wire.ts';
import { createEventStreamReader } from '../../src/wire/event-stream.ts';
import { responsesWire } from '../../src/wire/responses-wire.ts';
import type { Wire } from '../../src/wire/wire.ts';
import { requestMessages } from '../../src/wire/sent-messages.ts';
import { createMeter } from '../support/engine.ts';

const meter = await createMeter();
const count = await loadEncoding('o200k_base');
const servers = [responsesServer, chatServer];
const realRequests = new URL('../../../shared/agents/sessions/', import.meta.url);

interface LastRequest {
  readonly api: string;
  readonly path: string;
  readonly body: Fields;
  readonly usage: { readonly input: number };
}

/** The last request of a real agent; undefined where it is absent. */
function lastRequestOf(agent: string): LastRequest | undefined {
  const file = new URL(`${agent}/last-request.json`, realRequests);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as LastRequest) : undefined;
}

const wireOf = (path: string): Wire | undefined =>
  [responsesWire, chatWire].find((wire) => wire.asks(path) === 'reply');

describe.each(['codex', 'pi', 'opencode', 'kilo-code', 'cline'])('the last request of %s', (agent) => {
  const request = lastRequestOf(agent);
  it.skipIf(request === undefined)('has as many tokens as a server counts, within 1 %', async () => {
    const { path, body } = request!;
    const read = wireOf(path.split('?', 1)[0]!)!.readRequest(body, path)!;
    const view = requestMessages(read.messages, false).map((message, index): Message => {
      return { ...message, id: `m${index}`, createdAt: new Date(0).toISOString() };
    });
    const tools = await meter.measureTools(read.tools.map(({ schema }) => schema));
    const { total, byKind } = sum([tools, await meter.measure(view)]);
    const sizes = sizesOf(servers.find((one) => one.accepts(path))!.read(body), count);
    expect(Math.abs(byKind.tools / sizes.tools - 1), 'tools').toBeLessThan(0.01);
    expect(Math.abs(total / totalOf(sizes) - 1), 'everything').toBeLessThan(0.01);
  });

  it.skipIf(request === undefined)('is written back as it was sent', () => {
    const { path, body } = request!;
    const wire = wireOf(path.split('?', 1)[0]!)!;
    expect(wire.withMessages(body, wire.readRequest(body, path)!.messages)).toEqual(body);
  });
});

const pieces: readonly (readonly [Wire, ServerWire, Fields])[] = [
  [chatWire, chatServer, { model: 'a-model', messages: [] }],
  [responsesWire, responsesServer, { model: 'a-model', input: [] }],
];

describe.each(pieces)('a reply over $title', (wire, server, body) => {
  const tool = { name: 'read', schema: {}, declared: {} };
  const reply = { text: 'I read “ä”.', call: { tool, id: 'call_1', input: { path: 'src/main.ts' } } };
  const exchange = { number: 1, path: '', usage: { input: 1_000, output: 20 } };
  const expected = {
    chat: {
      role: 'assistant',
      content: 'I read “ä”.',
      tool_calls: [{ id: 'call_1', function: { name: 'read', arguments: '{"path":"src/main.ts"}' } }],
    },
    usage: { inputTokens: 1_000, outputTokens: 20 },
    model: 'a-model',
    isComplete: true,
  };

  it('is read whole', () => {
    const reader = wire.createReplyReader();
    const answer = server.answer(reply, { ...exchange, body });
    reader.take('json' in answer ? answer.json : undefined);
    expect(reader.reply).toMatchObject(expected);
  });

  it('is read from a stream that is cut anywhere', () => {
    const answer = server.answer(reply, { ...exchange, body: { ...body, stream: true } });
    const bytes = new TextEncoder().encode('events' in answer ? answer.events.join('') : '');
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const reader = wire.createReplyReader();
        const stream = createEventStreamReader((data) => reader.take(data));
        const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
        places.slice(1).forEach((end, index) => stream.push(bytes.subarray(places[index], end)));
        stream.end();
        expect(reader.reply).toMatchObject(expected);
      }),
    );
  });

  it('is incomplete, with the text so far, if the stream breaks off', () => {
    const answer = server.answer(reply, { ...exchange, body: { ...body, stream: true } });
    const events = 'events' in answer ? answer.events : [];
    const reader = wire.createReplyReader();
    const stream = createEventStreamReader((data) => reader.take(data));
    const end = events.findIndex((event) => event.includes('I read'));
    stream.push(new TextEncoder().encode(events.slice(0, end + 1).join('')));
    stream.end();
    expect(reader.reply).toMatchObject({ isComplete: false, chat: { content: 'I read “ä”.' } });
  });

  it('accepts any JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 4 }), fc.jsonValue(), (events, input) => {
        const reader = wire.createReplyReader();
        for (const event of events) reader.take(event);
        void reader.reply;
        const body = { messages: [input], input: [input], tools: [input] };
        expect(wire.withMessages(body, wire.readRequest(body, '')!.messages)).toEqual(body);
      }),
    );
  });
});

describe('the items of a reply over OpenAI responses', () => {
  const body = {
    instructions: 'You write code.',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'I read.' }],
        encrypted_content: 'x',
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'First I read.' }] },
      { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin' },
      { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Done.' },
    ],
  };

  it('become one message with its reasoning and calls', () => {
    expect(responsesWire.readRequest(body, '')?.messages.map(({ chat }) => chat)).toMatchObject([
      { role: 'system', content: 'You write code.' },
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: 'First I read.',
        reasoning_content: 'I read.',
        tool_calls: [{ id: 'call_1', function: { name: 'apply_patch', arguments: '*** Begin' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Done.' },
    ]);
  });

  it('keep their form if only a result is shortened', () => {
    const { messages } = responsesWire.readRequest(body, '')!;
    const [result] = messages.slice(-1);
    const shortened = [...messages.slice(0, -1), { chat: { ...result!.chat, content: '…' }, raw: [] }];
    expect(responsesWire.withMessages(body, shortened)).toEqual({
      ...body,
      input: [
        ...body.input.slice(0, -1),
        { type: 'custom_tool_call_output', call_id: 'call_1', output: '…' },
      ],
    });
  });
});
