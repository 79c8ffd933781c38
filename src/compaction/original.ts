import { textOf, type Message } from './message.ts';

/** All of a message's text, also where it came into view in a shortened form. */
export function originalText({ original, content }: Message): string {
  return original ?? textOf(content);
}

/** The message as it is in view, for what has no use for the whole text. The same one where there is none. */
export function withoutOriginal(message: Message): Message {
  if (message.original === undefined) return message;
  const { original: _original, ...shown } = message;
  return shown;
}
