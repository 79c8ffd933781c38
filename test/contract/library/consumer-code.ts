/** A program that uses the library. Each type in it is declared by the package. */
export const consumerCode = `
import { Conversation, countTokens, defineStrategy, fromOpenai, planned, toOpenai, unchanged } from 'context-budget/engine';
import type { CompactionRecord, OpenaiMessage, SummaryModel } from 'context-budget/engine';
import { followTranscript, readTranscript, sessionText, withForeignCompactions } from 'context-budget/formats';
import type { FollowedTranscript } from 'context-budget/formats';

const followed: FollowedTranscript = followTranscript();
const dropOldest = defineStrategy({
  id: 'drop-oldest',
  description: 'Drops the oldest message.',
  needsModel: false,
  options: { count: { type: 'integer', description: 'Messages to drop.', default: 1, minimum: 1, maximum: 100 } },
  plan: ({ view, protectedIds, options }) => {
    const old = view.filter(({ id }) => !protectedIds.has(id)).slice(0, options.count);
    if (old.length === 0) return Promise.resolve(unchanged('Nothing is old.'));
    const action = { kind: 'drop', ids: old.map(({ id }) => id), reason: 'oldest' } as const;
    return Promise.resolve(planned({ actions: [action] }));
  },
});
const model: SummaryModel = {
  id: 'mine',
  window: 8_000,
  summarise: ({ prompt }) => Promise.resolve({ content: prompt.slice(0, 10), finishReason: 'stop' }),
};
export async function main(text: string): Promise<readonly OpenaiMessage[]> {
  const entries = await withForeignCompactions(readTranscript(text));
  const conversation = new Conversation({ strategy: dropOldest, options: { count: 2 }, budget: { window: 8_000 }, model, entries });
  await conversation.append({ role: 'user', content: 'Hello' }, { role: 'tool', tool_call_id: 'a', content: '' });
  const record: CompactionRecord = await conversation.compact();
  await conversation.undo(record.id);
  const tokens: number = await countTokens(sessionText({ id: 'a', createdAt: '' }, conversation.entries));
  const message = fromOpenai({ role: 'user', content: String(tokens) }, { id: 'a', createdAt: '' });
  return [...conversation.view, message].map(toOpenai);
}
`;
