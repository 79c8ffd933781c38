import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, vi } from 'vitest';
import { ModelError, type ModelEvent } from '../../src/agent/model/chat-model.ts';
import { connectMcp } from '../../src/agent/mcp/mcp-client.ts';
import { OpenaiModel, type OpenaiModelOptions } from '../../src/agent/openai/openai-model.ts';
import { readProviderError } from '../../src/agent/model/provider-error.ts';
import { discover } from '../../src/agent/providers/discovery.ts';
import { withoutThoughts } from '../../src/compaction/summary/write-summary.ts';
import { loopbackServer, type LoopbackServer } from '../support/loopback-server.ts';
import { keyEncodings } from '../support/key-encodings.ts';
import { soak } from '../support/soak.ts';
import { fault } from './support/fault.ts';

/** Hostile and broken servers on this machine, against the real model code. */

const key = 'sk-CANARY-7f3a91c2d4e5';
const conversation = 'SECRET-CONVERSATION';
const servers: LoopbackServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Answer = Parameters<typeof loopbackServer>[0];

async function serverWith(answer: Answer): Promise<LoopbackServer> {
  const server = await loopbackServer(answer);
  servers.push(server);
  return server;
}

function modelAt(origin: string, options: Partial<OpenaiModelOptions> = {}): OpenaiModel {
  return new OpenaiModel({ baseUrl: `${origin}/v1`, apiKey: key, model: 'm', maxRetries: 0, ...options });
}

interface Outcome {
  readonly events: readonly ModelEvent[];
  readonly error: unknown;
}

async function ask(model: OpenaiModel): Promise<Outcome> {
  const events: ModelEvent[] = [];
  const messages = [{ role: 'user' as const, content: conversation }];
  try {
    for await (const event of model.stream({ messages, tools: [] }, new AbortController().signal))
      events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

function replyIn({ events }: Outcome) {
  const end = events.at(-1);
  return end?.type === 'end' ? end.reply : undefined;
}

function chunk(delta: unknown, finish: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

function eventStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Sends pieces as fast as they are taken, until the client hangs up. */
function forever(response: ServerResponse, piece: () => string | Buffer): void {
  const go = () => {
    while (!response.destroyed && response.write(piece()));
  };
  response.on('drain', go);
  go();
}

describe('a redirect to another origin does no harm', () => {
  const asked: Readonly<
    Record<string, (origin: string, model: Partial<OpenaiModelOptions>) => Promise<unknown>>
  > = {
    chat: (origin, options) => ask(modelAt(origin, options)),
    responses: (origin, options) => ask(modelAt(origin, { ...options, api: 'responses' })),
    compaction: (origin, options) =>
      modelAt(origin, options)
        .compactNatively([], new AbortController().signal)
        .catch((error: unknown) => error),
    models: (origin, { authentication = 'bearer' }) =>
      discover(
        { baseUrl: `${origin}/v1`, apiKey: key, authentication, defaultQuery: {}, dialect: 'models' },
        'm',
      ),
    ollama: (origin, { authentication = 'bearer' }) =>
      discover(
        { baseUrl: `${origin}/v1`, apiKey: key, authentication, defaultQuery: {}, dialect: 'ollama' },
        'm',
      ),
  };

  fault('Redirects: five statuses, both headers for keys, every endpoint', async (count) => {
    const other = await serverWith((_request, response) => {
      eventStream(response);
      response.end(chunk({ content: 'answer of another host' }, 'stop'));
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await serverWith((request, response) =>
        response.writeHead(status, { location: `${other.origin}${request.url}` }).end(),
      );
      for (const authentication of ['bearer', 'api-key'] as const) {
        for (const [name, run] of Object.entries(asked)) {
          count.tried();
          const outcome = JSON.stringify(await run(server.origin, { authentication }));
          const what = `${status}, ${authentication}, ${name}`;
          if (other.requests.length > 0) count.harmed(`${what}: the other origin was asked`);
          if (outcome.includes('answer of another host')) count.harmed(`${what}: its answer was taken`);
        }
      }
    }
  });
});

fault('Redirects of an MCP server, with the secrets in its headers', async (count) => {
  const other = await serverWith((_request, response) => response.writeHead(200).end());
  for (const status of [301, 302, 303, 307, 308]) {
    const server = await serverWith((request, response) =>
      response.writeHead(status, { location: `${other.origin}${request.url}` }).end(),
    );
    count.tried();
    const connecting = connectMcp(
      {
        type: 'http',
        declaredBy: 'person',
        name: 'notes',
        url: `${server.origin}/mcp`,
        headers: { 'x-token': key },
      },
      {
        folder: undefined,
        signal: new AbortController().signal,
        gone: () => undefined,
        log: () => undefined,
      },
    );
    const error = await connecting.then(
      () => 'connected',
      (failure: unknown) => String(failure),
    );
    if (other.requests.length > 0) count.harmed(`${status}: the other origin was asked`);
    if (!error.includes('redirects to')) count.harmed(`${status}: ${error}`);
  }
});

describe('an endless answer does no harm', () => {
  const long = 'x'.repeat(4_000);
  let number = 0;
  const call = (index: number, id: string, written: string) =>
    chunk({ tool_calls: [{ index, id, function: { name: 'read_file', arguments: written } }] });
  const streams: Readonly<Record<string, () => string | Buffer>> = {
    text: () => chunk({ content: long }).repeat(16),
    reasoning: () => chunk({ reasoning_content: long }).repeat(16),
    'sealed reasoning': () =>
      chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: long }] }).repeat(16),
    'fields of reasoning': () =>
      Array.from({ length: 50 }, () =>
        chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, [`f${number++}`]: long }] }),
      ).join(''),
    'arguments of one call': () => call(0, 'a', long).repeat(16),
    'repetition of a whole call': () => call(0, 'a', `{"path":"${long}"}`).repeat(16),
    'new calls': () => Array.from({ length: 50 }, () => call(++number, `c${number}`, '{}')).join(''),
    'name of a call': () => chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: long } }] }),
    line: () => long.repeat(16),
    'lines of one event': () => 'data: x\n'.repeat(9_000),
    'empty lines': () => '\n'.repeat(64_000),
    comments: () => ': still here\n\n'.repeat(4_000),
  };

  for (const [name, piece] of Object.entries(streams)) {
    fault(`Never-ending ${name}`, async (count) => {
      const server = await serverWith((_request, response) => {
        eventStream(response);
        response.write(chunk({ content: 'What was said so far. ' }));
        forever(response, piece);
      });
      count.tried();
      const outcome = await ask(modelAt(server.origin, { idleTimeoutMs: 60_000 }));
      if (!(outcome.error instanceof ModelError)) count.harmed('it was taken for a reply');
      else if (!/closed|said nothing/.test(outcome.error.message)) count.harmed(outcome.error.message);
      if (outcome.events[0]?.type !== 'text-delta') count.harmed('what was said is lost');
    });
  }

  fault('Compressed answers that unpack to more than a reply can hold', async (count) => {
    const size = soak(20, 400) * 1_000_000;
    const bomb = (head: string) => Buffer.concat([Buffer.from(head), Buffer.alloc(size, 97)]);
    const packers = {
      gzip: gzipSync,
      deflate: deflateSync,
      br: (data: Buffer) => brotliCompressSync(data, { params: { 1: 1 } }),
    };
    for (const [encoding, pack] of Object.entries(packers)) {
      for (const [status, type, head] of [
        [200, 'text/event-stream', 'data: '],
        [200, 'application/json', '{"x":"'],
        [500, 'application/json', '{"error":{"message":"'],
        [401, 'text/plain', ''],
      ] as const) {
        const body = pack(bomb(head));
        const server = await serverWith((_request, response) => {
          response.writeHead(status, { 'content-type': type, 'content-encoding': encoding }).end(body);
        });
        count.tried();
        const before = process.memoryUsage().rss;
        const { error } = await ask(modelAt(server.origin));
        const grown = process.memoryUsage().rss - before;
        const what = `${encoding}, ${status}, ${type}`;
        if (!(error instanceof ModelError)) count.harmed(`${what}: no error`);
        if (grown > 300_000_000) count.harmed(`${what}: ${grown} bytes more memory`);
      }
    }
  });

  fault('Answers that stall: no byte, comments only, an error that never ends', async (count) => {
    const dripping = (head: () => void, response: ServerResponse, piece: string) => {
      head();
      const timer = setInterval(() => response.write(piece), 5);
      response.on('close', () => clearInterval(timer));
    };
    const answers: Readonly<Record<string, Answer>> = {
      silence: (_request, response) => {
        eventStream(response);
        response.write(': hello\n\n');
      },
      comments: (_request, response) => dripping(() => eventStream(response), response, ':'),
      'half a line of data': (_request, response) => dripping(() => eventStream(response), response, 'd'),
    };
    for (const [name, answer] of Object.entries(answers)) {
      const server = await serverWith(answer);
      count.tried();
      const { error } = await ask(modelAt(server.origin, { idleTimeoutMs: 100 }));
      if (!(error instanceof ModelError) || error.code !== 'timeout')
        count.harmed(`${name}: ${String(error)}`);
    }
    const server = await serverWith((_request, response) => {
      response.writeHead(503, { 'content-type': 'text/plain' });
      forever(response, () => long);
    });
    count.tried();
    const { error } = await ask(modelAt(server.origin));
    if (!(error instanceof ModelError) || error.status !== 503) count.harmed(`error: ${String(error)}`);
  });
});

describe('a lost connection does no harm', () => {
  fault('A connection that is reset or closed at each byte of a reply', async (count) => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';
    const call = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] });
    const reply =
      chunk({ role: 'assistant', content: 'Hello, ' }) +
      chunk({ content: 'wörld 😀' }) +
      call({ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '' } }) +
      call({ function: { arguments: '{"path":"a.ts"}' } }) +
      chunk({}, 'tool_calls') +
      'data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":7}}\n\ndata: [DONE]\n\n';
    const bytes = Buffer.from(head + reply);
    let at = 0;
    let isReset = false;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        const hangUp = () => (isReset ? socket.resetAndDestroy() : socket.end());
        socket.write(bytes.subarray(0, at), () => setImmediate(hangUp));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const model = modelAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    for (const how of ['reset', 'closed']) {
      isReset = how === 'reset';
      for (at = 0; at <= bytes.length; at += soak(3, 1)) {
        count.tried();
        const outcome = await ask(model);
        const { content, toolCalls } = replyIn(outcome) ?? {};
        const isWhole =
          content === 'Hello, wörld 😀' &&
          toolCalls?.length === 1 &&
          toolCalls[0]?.function.arguments === '{"path":"a.ts"}';
        const isNamed =
          outcome.error instanceof ModelError && ['cut-off', 'network'].includes(outcome.error.code);
        if (!isWhole && !isNamed) count.harmed(`${how} at ${at}: ${String(outcome.error)}`);
      }
    }
    server.close();
  });
});

describe('a key that a server returns is never shown', () => {
  const places: Readonly<Record<string, (response: ServerResponse, text: string) => void>> = {
    'an error': (response, text) =>
      response.writeHead(401).end(JSON.stringify({ error: { message: `Wrong key: ${text}`, code: text } })),
    'an error in a stream': (response, text) => {
      eventStream(response);
      response.end(`data: ${JSON.stringify({ error: { message: text, code: 500 } })}\n\n`);
    },
    'a complete answer': (response, text) => streamed(response, [{ content: `You sent ${text}.` }]),
    'an answer sent letter by letter': (response, text) =>
      streamed(
        response,
        Array.from(`You sent ${text}.`, (letter) => ({ content: letter })),
      ),
    reasoning: (response, text) =>
      streamed(response, [...Array.from(text, (letter) => ({ reasoning: letter })), { content: 'x' }]),
    'sealed reasoning': (response, text) =>
      streamed(response, [{ content: 'x', reasoning_details: [{ type: 'reasoning.text', index: 0, text }] }]),
    'a tool call': (response, text) =>
      streamed(response, [
        {
          tool_calls: [
            {
              index: 0,
              id: text,
              extra_content: { text },
              function: { name: 'r', arguments: `{"a":"${text}"}` },
            },
          ],
        },
      ]),
  };

  function streamed(response: ServerResponse, deltas: readonly object[]): void {
    eventStream(response);
    response.end(deltas.map((delta) => chunk(delta)).join('') + chunk({}, 'stop'));
  }

  for (const [place, answer] of Object.entries(places)) {
    fault(`A key in ${place}, in every encoding, whole and in part`, async (count) => {
      let text = '';
      const server = await serverWith((_request, response) => answer(response, text));
      for (const [encoding, encode] of Object.entries(keyEncodings)) {
        for (const part of [key, key.slice(0, 12), key.slice(-10)]) {
          text = encode(part);
          count.tried();
          const { events, error } = await ask(modelAt(server.origin));
          const shown = JSON.stringify([events, error instanceof Error ? error.message : error]);
          const told = events.map((event) => (event.type === 'end' ? '' : event.text)).join('');
          if (shown.includes(text) || told.includes(text)) count.harmed(`${encoding}: ${text}`);
        }
      }
    });
  }
});

describe('texts are read in linear time', () => {
  fault('Parsers: twice the text takes at most about twice the work', (count) => {
    const parsers: Readonly<Record<string, (text: string) => unknown>> = {
      'an error page': (text) => readProviderError(`<!doctype html>${text}`),
      'an error text': (text) => readProviderError(text),
      'thoughts in a summary': (text) => withoutThoughts(text, { until: /<summary>/gi, takesOpenOnes: true }),
      'closed thoughts': (text) => withoutThoughts(text, {}),
    };
    const units = [
      '<',
      '<a',
      '>',
      '<script ',
      '<style></style',
      '</script>',
      '<think>',
      '<think></think',
      '</think>',
      '<think></think>',
      '<summary>',
      '<analysis><think></analysis>',
      '{',
      '{"a":',
      '}',
      'a',
      ' ',
    ];
    for (const [name, parse] of Object.entries(parsers)) {
      for (const unit of units) {
        count.tried();
        const [one, two] = [4_000, 8_000].map((times) => charactersRead(() => parse(unit.repeat(times))));
        if ((two ?? 0) > 2.2 * (one ?? 0) + 1_000) count.harmed(`${name} of ${unit}: ${one}, then ${two}`);
      }
    }
  });
});

/** Number of characters searched. Texts are searched by `indexOf` and by expressions that stop at the first hit. */
function charactersRead(run: () => unknown): number {
  let read = 0;
  const { indexOf, startsWith } = String.prototype;
  const { exec } = RegExp.prototype;
  const spies = [
    vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, sought, from = 0) {
      const at = indexOf.call(this, sought, from);
      read += (at < 0 ? this.length : at + 1) - from;
      return at;
    }),
    vi.spyOn(String.prototype, 'startsWith').mockImplementation(function (this: string, sought, from) {
      read += sought.length;
      return startsWith.call(this, sought, from);
    }),
    vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
      const from = this.lastIndex;
      const found = exec.call(this, text);
      read += (found === null ? text.length : found.index + found[0].length) - from;
      return found;
    }),
  ];
  try {
    run();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return read;
}
