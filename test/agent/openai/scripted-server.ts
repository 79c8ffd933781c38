import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messagesOfInput } from './input-messages.ts';
import { play, wasEndedByScript } from './play-reply.ts';
import type { RecordedRequest, ReplyFunction, RequestBody, ScriptedReply } from './scripted-reply.ts';
import { serverDialects, type DialectName, type ServerDialect } from './server-dialect.ts';
import { findRefusal, RequestCounter, type Refusal } from './strict-window.ts';

export interface ScriptedServerOptions {
  /** Dialect of the server; OpenAI by default. */
  readonly dialect?: DialectName | undefined;
  /** Tokens that a request may take. With a window, the server refuses larger and malformed requests itself. */
  readonly window?: number | undefined;
  /** Computes the reply to every request for which no reply was queued, as `replyWith` does. */
  readonly answer?: ReplyFunction | undefined;
}

/**
 * A real HTTP server on the loopback interface that speaks OpenAI's streaming protocols from a script. Replies are used
 * in their order, one a request, retries included; then the function given to `replyWith` answers, or status 400.
 *
 * ```ts
 * server.reply({ text: 'Hello there.', chunks: 3 }, { toolCalls: [{ name: 'read_file', arguments: { path: 'a.ts' } }] });
 * server.reply({ status: 429, headers: { 'retry-after': '1' } }, { text: 'Half an ans', then: 'cut' });
 * await (await server.request(0)).closed; // 'client' if the client disconnected
 * ```
 */
export class ScriptedServer {
  /** Base URL for a client. */
  readonly baseUrl: string;
  /** Refusals by the server itself, oldest first. */
  readonly refusals: Refusal[] = [];
  private readonly server: Server;
  private readonly dialect: ServerDialect;
  private readonly window: number | undefined;
  private readonly counter: RequestCounter | undefined;
  private readonly queue: ScriptedReply[] = [];
  private readonly recorded: RecordedRequest[] = [];
  private readonly waiting = new Map<number, (request: RecordedRequest) => void>();
  private fallback: ReplyFunction | undefined;

  static async start(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedServer(server, options);
  }

  private constructor(server: Server, options: ScriptedServerOptions) {
    this.server = server;
    this.dialect = serverDialects[options.dialect ?? 'openai'];
    this.window = options.window;
    this.counter = options.window === undefined ? undefined : new RequestCounter();
    this.fallback = options.answer;
    this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${this.dialect.basePath}`;
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
      // In many scripts a client disconnects during an answer.
      this.answer(incoming, response).catch(() => response.destroy());
    });
  }

  /** Adds replies to the end of the script. */
  reply(...replies: readonly ScriptedReply[]): this {
    this.queue.push(...replies);
    return this;
  }

  /** Answers all requests after the script has ended. */
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

  /** The request at a position, counted from 0; waits until it has arrived. */
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
    const request = await recordRequest(incoming, response, this.counter);
    this.recorded.push(request);
    this.waiting.get(this.recorded.length - 1)?.(request);
    const reply = this.refuse(request) ?? (await this.scripted(request));
    await play(await this.withUsage(reply, request), request, response, this.dialect);
  }

  private refuse(request: RecordedRequest): ScriptedReply | undefined {
    const path = request.path.split('?')[0] ?? '';
    if (!endpoints.some((endpoint) => path === `${this.dialect.basePath}${endpoint}`)) {
      return { status: 404, body: { error: { message: `There is nothing at ${request.path}.` } } };
    }
    const objection = this.dialect.objection?.(request);
    const refusal =
      objection === undefined
        ? this.window === undefined
          ? undefined
          : findRefusal(request, request.tokens ?? 0, this.window, this.dialect)
        : ({ reason: 'objection', request, reply: objection } as const);
    if (refusal !== undefined) this.refusals.push(refusal);
    return refusal?.reply;
  }

  private scripted(request: RecordedRequest): ScriptedReply | Promise<ScriptedReply> {
    const next = this.queue.shift() ?? this.fallback?.(request);
    return next ?? { status: 400, body: { error: { message: 'The script has no reply left.' } } };
  }

  private async withUsage(reply: ScriptedReply, request: RecordedRequest): Promise<ScriptedReply> {
    const isStream = !('hang' in reply) && !('status' in reply);
    if (!isStream || reply.usage !== undefined || request.tokens === undefined) return reply;
    const usage = await this.counter?.usageOf(reply, request.tokens);
    return usage === undefined ? reply : { ...reply, usage };
  }
}

const endpoints = ['/chat/completions', '/responses', '/responses/compact'];

async function recordRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  counter: RequestCounter | undefined,
): Promise<RecordedRequest> {
  let text = '';
  incoming.setEncoding('utf8');
  for await (const piece of incoming) text += String(piece);
  const body = (text === '' ? { model: '', messages: [] } : JSON.parse(text)) as RequestBody;
  let wasClosedByClient = false;
  const closed = once(response, 'close').then(() => {
    wasClosedByClient = !response.writableFinished && !wasEndedByScript(response);
    return wasClosedByClient ? 'client' : 'server';
  });
  const messages = body.input === undefined ? body.messages : messagesOfInput(body.input);
  const last = messages.at(-1)?.content;
  const tokens = await counter?.count(messages, body.tools);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    messages,
    ...(tokens === undefined ? {} : { tokens }),
    attempt: Number(incoming.headers['x-stainless-retry-count'] ?? 0),
    lastText: typeof last === 'string' ? last : JSON.stringify(last ?? ''),
    closed,
    get wasClosedByClient() {
      return wasClosedByClient;
    },
  };
}
