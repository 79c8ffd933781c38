import { type Message, withContent, withoutOriginal } from './message.ts';

/** Messages kept for each original: strategies that are compared write other placeholders. */
const mostKept = 4;

const kept = new WeakMap<Message, readonly Message[]>();

/**
 * A message with a placeholder instead of its content. For the same placeholder it is the same message every time: what
 * is known of it, its tokens and its facts, is known wherever a strategy, a plan or a later attempt makes it.
 *
 * @param originalTokens size of the message as it was, in tokens
 */
export function placeheld(
  message: Message,
  fate: 'hide' | 'offload',
  placeholder: string,
  originalTokens: number,
): Message {
  const known = kept.get(message) ?? [];
  const same = known.find(
    ({ content, truncation }) =>
      content === placeholder && truncation?.fate === fate && truncation.originalTokens === originalTokens,
  );
  if (same !== undefined) return same;
  const made: Message = {
    ...withContent(withoutOriginal(message), placeholder),
    truncation: { fate, originalTokens },
  };
  kept.set(message, [made, ...known].slice(0, mostKept));
  return made;
}
