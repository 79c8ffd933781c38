import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import { workState } from '../../../src/compaction/ledger/work-state.ts';
import { called, result, said, typed } from '../../support/messages.ts';

const plan = (id: string, ...steps: readonly (readonly [string, string])[]) =>
  called(id, [`c${id}`, 'TodoWrite', { todos: steps.map(([content, status]) => ({ content, status })) }]);

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

  it('are read from a plan whose status cannot be converted to a text', () => {
    const odd = called('m1', [
      'c1',
      'TodoWrite',
      { todos: [{ content: 'Mend it', status: { toString: 3 } }] },
    ]);
    expect(extractLedger([odd]).nextSteps).toEqual(['Mend it']);
  });

  it('are none once the request of the plan and two more were answered', () => {
    const turn = (id: string) => [typed(`q${id}`, 'More'), said(`a${id}`, 'Done.')];
    const planned = [
      typed('q', 'Mend it'),
      plan('p', ['Mend it', 'pending']),
      result('r', 'cp', 'ok'),
      said('a', 'Done.'),
      ...turn('1'),
    ];
    expect(extractLedger(planned).nextSteps).toEqual(['Mend it']);
    expect(extractLedger([...planned, ...turn('2')]).nextSteps).toEqual([]);
    expect(workState(planned).plan).toHaveLength(1);
    expect(workState([...planned, ...turn('2')]).plan).toEqual([]);
  });

  it('are none where a reply only announces some', () => {
    const text = 'Done. Next, I will run the suite.\n\n## Next steps\n1. Run the suite';
    expect(extractLedger([said('m1', text)]).nextSteps).toEqual([]);
  });
});
