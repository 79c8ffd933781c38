import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OpenaiModel } from '../../../src/agent/openai/openai-model.ts';
import type { Message } from '../../../src/compaction/message.ts';
import { called, result, said, typed } from '../../support/messages.ts';
import { eventsOf, failureOf, replyOf } from './ask-model.ts';

/** A real server that speaks OpenAI's Responses API: what it says, and what it was asked. */
interface ResponsesServer {
  readonly server: Server;
  readonly endpoint: string;
  readonly asked: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[];
  answer: { readonly status?: number; readonly json?: unknown; readonly events?: readonly unknown[] };
}

let peer: ResponsesServer;
const signal = new AbortController().signal;

beforeEach(async () => {
  const asked: ResponsesServer['asked'] = [];
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      asked.push({ path: request.url ?? '', body: JSON.parse(body) as Record<string, unknown> });
      const { status = 200, json, events = [] } = peer.answer;
      if (json !== undefined) {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  peer = { server, endpoint, asked, answer: {} };
});

afterEach(async () => {
  peer.server.close();
  peer.server.closeAllConnections();
  await once(peer.server, 'close');
});

const modelOf = () =>
  new OpenaiModel({ baseUrl: peer.endpoint, apiKey: 'key', model: 'native', maxRetries: 0 });

describe("a provider's own compaction", () => {
  const messages: readonly Message[] = [
    typed('m1', 'read it'),
    called('m2', ['call', 'read_file', { path: 'a.ts' }]),
    result('m3', 'call', 'text of a'),
    said('m4', 'done'),
  ];

  it('is asked for with the messages as items, and gives the opaque one back', async () => {
    peer.answer = {
      json: {
        object: 'response.compaction',
        output: [
          { type: 'message', role: 'user', content: [] },
          { type: 'compaction', id: 'c', encrypted_content: 'sealed' },
        ],
        usage: { input_tokens: 900, output_tokens: 40 },
      },
    };
    expect(await modelOf().compactNatively(messages, signal)).toEqual({
      item: { endpoint: peer.endpoint, content: 'sealed' },
      usage: { inputTokens: 900, outputTokens: 40 },
    });
    expect(peer.asked[0]).toEqual({
      path: '/v1/responses/compact',
      body: {
        model: 'native',
        input: [
          { type: 'message', role: 'user', content: 'read it' },
          { type: 'function_call', call_id: 'call', name: 'read_file', arguments: '{"path":"a.ts"}' },
          { type: 'function_call_output', call_id: 'call', output: 'text of a' },
          { type: 'message', role: 'assistant', content: 'done' },
        ],
      },
    });
  });

  it.each([
    ['has no such thing', { status: 404, json: { error: { message: 'Unknown path' } } }, 'not-found'],
    ['answers with something else', { json: { output: [] } }, 'invalid-response'],
  ])('fails readably where the server %s', async (_name, answer, code) => {
    peer.answer = answer;
    await expect(modelOf().compactNatively(messages, signal)).rejects.toMatchObject({ code });
  });
});

describe('a request with an opaque item in it', () => {
  const request = (endpoint = peer.endpoint) => ({
    messages: [
      { role: 'user' as const, content: 'compacted; not inspectable' },
      { role: 'user' as const, content: 'go on' },
    ],
    tools: [{ type: 'function' as const, function: { name: 'read_file' } }],
    opaque: new Map([[0, { endpoint, content: 'sealed' }]]),
  });

  it('goes to the Responses API, the item before the text that stands for it', async () => {
    peer.answer = {
      events: [
        { type: 'response.created' },
        { type: 'response.reasoning_summary_text.delta', delta: 'hm' },
        { type: 'response.output_text.delta', delta: 'Hel' },
        { type: 'response.output_text.delta', delta: 'lo' },
        {
          type: 'response.output_item.done',
          output_index: 1,
          item: { type: 'function_call', call_id: 'c1', name: 'read_file', arguments: '{"path":"b"}' },
        },
        {
          type: 'response.completed',
          response: {
            usage: { input_tokens: 70, output_tokens: 5, input_tokens_details: { cached_tokens: 60 } },
          },
        },
      ],
    };
    expect(await replyOf(modelOf(), request())).toEqual({
      content: 'Hello',
      reasoning: 'hm',
      toolCalls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"b"}' } }],
      finishReason: 'tool-calls',
      usage: { inputTokens: 70, outputTokens: 5, cachedInputTokens: 60 },
    });
    expect(peer.asked[0]?.path).toBe('/v1/responses');
    expect(peer.asked[0]?.body).toMatchObject({
      input: [
        { type: 'compaction', encrypted_content: 'sealed' },
        { type: 'message', role: 'user', content: 'compacted; not inspectable' },
        { type: 'message', role: 'user', content: 'go on' },
      ],
      tools: [{ type: 'function', name: 'read_file' }],
      store: false,
    });
  });

  it('is told apart by how it ended', async () => {
    peer.answer = {
      events: [
        { type: 'response.output_text.delta', delta: 'a' },
        { type: 'response.incomplete', response: {} },
      ],
    };
    expect((await replyOf(modelOf(), request())).finishReason).toBe('length');
    peer.answer = {
      events: [
        { type: 'response.failed', response: { error: { code: 'server_error', message: 'Broken.' } } },
      ],
    };
    expect((await failureOf(modelOf(), request())).message).toContain('Broken.');
  });

  it('is an ordinary one for any other endpoint: nobody else could read the item', async () => {
    peer.answer = {
      events: [{ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }],
    };
    await eventsOf(modelOf(), request('https://elsewhere.example/v1'));
    expect(peer.asked[0]?.path).toBe('/v1/chat/completions');
    expect(JSON.stringify(peer.asked[0]?.body)).not.toContain('sealed');
  });
});
