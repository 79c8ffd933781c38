import {
  type ChatMessage,
  type Message,
  type OpaqueItem,
  type ReasoningItems,
  type ReportedUsage,
  toChatMessage,
  type ToolCall,
  type ToolSchema,
} from '../../compaction/messages/message.ts';
import type { AnswerSchema, SummaryModel } from '../../compaction/summary/summary-model.ts';
import type { Phrase } from '../../compaction/records/record.ts';
import { modelsSentences } from '../../language/english/models-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import type { CancellationSignal } from '../../compaction/signals/cancellation.ts';

/** A request to a chat model. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSchema[];
  /** Maximum tokens of the reply; undefined for the provider's default. */
  readonly maxOutputTokens?: number | undefined;
  /** Schema of the whole answer, for endpoints that support schemas. */
  readonly answerSchema?: AnswerSchema | undefined;
  /** True if tools are sent only to keep the cache valid, and may not be called. */
  readonly callsNoTools?: boolean;
  /** True if the model has to call a tool. */
  readonly mustCallTool?: boolean;
  /** The next request continues this one (`more`, the default), has another end, or has nothing in common. */
  readonly followedBy?: 'more' | 'another-end' | 'nothing-alike';
  /** Items that replace earlier messages at a provider, by the position of the message that has the item. */
  readonly opaque?: ReadonlyMap<number, OpaqueItem> | undefined;
  /** Items that must be sent back to a provider with an assistant message, by the position of the message. */
  readonly reasoningItems?: ReadonlyMap<number, ReasoningItems> | undefined;
}

/** Text in place of an image, in a request to a model that takes no images. */
export const imageNotTaken = '[image left out: this model takes none]';

/** Builds the request for a context, without options. */
export function modelRequestOf(view: readonly Message[], tools: readonly ToolSchema[]): ModelRequest {
  return {
    messages: view.map(toChatMessage),
    tools,
    opaque: byPosition(view, ({ opaque }) => opaque),
    reasoningItems: byPosition(view, ({ reasoningItems }) => reasoningItems),
  };
}

function byPosition<Item>(
  view: readonly Message[],
  itemOf: (message: Message) => Item | undefined,
): ReadonlyMap<number, Item> | undefined {
  const items = view.flatMap((message, position) => {
    const item = itemOf(message);
    return item === undefined ? [] : [[position, item] as const];
  });
  return items.length === 0 ? undefined : new Map(items);
}

/** Piece of a model's reply. `end` comes last and exactly once. */
export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'end'; readonly reply: ModelReply };

/** A complete reply of a model. */
export interface ModelReply {
  readonly content: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: 'stop' | 'length' | 'tool-calls' | 'other';
  readonly reasoningItems?: ReasoningItems;
  readonly usage?: ReportedUsage;
}

/** Port to a chat model that can also summarise. */
export interface ChatModel extends SummaryModel {
  readonly label: string;
  /** Streams a reply. @throws {ModelError} if the provider fails, or `cancelled` if the signal was aborted */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export type ModelErrorCode =
  | 'overflow'
  | 'unauthorised'
  | 'not-found'
  | 'rate-limited'
  | 'server'
  | 'network'
  | 'timeout'
  | 'cut-off'
  | 'invalid-response'
  | 'rejected'
  | 'cancelled';

/** Error of a model call. Its message tells the user what to do. */
export class ModelError extends SentenceError {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** The provider's limit and the size of the request in tokens, as reported with the code `overflow`. */
  readonly limit: number | undefined;
  readonly actual: number | undefined;

  constructor(
    code: ModelErrorCode,
    phrase: Phrase,
    details: {
      readonly status?: number | undefined;
      readonly limit?: number | undefined;
      readonly actual?: number | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    const sentence = typeof phrase === 'string' ? modelsSentences.say('asWritten', { text: phrase }) : phrase;
    super(sentence, { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.limit = details.limit;
    this.actual = details.actual;
  }
}

/** Gives the calls of a reply unique ids, because some servers omit or repeat ids. @param idFor makes a new id */
export function withOwnIds(
  calls: readonly ToolCall[],
  idFor: (position: number) => string,
): readonly ToolCall[] {
  const taken = new Set<string>(calls.map(({ id }) => id));
  const seen = new Set<string>();
  return calls.map((call, position) => {
    const isOwn = call.id !== '' && !seen.has(call.id);
    let id = isOwn ? call.id : idFor(position);
    for (let number = 2; !isOwn && taken.has(id); number++) id = `${idFor(position)}_${number}`;
    taken.add(id);
    seen.add(id);
    return isOwn ? call : { ...call, id };
  });
}

/** Returns the error of a call that ended because its signal was aborted. */
export function stoppedCall(): ModelError {
  return new ModelError('cancelled', modelsSentences.say('stopped'));
}

/** @throws {ModelError} `cancelled` if the signal was aborted */
export function throwIfStopped(signal: CancellationSignal): void {
  if (signal.aborted) throw stoppedCall();
}
