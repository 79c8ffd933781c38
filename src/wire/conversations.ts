import { type Message, textOf } from '../compaction/messages/message.ts';
import { parseShallow } from '../compaction/text/parse-json.ts';
import { isRecord } from '../language/is-record.ts';
import { messageKey } from './message-key.ts';
import type { WireMessage, WireRequest } from './wire.ts';

/** A conversation as far as requests are compared with it. */
export interface KnownConversation {
  /** The messages of its last request and the reply to it. */
  readonly view: readonly Message[];
  /** Id that the client gave its session, if any. */
  readonly session: string | undefined;
}

/** Minimum characters of a reply that shows, as a part of a later message, where that message came from. */
const tellingReply = 40;

/**
 * Finds the conversation that a request continues, by its content. It repeats the conversation's beginning, or one of
 * its calls, or it begins with the summary that the conversation's last reply is.
 *
 * @param known most recently used first
 * @returns undefined if the request begins a conversation
 */
export function conversationOf<Known extends KnownConversation>(
  { messages }: WireRequest,
  session: string | undefined,
  known: readonly Known[],
): Known | undefined {
  const same = known.filter(
    (one) => session === undefined || one.session === undefined || one.session === session,
  );
  const calls = new Set(messages.flatMap(({ chat }) => (chat.tool_calls ?? []).map(({ id }) => id)));
  const scored = same
    .map((one) => ({ one, shared: sharedBeginning(one.view, messages) }))
    .filter(({ one, shared }) => continues(one.view, shared) || repeatsCall(one.view, calls))
    .toSorted((one, other) => other.shared - one.shared);
  return scored[0]?.one ?? same.find(({ view }) => isSummarisedBy(view, messages));
}

function sharedBeginning(view: readonly Message[], sent: readonly WireMessage[]): number {
  let length = 0;
  while (
    length < view.length &&
    length < sent.length &&
    messageKey(view[length]!) === messageKey(sent[length]!.chat)
  ) {
    length++;
  }
  return length;
}

/** True if the equal beginning includes the first prompt and at least one reply. */
function continues(view: readonly Message[], shared: number): boolean {
  const beginning = view.slice(0, shared);
  return ['user', 'assistant'].every((role) => beginning.some((message) => message.role === role));
}

function repeatsCall(view: readonly Message[], calls: ReadonlySet<string>): boolean {
  // Ids of calls that have none in the protocol are numbered and tell nothing.
  return view.some(({ tool_calls: made = [] }) => made.some(({ id }) => !id.includes('#') && calls.has(id)));
}

/** True if a request without the conversation's messages contains its last reply: the client compacted it. */
function isSummarisedBy(view: readonly Message[], sent: readonly WireMessage[]): boolean {
  const last = view.at(-1);
  const reply = last?.role === 'assistant' ? textOf(last.content).trim() : '';
  if (reply.length < tellingReply) return false;
  // Clients cut elements such as an analysis out of a summary, so its end decides.
  const end = reply.slice(-Math.max(tellingReply, Math.floor(reply.length / 4)));
  return sent.some(
    ({ chat }) => chat.role !== 'assistant' && textOf(chat.content).includes(withoutLastTag(end)),
  );
}

/** The text without a closing tag at its end, which clients remove. */
function withoutLastTag(text: string): string {
  return text.replace(/\s*<\/[\w-]{1,40}>\s*$/u, '');
}

/** The call in another conversation that started this one. */
export interface StartingCall<Known> {
  readonly parent: Known;
  readonly callId: string;
}

/**
 * Finds the call that started a sub-agent: one of its arguments is, or contains, the first user message.
 *
 * @returns undefined if no conversation made such a call
 */
export function startingCallOf<Known extends KnownConversation>(
  { messages }: WireRequest,
  known: readonly Known[],
): StartingCall<Known> | undefined {
  const asked = messages.filter(({ chat }) => chat.role === 'user').map(({ chat }) => textOf(chat.content));
  for (const parent of known) {
    for (const { tool_calls: calls = [] } of parent.view.toReversed()) {
      const call = calls.find(({ function: called }) =>
        longTexts(called.arguments).some((text) => asked.some((one) => one.includes(text))),
      );
      if (call !== undefined) return { parent, callId: call.id };
    }
  }
  return undefined;
}

/** Minimum characters of an argument that can be the task of a sub-agent. It has words, so it is no path. */
const shortestTask = 20;

function longTexts(json: string): readonly string[] {
  const parsed = parseShallow(json)?.value;
  const values = isRecord(parsed) ? Object.values(parsed) : [];
  return values.filter(
    (value): value is string =>
      typeof value === 'string' && value.length >= shortestTask && /\S\s+\S/u.test(value),
  );
}
