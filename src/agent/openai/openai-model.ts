import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { CancellationSignal } from '../../compaction/cancellation.ts';
import type { ReportedUsage } from '../../compaction/message.ts';
import type { SummaryReply, SummaryRequest } from '../../compaction/summary/model.ts';
import type { ChatModel, ModelEvent, ModelReply, ModelRequest } from '../model.ts';
import { isRecord, readProviderError } from '../provider-error.ts';
import { readChunk } from './chunk.ts';
import { connect, type Connection, type ConnectionOptions } from './connection.ts';
import { cancelled, FailureReader, providerErrorOf } from './failure.ts';
import {
  adaptedTo,
  requestBody,
  standardDialect,
  summaryModelRequest,
  type Dialect,
} from './request-body.ts';
import { ToolCallAssembly } from './tool-call-assembly.ts';

export interface OpenaiModelOptions {
  /** Of any OpenAI-compatible endpoint, for example `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Undefined for servers that want none: no `Authorization` is sent then. */
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Tokens of input and output together. */
  readonly window?: number | undefined;
  /** What people see; the model's name where it is not given. */
  readonly label?: string | undefined;
  /** Milliseconds until the server has to have begun its answer. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent anew after a rate limit, a server error or a lost connection. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds that a stream may be silent. */
  readonly idleTimeoutMs?: number | undefined;
}

/** Node's fetch waits no longer for the head of a response, whatever it is told. */
const defaultTimeout = 300_000;
const defaultIdleTimeout = 120_000;
const defaultRetries = 2;

/** A model behind an OpenAI-compatible chat completions endpoint. The SDK is loaded with the first request. */
export class OpenaiModel implements ChatModel {
  readonly id: string;
  readonly label: string;
  readonly window: number | undefined;
  readonly continuesRequests = true;
  private readonly options: ConnectionOptions;
  private readonly failures: FailureReader;
  private connection: Promise<Connection> | undefined;
  private dialect: Dialect = standardDialect;

  constructor(options: OpenaiModelOptions) {
    this.id = options.model;
    this.label = options.label ?? options.model;
    this.window = options.window;
    this.options = {
      baseUrl: options.baseUrl,
      // What was pasted may end with a line feed.
      apiKey: options.apiKey?.trim() || undefined,
      timeoutMs: options.timeoutMs ?? defaultTimeout,
      maxRetries: options.maxRetries ?? defaultRetries,
      idleTimeoutMs: options.idleTimeoutMs ?? defaultIdleTimeout,
    };
    this.failures = new FailureReader(this.options, options.model);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    throwIfStopped(signal);
    this.failures.checkOptions();
    this.connection ??= connect(this.options);
    const connection = await this.connection;
    const chunks = await this.open(connection, request, signal);
    const calls = new ToolCallAssembly();
    let content = '';
    let reasoning = '';
    let finishReason: string | undefined;
    let usage: ReportedUsage | undefined;
    try {
      for await (const data of chunks) {
        const chunk = readChunk(data);
        for (const call of chunk.toolCalls) calls.add(call);
        finishReason ??= chunk.finishReason;
        usage = chunk.usage ?? usage;
        if (chunk.reasoning !== '') {
          reasoning += chunk.reasoning;
          yield { type: 'reasoning-delta', text: chunk.reasoning };
        }
        if (chunk.text !== '') {
          content += chunk.text;
          yield { type: 'text-delta', text: chunk.text };
        }
      }
    } catch (error) {
      throwIfStopped(signal);
      // What is lost behind the end of the reply is its usage at most.
      if (finishReason === undefined) throw this.failures.read(error, connection.sdk, true);
    }
    // The SDK ends an aborted stream as if it had been read to its end.
    throwIfStopped(signal);
    if (finishReason === undefined) throw this.failures.cutOff();
    const toolCalls = calls.finish();
    const reply: ModelReply = {
      content,
      reasoning,
      toolCalls,
      finishReason: readFinishReason(finishReason, toolCalls.length > 0),
      ...(usage === undefined ? {} : { usage }),
    };
    yield { type: 'end', reply };
  }

  async summarise(request: SummaryRequest, signal: CancellationSignal): Promise<SummaryReply> {
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { content, finishReason, usage } = await this.replyTo(
        summaryModelRequest(request),
        stopping.signal,
      );
      return {
        content,
        finishReason: finishReason === 'tool-calls' ? 'other' : finishReason,
        ...(usage === undefined ? {} : { usage }),
      };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  private async replyTo(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    for await (const event of this.stream(request, signal)) if (event.type === 'end') return event.reply;
    throw this.failures.cutOff();
  }

  /** Sends the request, in another dialect where the server does not understand this one, until it answers. */
  private async open(
    connection: Connection,
    request: ModelRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<unknown>> {
    const { sdk, client } = connection;
    for (;;) {
      const body = requestBody(this.id, request, this.dialect);
      try {
        const { data, response } = await client.chat.completions
          .create(body as unknown as ChatCompletionCreateParamsStreaming, { signal })
          .withResponse();
        const failure = await this.notAStream(response);
        if (failure === undefined) return data;
        throw failure;
      } catch (error) {
        throwIfStopped(signal);
        const dialect =
          error instanceof sdk.APIError ? adaptedTo(providerErrorOf(error), this.dialect) : undefined;
        if (dialect === undefined) throw this.failures.read(error, sdk, false);
        this.dialect = dialect;
      }
    }
  }

  /** An answer of another type is an error that calls itself a success, or a page of some other server. */
  private async notAStream(response: Response): Promise<Error | undefined> {
    const type = response.headers.get('content-type') ?? '';
    if (/html/i.test(type)) {
      await response.body?.cancel();
      return this.failures.unreadable('answered with a web page');
    }
    if (!/json/i.test(type) || /event-stream/i.test(type)) return undefined;
    const body: unknown = await response.json().catch(() => undefined);
    return isRecord(body) && body['error'] != null
      ? this.failures.refusal(readProviderError(body))
      : this.failures.unreadable('did not answer with a stream');
  }
}

function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled();
}

function readFinishReason(reason: string, hasToolCalls: boolean): ModelReply['finishReason'] {
  if (reason === 'length') return 'length';
  // Some servers say `stop` behind tool calls.
  if (hasToolCalls) return 'tool-calls';
  return reason === 'stop' ? 'stop' : 'other';
}
