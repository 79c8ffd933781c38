import { beforeAll, describe, expect, it } from 'vitest';
import type { Fate } from '../../src/compaction/record.ts';
import type { StrategyId } from '../../src/compaction/strategies/index.ts';
import { findViolations } from '../../src/compaction/validity.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { SessionLog } from '../harness/session-log.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';

/** What the next compaction does to old tool results under each strategy. */
const strategies: readonly (readonly [StrategyId, Fate])[] = [
  ['tool-result-hiding', 'hide'],
  ['observation-masking', 'offload'],
  ['middle-truncation', 'clip'],
  ['sliding-window', 'drop'],
  ['state-snapshot', 'summarise'],
  ['whole-history', 'summarise'],
  ['ladder', 'summarise'],
];

/** One conversation, compacted in one way after the other; each compaction is undone before the next. */
describe('the strategy of the workspace', () => {
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open({
      settings: {
        'contextBudget.window': 6_000,
        'contextBudget.mode': 'off',
        'contextBudget.strategy': 'none',
        'contextBudget.middleTruncation.maxChars': 1_500,
        'contextBudget.observationMasking.protectTokens': 0,
        'contextBudget.toolResultHiding.preserveRecentGroups': 1,
      },
    });
    chat = await ChatPage.open(workbench);
    for (const question of ['read src/search.ts', 'What does the lock do?', 'read src/store.ts']) {
      await chat.ask(question);
    }
    return () => workbench.close();
  });

  it.each(strategies)('makes the next compaction one by %s', async (strategy, fate) => {
    const log = await SessionLog.of(workbench);
    const before = await log.view();
    await workbench.workspace.changeSettings({ 'contextBudget.strategy': strategy });
    await chat.frame.getByRole('button', { name: `Compaction strategy: ${strategy}. Change it.` }).waitFor();
    const rows = await chat.compactions.count();
    await workbench.runCommand('Context Budget: Compact Now');
    const row = chat.compactions.nth(rows);
    await row.filter({ hasText: strategy }).waitFor();

    const record = (await log.records()).at(-1)!;
    expect(record).toMatchObject({ status: 'applied', actualStrategy: strategy });
    expect(record.actions.map(({ kind }) => kind)).toContain(fate);
    expect(findViolations(await log.view())).toEqual([]);

    await workbench.runCommand('Context Budget: Undo Compaction');
    await row.getByText('undone').waitFor();
    expect(JSON.stringify(await log.view())).toBe(JSON.stringify(before));
  });
});
