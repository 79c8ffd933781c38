import type { InspectorState } from '../../src/protocol/inspector.ts';

/** Whether what is shown is the chat itself. Sub-agents and sessions of other agents can only be looked at. */
export function canChange({ sessionId, chatId, messageCount }: InspectorState): boolean {
  return sessionId === chatId && messageCount === undefined;
}
