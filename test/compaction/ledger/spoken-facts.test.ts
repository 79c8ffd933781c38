import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import { called, said } from '../../support/messages.ts';

const plan = (id: string, ...steps: readonly (readonly [string, string])[]) =>
  called(id, ['c', 'TodoWrite', { todos: steps.map(([content, status]) => ({ content, status })) }]);

describe('the next steps', () => {
  it('are those of the newest plan that are not done', () => {
    const { nextSteps } = extractLedger([
      plan('m1', ['Read the code', 'in_progress'], ['Mend it', 'pending']),
      plan('m2', ['Read the code', 'completed'], ['Mend it', 'in_progress'], ['Test it', 'pending']),
    ]);
    expect(nextSteps).toEqual(['Mend it', 'Test it']);
  });

  it('are none where all of the plan is done', () => {
    const { nextSteps } = extractLedger([
      plan('m1', ['Mend it', 'pending']),
      plan('m2', ['Mend it', 'completed']),
    ]);
    expect(nextSteps).toEqual([]);
  });

  it('are those that a reply lists under such a heading', () => {
    const text =
      'The store is mended.\n\n## Next steps\n1. Run the suite\n2. [x] Mend it\n   a detail\n- Write the notes\n\nThat is all.\n- Not this';
    expect(extractLedger([said('m1', text)]).nextSteps).toEqual(['Run the suite', 'Write the notes']);
  });

  it('are what a reply announces', () => {
    expect(extractLedger([said('m1', 'Done. Next, I will run the suite.')]).nextSteps).toEqual([
      'Next, I will run the suite.',
    ]);
  });
});
