import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import { givenBackHeading, isLookup } from '../../../src/compaction/ledger/lookups.ts';
import { emptyLedger } from '../../../src/compaction/messages/ledger.ts';
import { called, result } from '../../support/messages.ts';

describe('what this project tells an agent of its own session', () => {
  it.each([
    'recall',
    'search_history',
    'mcp__context-budget__what_was_lost',
    'context-budget-context_usage',
    'context-budget_recall',
    'mcp_context_budget_search_history',
    'contextBudget_what_was_lost',
    'context_budget.recall',
  ])('comes from the tool %s', (tool) => {
    expect(isLookup(tool)).toBe(true);
  });

  it.each(['read_file', 'recalled', 'total_recall_rate', 'Bash'])(
    'does not come from the tool %s',
    (tool) => {
      expect(isLookup(tool)).toBe(false);
    },
  );

  it('contains no facts, neither in the call nor in its answer', () => {
    const messages = [
      called('m1', ['c1', 'mcp__context-budget__search_history', { query: 'openStore', path: 'src/a.ts' }]),
      result('m2', 'c1', 'TypeError: it was printed before'),
    ];
    expect(extractLedger(messages)).toEqual(emptyLedger);
  });

  it('adds no facts after the result of another tool', () => {
    const given = `${givenBackHeading}\n\n## Errors still open\n\nTypeError: it was printed before`;
    const messages = [
      called('m1', ['c1', 'bash', { command: 'npm test' }]),
      result('m2', 'c1', `TypeError: it is printed now\n\n${given}`),
    ];
    expect(extractLedger(messages).errors).toEqual([{ text: 'TypeError: it is printed now', tool: 'bash' }]);
  });
});
