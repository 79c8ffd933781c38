import { pairCalls } from '../../src/compaction/messages/exchange.ts';
import {
  isBlank,
  isSystem,
  textOf,
  toMessage,
  type ChatMessage,
  type Message,
  type ToolCall,
} from '../../src/compaction/messages/message.ts';

/** The input of every engine: the same messages, window and target size. */
export interface PeerInput {
  /** Valid for the strictest endpoint; system messages only in front; every content is text. */
  readonly messages: readonly ChatMessage[];
  /** Tokens of the model's window. */
  readonly window: number;
  /** Tokens to come down to, for engines that take a size. */
  readonly target: number;
}

/**
 * Messages that every engine accepts, so that none fails for what a session had recorded badly: results directly
 * after their calls, in the order of the calls; no call without a result and no result without a call; every id used
 * once; system messages only in front, later ones as a program's message; text only, without visible thinking.
 */
export function validHistory(messages: readonly Message[]): readonly Message[] {
  const { resultsOf, unansweredOf } = pairCalls(messages);
  const used = new Set<string>();
  const valid: Message[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'tool') return;
    const { reasoning: _reasoning, tool_calls: calls = [], ...rest } = message;
    const plain = inFront(valid, { ...rest, content: textOf(message.content) });
    const unanswered = new Set(unansweredOf.get(index) ?? []);
    const answered = calls.filter((call) => !unanswered.has(call));
    if (answered.length === 0) {
      if (!isBlank(plain.content)) valid.push(plain);
      return;
    }
    const waiting = (resultsOf.get(index) ?? []).map((result) => messages[result]!);
    const renamed = answered.map((call): ToolCall => ({ ...call, id: unusedId(call.id, used) }));
    valid.push({ ...plain, tool_calls: renamed });
    answered.forEach((call, position) => {
      const [result] = waiting.splice(
        waiting.findIndex(({ tool_call_id: id }) => id === call.id),
        1,
      );
      if (result === undefined) return;
      const { reasoning: _none, ...kept } = result;
      valid.push({ ...kept, content: textOf(result.content), tool_call_id: renamed[position]!.id });
    });
  });
  return valid;
}

/** The system messages at the beginning, and the rest. */
export function splitSystem(messages: readonly ChatMessage[]): {
  readonly system: readonly ChatMessage[];
  readonly rest: readonly ChatMessage[];
} {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const end = first < 0 ? messages.length : first;
  return { system: messages.slice(0, end), rest: messages.slice(end) };
}

/** The result of an engine, as messages that can be counted and searched like ours. */
export function asMessages(view: readonly ChatMessage[]): readonly Message[] {
  return view.map((message, index) =>
    toMessage(message, { id: `peer-${index}`, origin: 'strategy', createdAt: '' }),
  );
}

/** A system message after any other becomes a message of the program: most peers have no place for it. */
function inFront(before: readonly Message[], message: Message): Message {
  if (!isSystem(message)) return message;
  if (before.every(isSystem)) return { ...message, role: 'system' };
  return { ...message, role: 'user', origin: 'harness' };
}

function unusedId(id: string, used: Set<string>): string {
  let unused = id;
  for (let copy = 2; used.has(unused); copy++) unused = `${id}-${copy}`;
  used.add(unused);
  return unused;
}
