import { pairCalls } from '../compaction/messages/exchange.ts';
import type { Message, ToolCall } from '../compaction/messages/message.ts';
import { joinedFrames, typedIn } from '../transcripts/reading/transcript-format.ts';
import type { WireMessage, WireReply } from './wire.ts';

/** A message without id and time, which only a transcript has. */
type Unstamped = Omit<Message, 'id' | 'createdAt'>;

/**
 * Returns the messages of a request as messages of a transcript.
 *
 * @param isOfSubAgent true if a model wrote the user messages
 */
export function requestMessages(
  messages: readonly WireMessage[],
  isOfSubAgent: boolean,
): readonly Unstamped[] {
  const { orphans } = pairCalls(
    messages.map(({ chat }) => ({ ...chat, id: '', origin: 'tool', createdAt: '' })),
  );
  return messages.map(({ chat, isError }, at): Unstamped => {
    // Gemini CLI sends the results of a session that it resumes twice.
    if (orphans.has(at)) return { role: 'user', content: chat.content, origin: 'tool' };
    const { reasoning_content: reasoning, ...said } = chat;
    return {
      ...said,
      ...(isError === true && { isError }),
      // The request returns this reasoning, so that its tokens count.
      ...(reasoning !== undefined && { reasoning, reasoningItems: { endpoint: '', model: '', items: [] } }),
      ...originOf(chat, isOfSubAgent),
    };
  });
}

function originOf(
  { role, content }: WireMessage['chat'],
  isOfSubAgent: boolean,
): Pick<Message, 'origin'> & Pick<Partial<Message>, 'typed'> {
  switch (role) {
    case 'assistant':
      return { origin: 'model' };
    case 'tool':
      return { origin: 'tool' };
    case 'user':
      return isOfSubAgent
        ? { origin: 'model' }
        : { origin: 'person', ...typedIn({ content }, undefined, joinedFrames) };
    case 'system':
    case 'developer':
      return { origin: 'harness' };
  }
}

/**
 * Returns a reply as a message of a transcript; undefined if the model said nothing and made no call.
 *
 * @param sent messages of the answered request
 */
export function repliedMessage(
  { chat, usage, model, isComplete }: WireReply,
  sent: readonly Unstamped[],
): Unstamped | undefined {
  const { reasoning_content: reasoning, tool_calls: calls = [], ...said } = chat;
  if (said.content === null && calls.length === 0) return undefined;
  return {
    ...said,
    ...(calls.length > 0 && { tool_calls: withNumbers(calls, sent) }),
    origin: 'model',
    ...(reasoning !== undefined && { reasoning }),
    ...(usage !== undefined && { usage }),
    ...(model !== undefined && { modelId: model }),
    ...(!isComplete && { interrupted: true }),
  };
}

/** Gives ids to calls of a provider that gives them none, numbered like those in a request. */
function withNumbers(calls: readonly ToolCall[], sent: readonly Unstamped[]): readonly ToolCall[] {
  const earlier = sent.reduce((total, { tool_calls: made = [] }) => total + made.length, 0);
  return calls.map((call, at) =>
    call.id === '' ? { ...call, id: numberedCall(call.function.name, earlier + at + 1) } : call,
  );
}

/** Id of a call without an id, by its number in the conversation, counted from 1. */
export function numberedCall(name: string, number: number): string {
  return `${name}#${number}`;
}
