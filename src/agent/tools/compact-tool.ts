import { defineTool } from './support/define-tool.ts';
import { ok, type Tool } from './support/tool.ts';

/** Requests a compaction before the next model call. */
export type RequestCompaction = (focus: string | undefined) => void;

export function createCompact(request: RequestCompaction): Tool {
  return defineTool({
    name: 'compact',
    description:
      'Compacts this conversation before your next step. Use it when a part of the work is finished and what led there is no longer needed in full, never in the middle of one. Everything stays within reach through recall and search_history.',
    properties: {
      focus: {
        type: 'string',
        description:
          'What the notes on the earlier conversation should pay particular attention to, if anything.',
      },
    },
    required: [],
    describe: ({ focus = '' }) => focus,
    run({ focus = '' }) {
      request(focus.trim() === '' ? undefined : focus.trim());
      return ok('The conversation is compacted before your next step.');
    },
  });
}
