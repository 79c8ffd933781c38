import { defineTool } from './define-tool.ts';
import { failed, ok, type Tool } from './tool.ts';

/** The original text that a compaction took out of the view; undefined for an id it does not know. */
export type Recall = (id: string) => string | undefined;

export function createRecall(recall: Recall): Tool {
  return defineTool({
    name: 'recall',
    description:
      'Returns the original of something that was hidden, shortened or summarised earlier in this conversation. Use it when a placeholder names an id and the details matter.',
    properties: {
      id: { type: 'string', description: 'The id that the placeholder names, for example m12.' },
    },
    required: ['id'],
    describe: ({ id = '' }) => id,
    run({ id }) {
      const original = recall(id.trim());
      if (original === undefined) {
        return failed(
          `There is nothing under the id "${id}". Ids look like m12, or c3.1 for a summary, and stand in the text that took the place of the original.`,
        );
      }
      return ok(original === '' ? 'The original has no text.' : original);
    },
  });
}
