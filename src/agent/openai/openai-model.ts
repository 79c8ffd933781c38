import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type {
  ResponseCompactParams,
  ResponseCreateParamsStreaming,
} from 'openai/resources/responses/responses';
import { type CancellationSignal, whenCancelled } from '../../compaction/signals/cancellation.ts';
import { imageParts } from '../../compaction/images/image-part.ts';
import type { Message } from '../../compaction/messages/message.ts';
import type {
  NativeCompaction,
  SummaryReply,
  SummaryRequest,
} from '../../compaction/summary/summary-model.ts';
import {
  type ChatModel,
  type ModelEvent,
  type ModelReply,
  type ModelRequest,
  throwIfStopped,
} from '../model/chat-model.ts';
import { KeyForms } from '../network/key-redactor.ts';
import { readProviderError } from '../model/provider-error.ts';
import { ReplyLimitError } from './reply-limits.ts';
import { type Chunk, readChunk, readResponsesEvent } from './stream-events.ts';
import { connectOpenai, type OpenaiConnection, type ConnectionOptions } from './connection.ts';
import { adaptedTo, standardDialect, type Api, type Dialect } from './dialect.ts';
import { FailureReader, isAboutImages, providerErrorOf } from './openai-failure.ts';
import {
  compactionBody,
  needsResponses,
  readCompaction,
  requestBody,
  responsesBody,
  summaryModelRequest,
} from './request-body.ts';
import { isWindowFull, ReplyAssembly } from './reply-assembly.ts';
import type { Reasoner } from './returned-reasoning.ts';
import { isRecord } from '../../language/is-record.ts';

/** Settings of the connection that have defaults. */
type ConnectionDefaults = {
  readonly [Name in Exclude<keyof ConnectionOptions, 'baseUrl' | 'apiKey'>]?:
    ConnectionOptions[Name] | undefined;
};

export interface OpenaiModelOptions
  extends ConnectionDefaults, Pick<ConnectionOptions, 'baseUrl' | 'apiKey'> {
  readonly model: string;
  readonly api?: Api | undefined;
  /** True if requests mark the parts to cache. The default is false. */
  readonly cacheMarks?: boolean | undefined;
  /** False if the model takes no images, which are then not sent. */
  readonly takesImages?: boolean | undefined;
  /** Called when the endpoint refuses a request because of its images. */
  readonly imagesRefused?: (() => void) | undefined;
  readonly window?: number | undefined;
  /** Name shown to the user. The default is the model's name. */
  readonly label?: string | undefined;
}

/** Milliseconds that Node's fetch waits for the head of a response. No option can extend this time. */
const defaultTimeout = 300_000;
const defaultIdleTimeout = 150_000;
const defaultRetries = 2;

/** A model behind an OpenAI-compatible endpoint. The SDK is loaded with the first request. */
export class OpenaiModel implements ChatModel {
  readonly id: string;
  readonly label: string;
  readonly window: number | undefined;
  readonly continuesRequests = true;
  private readonly api: Api;
  private readonly options: ConnectionOptions;
  private readonly reasoner: Reasoner;
  private readonly failures: FailureReader;
  private readonly key: KeyForms;
  private readonly imagesRefused: () => void;
  private connection: Promise<OpenaiConnection> | undefined;
  private dialect: Dialect;

  constructor(options: OpenaiModelOptions) {
    this.id = options.model;
    this.label = options.label ?? options.model;
    this.window = options.window;
    this.api = options.api ?? 'chat';
    this.dialect = {
      ...standardDialect,
      cacheMarks: options.cacheMarks === true ? 'everywhere' : 'nowhere',
      images: options.takesImages !== false,
    };
    this.imagesRefused = options.imagesRefused ?? (() => undefined);
    this.reasoner = { endpoint: options.baseUrl, model: options.model };
    this.options = {
      baseUrl: options.baseUrl,
      // Pasted keys may end with a line feed.
      apiKey: options.apiKey?.trim() || undefined,
      authentication: options.authentication ?? 'bearer',
      defaultQuery: options.defaultQuery ?? {},
      timeoutMs: options.timeoutMs ?? defaultTimeout,
      maxRetries: options.maxRetries ?? defaultRetries,
      idleTimeoutMs: options.idleTimeoutMs ?? defaultIdleTimeout,
    };
    this.key = new KeyForms(this.options.apiKey);
    this.failures = new FailureReader(this.options, options.model, this.key);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    throwIfStopped(signal);
    this.failures.checkOptions();
    this.connection ??= connectOpenai(this.options);
    const connection = await this.connection;
    const chunks = await this.open(connection, request, signal);
    const reply = new ReplyAssembly(this.reasoner, this.key);
    try {
      for await (const data of chunks) yield* reply.add(this.read(data, request));
    } catch (error) {
      yield* reply.end();
      throwIfStopped(signal);
      // After the end of the reply, only the usage can be lost.
      if (reply.finishReason === undefined || error instanceof ReplyLimitError)
        throw this.failures.read(error, connection.sdk, true);
    }
    yield* reply.end();
    // The SDK ends an aborted stream without an error.
    throwIfStopped(signal);
    const { finishReason } = reply;
    if (finishReason === undefined) throw this.failures.cutOff();
    if (isWindowFull(finishReason) && reply.isEmpty) {
      throw this.failures.refusal({ code: 'context_length_exceeded', message: '' });
    }
    yield { type: 'end', reply: reply.finish() };
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

  /** Compacts with OpenAI's `POST /responses/compact`. @returns the item that replaces the messages */
  async compactNatively(messages: readonly Message[], signal: CancellationSignal): Promise<NativeCompaction> {
    this.failures.checkOptions();
    this.connection ??= connectOpenai(this.options);
    const { client, sdk } = await this.connection;
    try {
      const body = compactionBody(messages, this.reasoner, this.dialect) as unknown as ResponseCompactParams;
      const response: unknown = await stoppable(signal, (stop) =>
        client.responses.compact(body, { signal: stop }),
      );
      const compaction = readCompaction(response, this.reasoner.endpoint);
      if (compaction === undefined) throw this.failures.unreadable('hostSentNoCompaction');
      return this.key.redactJson(compaction);
    } catch (error) {
      throw this.failures.read(error, sdk, false);
    }
  }

  /** Returns the API for a request. Items from a provider's compaction always need that provider's Responses API. */
  private apiFor(request: ModelRequest): Api {
    return needsResponses(request, this.reasoner.endpoint) ? 'responses' : this.api;
  }

  private read(data: unknown, request: ModelRequest): Chunk {
    if (this.apiFor(request) === 'chat') return readChunk(data);
    const event = readResponsesEvent(data);
    if ('error' in event) throw this.failures.refusal(event.error);
    return event;
  }

  private async replyTo(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    for await (const event of this.stream(request, signal)) if (event.type === 'end') return event.reply;
    throw this.failures.cutOff();
  }

  /** Sends the request. Repeats it in other dialects as long as the server rejects a parameter. */
  private async open(
    connection: OpenaiConnection,
    request: ModelRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<unknown>> {
    const { sdk, client } = connection;
    const { reasoner } = this;
    const api = this.apiFor(request);
    for (;;) {
      const { dialect } = this;
      try {
        const sent =
          api === 'responses'
            ? client.responses.create(
                responsesBody(request, reasoner, dialect) as unknown as ResponseCreateParamsStreaming,
                { signal },
              )
            : client.chat.completions.create(
                requestBody(request, reasoner, dialect) as unknown as ChatCompletionCreateParamsStreaming,
                { signal },
              );
        const { data, response } = await sent.withResponse();
        const failure = await this.notAStream(response);
        if (failure === undefined) return data;
        throw failure;
      } catch (error) {
        throwIfStopped(signal);
        if (error instanceof sdk.APIError && hasImages(request) && isAboutImages(providerErrorOf(error)))
          this.imagesRefused();
        const next =
          error instanceof sdk.APIError ? adaptedTo(providerErrorOf(error), dialect, api) : undefined;
        if (next === undefined) throw this.failures.read(error, sdk, false);
        this.dialect = next;
      }
    }
  }

  /** Returns an error for an answer that is not a stream: an error with a success status, or a web page. */
  private async notAStream(response: Response): Promise<Error | undefined> {
    const type = response.headers.get('content-type') ?? '';
    if (/html/i.test(type)) {
      await response.body?.cancel();
      return this.failures.unreadable('hostSentHtml');
    }
    if (!/json/i.test(type) || /event-stream/i.test(type)) return undefined;
    const body: unknown = await response.json().catch(() => undefined);
    return isRecord(body) && body['error'] != null
      ? this.failures.refusal(readProviderError(body))
      : this.failures.unreadable('hostSentNoStream');
  }
}

function hasImages({ messages }: ModelRequest): boolean {
  return messages.some(({ content }) => imageParts(content).length > 0);
}

async function stoppable<T>(signal: CancellationSignal, run: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stopListening = whenCancelled(signal, () => stopping.abort());
  try {
    return await run(stopping.signal);
  } finally {
    stopListening();
  }
}
