import { textOf, type Message } from '../../src/compaction/messages/message.ts';

const placeholder = '[output hidden]';

/**
 * The policy that strategies should beat: before every call, hides all but the newest N tool results. A result is
 * always replaced by the same message, as a provider's cache requires.
 */
export function maskAllButNewest(newest: number): (messages: readonly Message[]) => readonly Message[] {
  const hidden = new WeakMap<Message, Message>();
  const hide = (message: Message): Message => {
    const masked = hidden.get(message) ?? { ...message, content: placeholder };
    hidden.set(message, masked);
    return masked;
  };
  return (messages) => {
    const results = messages.filter(({ role }) => role === 'tool');
    const old = new Set(results.slice(0, Math.max(0, results.length - newest)));
    return messages.map((message) =>
      old.has(message) && textOf(message.content).length > placeholder.length ? hide(message) : message,
    );
  };
}
