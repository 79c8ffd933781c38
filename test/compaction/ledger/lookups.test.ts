import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import { hookFactsHead, isLookup } from '../../../src/compaction/ledger/lookups.ts';
import { emptyLedger } from '../../../src/compaction/messages/ledger.ts';
import { writeLostFacts } from '../../../src/insights/handoff/lost-facts.ts';
import { called, result } from '../../support/messages.ts';

describe('text that this project returns to an agent about its session', () => {
  it.each([
    'recall',
    'search_history',
    'mcp__context-budget__what_was_lost',
    'context-budget-context_usage',
    'context-budget_recall',
    'mcp_context_budget_search_history',
    'contextBudget_what_was_lost',
    'context_budget.recall',
  ])('is recognised in results of the tool %s', (tool) => {
    expect(isLookup(tool)).toBe(true);
  });

  it.each(['read_file', 'recalled', 'total_recall_rate', 'Bash'])(
    'is not recognised in results of the tool %s',
    (tool) => {
      expect(isLookup(tool)).toBe(false);
    },
  );

  it('yields no facts from the call or the answer', () => {
    const messages = [
      called('m1', ['c1', 'mcp__context-budget__search_history', { query: 'openStore', path: 'src/a.ts' }]),
      result('m2', 'c1', 'TypeError: it was printed before'),
    ];
    expect(extractLedger(messages)).toEqual(emptyLedger);
  });

  const errorsBehind = (given: string) =>
    extractLedger([
      called('m1', ['c1', 'bash', { command: 'npm test' }]),
      result('m2', 'c1', `TypeError: it is printed now\n\n${given}`),
    ]).errors;

  it('yields no facts, even if it is appended to the result of another tool', async () => {
    const errors = [{ text: 'TypeError: it was printed before', tool: 'bash' }];
    const ledger = { ...emptyLedger, constraints: ['Error: is no rule.', 'Never push.'], errors };
    const given = await writeLostFacts(ledger, 1_000, (texts) => Promise.resolve(texts.map(() => 1)));
    expect(given).toContain('it was printed before');
    expect(errorsBehind(given)).toMatchObject([{ text: 'TypeError: it is printed now' }]);
    expect(errorsBehind(given)[0]).not.toHaveProperty('more');
  });

  it.each([
    '# Facts from earlier in this session\n',
    hookFactsHead,
    `${hookFactsHead}\n\n## Errors still open\n\n- x`,
    `${hookFactsHead}\n\n## Errors still open\n\n\`\`\`text\nx\n\`\`\``,
    `${hookFactsHead}\n\n## Errors still open\n\n\`\`\`text\nx`,
  ])('hides no errors if a tool prints similar text: %j', (printed) => {
    expect(errorsBehind(`${printed}\nTypeError: it failed\n  AssertionError: so did this`)).toMatchObject([
      { text: 'TypeError: it is printed now' },
      { text: 'TypeError: it failed' },
      { text: 'AssertionError: so did this' },
    ]);
  });
});
