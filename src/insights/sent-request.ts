import { type Message, toChatMessage, type ToolSchema } from '../compaction/messages/message.ts';
import {
  type ToolHistory,
  toolsAt,
  type TranscriptEntry,
} from '../compaction/transcript/transcript-entry.ts';
import { project } from '../compaction/transcript/view.ts';

/** A request that the agent sent. Requests are not stored but derived from the transcript. */
export interface SentRequest {
  /** The model's reply. */
  readonly reply: Message;
  /** Number of transcript entries before the reply. */
  readonly entry: number;
  readonly tools: readonly ToolSchema[];
  readonly view: readonly Message[];
}

/** Two successive requests. */
export interface RequestPair {
  /** Number of the later request, counted from 1. */
  readonly number: number;
  readonly before: SentRequest;
  readonly after: SentRequest;
}

/**
 * Finds the request that a message answers, and the previous request.
 * @returns undefined if no model wrote the message, or if it answers the first request
 */
export function requestsAround(
  entries: readonly TranscriptEntry[],
  history: ToolHistory,
  messageId: string,
): RequestPair | undefined {
  const replies = entries.flatMap((entry, index) =>
    entry.type === 'message' && entry.message.role === 'assistant' ? [{ index, reply: entry.message }] : [],
  );
  const position = replies.findIndex(({ reply }) => reply.id === messageId);
  const [before, after] = [replies[position - 1], replies[position]].map(
    (found): SentRequest | undefined =>
      found && {
        reply: found.reply,
        entry: found.index,
        tools: toolsAt(history, found.index),
        view: project(entries.slice(0, found.index)),
      },
  );
  return before === undefined || after === undefined ? undefined : { number: position + 1, before, after };
}

const sentForms = new WeakMap<Message, string>();

/**
 * Returns the part of a message that is sent to a provider, as JSON. Reasoning is sent back only with the items that
 * its provider needs.
 */
export function sentForm(message: Message): string {
  const known = sentForms.get(message);
  if (known !== undefined) return known;
  const { reasoningItems, opaque } = message;
  const { reasoning_content: reasoning, ...chat } = toChatMessage(message);
  const form = JSON.stringify([
    chat,
    reasoningItems === undefined ? [] : [reasoning, reasoningItems],
    opaque,
  ]);
  sentForms.set(message, form);
  return form;
}

/** Counts the equal messages at the beginning of two views. */
export function messagesAlike(one: readonly Message[], other: readonly Message[]): number {
  return alike(one, other, (a, b) => a === b || sentForm(a) === sentForm(b));
}

/** Counts the equal tools at the beginning of two lists. */
export function toolsAlike(one: readonly ToolSchema[], other: readonly ToolSchema[]): number {
  return one === other ? one.length : alike(one, other, (a, b) => JSON.stringify(a) === JSON.stringify(b));
}

/** True if two models are known and differ. Models share no cache. */
export function isOtherModel(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** True if two requests contain the same tools in the same order. */
export function haveSameTools(one: readonly ToolSchema[], other: readonly ToolSchema[]): boolean {
  return one.length === other.length && toolsAlike(one, other) === one.length;
}

function alike<Piece>(
  one: readonly Piece[],
  other: readonly Piece[],
  isSame: (a: Piece, b: Piece) => boolean,
): number {
  let length = 0;
  while (length < one.length && length < other.length && isSame(one[length]!, other[length]!)) length++;
  return length;
}
