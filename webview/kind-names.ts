import type { Kind } from '../src/compaction/message.ts';

/** What tokens are for, in a person's words. */
export const kindNames: Readonly<Record<Kind, string>> = {
  system: 'System',
  tools: 'Tool schemas',
  memory: 'Memory',
  user: 'You',
  assistant: 'Assistant',
  reasoning: 'Thinking',
  toolCall: 'Tool calls',
  toolResult: 'Tool results',
  summary: 'Summaries',
  reminder: 'Reminders',
};
