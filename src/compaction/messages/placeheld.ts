import { type Message, withContent, withoutOriginal } from './message.ts';

/** Number of copies kept for each message. Compared strategies write different placeholders. */
const mostKept = 4;

const kept = new WeakMap<Message, readonly Message[]>();

/** Replaces a content with a placeholder. Equal placeholders give one object, whose tokens are cached. */
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
