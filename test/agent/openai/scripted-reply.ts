import type { IncomingMessage } from 'node:http';
import type { ChatMessage, ReportedUsage, ToolSchema } from '../../../src/compaction/messages/message.ts';

/** A reply for a `ScriptedServer` to send, and its record of each request. */

export type ReplyFunction = (request: RecordedRequest) => ScriptedReply | Promise<ScriptedReply>;

/** A stream, a response with a status, or nothing at all until the client gives up. */
export type ScriptedReply = StreamReply | StatusReply | { readonly hang: true };

export interface StreamReply {
  /** Text of the reply. Pieces of an async iterable are sent as they arrive, so that a test can set the pace. */
  readonly text?: string | AsyncIterable<string>;
  /** Number of pieces of the text; 1 by default. */
  readonly chunks?: number;
  readonly reasoning?: string;
  /** Field of the reasoning; by default that of the server's dialect. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  /** Parts the client has to send back: pieces of `reasoning_details`, or reasoning items of the Responses API. */
  readonly reasoningItems?: readonly unknown[];
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Format in which the server writes calls; `openai` by default. */
  readonly toolCallStyle?: ToolCallStyle;
  /**
   * Sent after the reply if the request asks for it, as OpenAI does. With a window, the default is the
   * server's own count.
   */
  readonly usage?: ReportedUsage;
  /** Derived from the reply by default. */
  readonly finishReason?: string;
  /** Further chunks before the end, sent unchanged, for forms that nothing else here makes. */
  readonly chunkData?: readonly unknown[];
  /**
   * Events after text and calls. `done`: finish reason, usage and `[DONE]`. All others leave those out: `end`
   * closes the response in good order, `cut` destroys the socket, `silence` sends nothing more and stays open,
   * `error` sends an error object, `raw` sends a string unchanged.
   */
  readonly then?: 'done' | 'end' | 'cut' | 'silence' | { readonly error: unknown } | { readonly raw: string };
}

export interface StatusReply {
  readonly status: number;
  /** A string is sent unchanged, other values as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ScriptedToolCall {
  readonly name: string;
  /** A string is sent unchanged, so that it can be malformed. */
  readonly arguments: unknown;
  readonly id?: string;
}

/**
 * `openai`: id and name first, then the arguments in pieces, with an index. `interleaved`: the same, pieces of
 * parallel calls mixed. `no-index`: as `openai` without indices. `whole`: each call in one piece, no index.
 * `whole-batch`: all calls in one chunk, no index and no ids. `same-index`: each call in one piece, all with
 * index 0. `repeated`: id, name and index with every piece.
 */
export type ToolCallStyle =
  'openai' | 'interleaved' | 'no-index' | 'whole' | 'whole-batch' | 'same-index' | 'repeated';

/** A request as the server received it. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: RequestBody;
  /** The messages in chat format, whichever API the request uses. */
  readonly messages: readonly ChatMessage[];
  /** Tokens of messages and tools, if the server has a window. */
  readonly tokens?: number;
  /** 0 for a first attempt, as the client counts. */
  readonly attempt: number;
  /** Text of the last message, for replies that depend on it. */
  readonly lastText: string;
  /** The side that ended the exchange, once it is over. `client`: before the server had sent everything. */
  readonly closed: Promise<'client' | 'server'>;
  /** True once the client has closed the connection. */
  readonly wasClosedByClient: boolean;
}

export interface RequestBody {
  readonly model: string;
  /** Chat completions only. */
  readonly messages: readonly ChatMessage[];
  /** Responses API only. */
  readonly input?: readonly InputItem[];
  readonly tools?: readonly ToolSchema[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly max_completion_tokens?: number;
  readonly max_tokens?: number;
}

/** An item of a request to the Responses API. */
export type InputItem = Readonly<Record<string, unknown>>;
