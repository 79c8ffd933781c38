import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { play, wasEndedByScript } from './play-reply.ts';
import type { RecordedRequest, ReplyFunction, RequestBody, ScriptedReply } from './scripted-reply.ts';

/**
 * A real HTTP server on the loopback interface that speaks OpenAI's streaming chat completions protocol from a
 * script. For every suite that needs a model which says what the test wants it to say.
 *
 * ```ts
 * const server = await ScriptedServer.start();
 * const model = new OpenaiModel({ baseUrl: server.baseUrl, apiKey: 'key', model: 'scripted' });
 *
 * server.reply({ text: 'Hello there.', chunks: 3, usage: { inputTokens: 12, outputTokens: 3 } });
 * server.reply({ toolCalls: [{ name: 'read_file', arguments: { path: 'a.ts' } }] });
 * server.reply({ status: 429, headers: { 'retry-after': '1' }, body: { error: { message: 'Slow down.' } } });
 * server.reply({ text: 'Half an ans', then: 'cut' });
 * server.replyWith((request) => ({ text: `You said: ${request.lastText}` }));
 *
 * const request = await server.request(0); // waits until it has arrived
 * await request.closed;                    // 'client' where the client hung up
 * await server.close();
 * ```
 *
 * Replies are used in the order they were given, one a request, retries included. When none is left the function
 * given to `replyWith` answers; without one the request is refused with status 400, which no client retries.
 */
export class ScriptedServer {
  /** What a client is given as its base URL. */
  readonly baseUrl: string;
  private readonly server: Server;
  private readonly queue: ScriptedReply[] = [];
  private readonly recorded: RecordedRequest[] = [];
  private readonly waiting = new Map<number, (request: RecordedRequest) => void>();
  private fallback: ReplyFunction | undefined;

  static async start(): Promise<ScriptedServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedServer(server);
  }

  private constructor(server: Server) {
    this.server = server;
    this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
      // A client that hangs up while it is being answered is part of many scripts.
      this.answer(incoming, response).catch(() => response.destroy());
    });
  }

  /** Adds replies to the end of the script. */
  reply(...replies: readonly ScriptedReply[]): this {
    this.queue.push(...replies);
    return this;
  }

  /** Answers every request that comes when the script has run out. */
  replyWith(fallback: ReplyFunction): this {
    this.fallback = fallback;
    return this;
  }

  /** All requests so far, oldest first. */
  get requests(): readonly RecordedRequest[] {
    return this.recorded;
  }

  /** Requests that the client marked as another attempt of an earlier one. */
  get retries(): number {
    return this.recorded.filter((request) => request.attempt > 0).length;
  }

  /** The request with that position, counted from 0; waits for it where it has not come yet. */
  request(position: number): Promise<RecordedRequest> {
    const known = this.recorded[position];
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.waiting.set(position, resolve));
  }

  /** Hangs up on everybody and stops listening. */
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await recordRequest(incoming, response);
    this.recorded.push(request);
    this.waiting.get(this.recorded.length - 1)?.(request);
    await play(await this.replyFor(request), request, response);
  }

  private replyFor(request: RecordedRequest): ScriptedReply | Promise<ScriptedReply> {
    if (!request.path.endsWith('/v1/chat/completions')) {
      return { status: 404, body: { error: { message: `There is nothing at ${request.path}.` } } };
    }
    const next = this.queue.shift() ?? this.fallback?.(request);
    return next ?? { status: 400, body: { error: { message: 'The script has no reply left.' } } };
  }
}

async function recordRequest(incoming: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  let text = '';
  incoming.setEncoding('utf8');
  for await (const piece of incoming) text += String(piece);
  const body = (text === '' ? { model: '', messages: [] } : JSON.parse(text)) as RequestBody;
  let wasClosedByClient = false;
  const closed = once(response, 'close').then(() => {
    wasClosedByClient = !response.writableFinished && !wasEndedByScript(response);
    return wasClosedByClient ? 'client' : 'server';
  });
  const last = body.messages.at(-1)?.content;
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    attempt: Number(incoming.headers['x-stainless-retry-count'] ?? 0),
    lastText: typeof last === 'string' ? last : JSON.stringify(last ?? ''),
    closed,
    get wasClosedByClient() {
      return wasClosedByClient;
    },
  };
}
