import type { ChatMessage } from '../../../src/compaction/messages/message.ts';

/** The name of the tool that a call id belongs to, which results of the chat shape do not carry. */
export function toolNames(messages: readonly ChatMessage[]): (callId: string) => string {
  const names = new Map<string, string>();
  for (const call of messages.flatMap(({ tool_calls: calls }) => calls ?? [])) {
    names.set(call.id, call.function.name);
  }
  return (callId) => names.get(callId) ?? 'unknown';
}
