import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type {
  ResponseCompactParams,
  ResponseCreateParamsStreaming,
} from 'openai/resources/responses/responses';
import type { CancellationSignal } from '../../compaction/cancellation.ts';
import { toChatMessage, type Message, type ReportedUsage } from '../../compaction/message.ts';
import type { NativeCompaction, SummaryReply, SummaryRequest } from '../../compaction/summary/model.ts';
import {
  opaqueItems,
  type ChatModel,
  type ModelEvent,
  type ModelReply,
  type ModelRequest,
} from '../model.ts';
import { isRecord, readProviderError } from '../provider-error.ts';
import { readChunk, type Chunk } from './chunk.ts';
import { connect, type Connection, type ConnectionOptions } from './connection.ts';
import { cancelled, FailureReader, providerErrorOf } from './failure.ts';
import {
  adaptedTo,
  requestBody,
  standardDialect,
  summaryModelRequest,
  type Dialect,
} from './request-body.ts';
import { inputItems, needsResponses, responsesBody } from './responses-body.ts';
import { readResponsesEvent, usageIn } from './responses-event.ts';
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
        const chunk = this.read(data, request);
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
    const { content, finishReason, usage } = await stoppable(signal, (stop) =>
      this.replyTo(summaryModelRequest(request), stop),
    );
    return {
      content,
      finishReason: finishReason === 'tool-calls' ? 'other' : finishReason,
      ...(usage === undefined ? {} : { usage }),
    };
  }

  /** OpenAI's own compaction, `POST /responses/compact`. What comes back is the item that holds the rest. */
  async compactNatively(messages: readonly Message[], signal: CancellationSignal): Promise<NativeCompaction> {
    this.failures.checkOptions();
    this.connection ??= connect(this.options);
    const { client, sdk } = await this.connection;
    const opaque = opaqueItems(messages);
    const { baseUrl: endpoint } = this.options;
    const input = inputItems(messages.map(toChatMessage), (position) => {
      const item = opaque?.get(position);
      return item?.endpoint === endpoint ? item : undefined;
    });
    try {
      const body = { model: this.id, input } as unknown as ResponseCompactParams;
      const response: unknown = await stoppable(signal, (stop) =>
        client.responses.compact(body, { signal: stop }),
      );
      const content = compactionIn(response);
      if (content === undefined) throw this.failures.unreadable('sent no compaction');
      const usage = usageIn(response);
      return { item: { endpoint, content }, ...(usage === undefined ? {} : { usage }) };
    } catch (error) {
      throw this.failures.read(error, sdk, false);
    }
  }

  private read(data: unknown, request: ModelRequest): Chunk {
    if (!needsResponses(request, this.options.baseUrl)) return readChunk(data);
    const event = readResponsesEvent(data);
    if ('error' in event) throw this.failures.refusal(event.error);
    return event;
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
    const { baseUrl } = this.options;
    for (;;) {
      try {
        const sent = needsResponses(request, baseUrl)
          ? client.responses.create(
              responsesBody(this.id, request, baseUrl) as unknown as ResponseCreateParamsStreaming,
              { signal },
            )
          : client.chat.completions.create(
              requestBody(this.id, request, this.dialect) as unknown as ChatCompletionCreateParamsStreaming,
              { signal },
            );
        const { data, response } = await sent.withResponse();
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

/** Runs something that takes a platform's signal under one that is only known by its contract. */
async function stoppable<T>(signal: CancellationSignal, run: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await run(stopping.signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The encrypted content of the compaction among the items that came back. */
function compactionIn(response: unknown): string | undefined {
  const output: unknown = isRecord(response) ? response['output'] : undefined;
  if (!Array.isArray(output)) return undefined;
  const item: unknown = output.findLast((entry) => isRecord(entry) && entry['type'] === 'compaction');
  const content = isRecord(item) ? item['encrypted_content'] : undefined;
  return typeof content === 'string' && content !== '' ? content : undefined;
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
