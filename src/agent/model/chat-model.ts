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

/** One request to a chat model. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSchema[];
  /** Tokens the reply may take; undefined leaves it to the provider. */
  readonly maxOutputTokens?: number | undefined;
  /** Of the whole answer, for an endpoint that takes one. */
  readonly answerSchema?: AnswerSchema | undefined;
  /** The tools are sent, as the cache has them, but none may be called. */
  readonly callsNoTools?: boolean;
  /**
   * Relation of the next request to this one: it continues after all of it, as those of a chat do and by default; it
   * begins alike and ends in another way; or they share nothing. Tells what is worth a place in the provider's cache.
   */
  readonly followedBy?: 'more' | 'another-end' | 'nothing-alike';
  /** Items that a provider put in place of earlier messages, by the position of the message that represents each. */
  readonly opaque?: ReadonlyMap<number, OpaqueItem> | undefined;
  /** Items that a provider wants back with an assistant message, by the position of the message. */
  readonly reasoningItems?: ReadonlyMap<number, ReasoningItems> | undefined;
}

/** Stands for an image in a request to a model that takes none. */
export const imageNotTaken = '[image left out: this model takes none]';

/** The request that says a view and nothing else. */
export function modelRequestOf(view: readonly Message[], tools: readonly ToolSchema[]): ModelRequest {
  return {
    messages: view.map(toChatMessage),
    tools,
    opaque: opaqueItems(view),
    reasoningItems: byPosition(view, ({ reasoningItems }) => reasoningItems),
  };
}

/** The items of a view that only their provider can read, by position; undefined if there are none. */
function opaqueItems(view: readonly Message[]): ReadonlyMap<number, OpaqueItem> | undefined {
  return byPosition(view, ({ opaque }) => opaque);
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
  /** Items that the provider wants back with this reply. */
  readonly reasoningItems?: ReasoningItems;
  /** As the provider reported it; undefined if it reports none. */
  readonly usage?: ReportedUsage;
}

/** Port: a chat model that can also summarise. */
export interface ChatModel extends SummaryModel {
  /** The name that is shown to people. */
  readonly label: string;
  /**
   * Streams a reply.
   *
   * @throws {ModelError} when the provider fails or the stream is cut; `cancelled` when the signal was aborted
   */
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

/** A model call that failed, in words that tell a person what to do. */
export class ModelError extends SentenceError {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  /** HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** For `overflow`: the limit and the size of the request as reported by the provider, in its tokens. */
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

/**
 * The calls of a reply with an id each that no other one has. Some servers leave ids out, or give the same to several
 * calls; a result has to name the one call that it answers.
 *
 * @param idFor an id for the call at a position
 */
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

/** A call that ended because its signal was aborted. */
export function stoppedCall(): ModelError {
  return new ModelError('cancelled', modelsSentences.say('stopped'));
}

/** @throws {ModelError} `cancelled` if the signal was aborted */
export function throwIfStopped(signal: CancellationSignal): void {
  if (signal.aborted) throw stoppedCall();
}
