import { beforeAll, describe, expect, it } from 'vitest';
import type { CompactionRecord, Fate } from '../../src/compaction/records/record.ts';
import type { StrategyId } from '../../src/compaction/strategies/index.ts';
import { strategyTitle } from '../../src/language/english/strategy-titles-english.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { SessionLog } from '../harness/session-log.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';

/** Effect of the next compaction on old tool results under each strategy. */
const strategies: readonly (readonly [StrategyId, Fate])[] = [
  ['tool-result-hiding', 'hide'],
  ['observation-masking', 'offload'],
  ['middle-truncation', 'clip'],
  ['sliding-window', 'drop'],
  ['state-snapshot', 'summarise'],
  ['whole-history', 'summarise'],
  ['ladder', 'summarise'],
];

const titleOf = (strategy: StrategyId) => strategyTitle(strategy).english;

/** One conversation, compacted in one way after the other; each compaction is undone before the next. */
describe('the strategy of the workspace', () => {
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open({
      settings: {
        'contextBudget.window': 8_000,
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
    await choose(strategy);
    const rows = await chat.compactions.count();
    await workbench.runCommand('Context Budget: Compact Now');
    const row = chat.compactions.nth(rows);
    await row.filter({ hasText: titleOf(strategy) }).waitFor();

    const record = (await log.records()).at(-1)!;
    expect(record).toMatchObject({ status: 'applied', actualStrategy: strategy });
    expect(record.actions.map(({ kind }) => kind)).toContain(fate);
    expect(findViolations(await log.view())).toEqual([]);

    await workbench.runCommand('Context Budget: Undo Compaction');
    await row.getByText('undone').waitFor();
    expect(JSON.stringify(await log.view())).toBe(JSON.stringify(before));
  });

  it('can be a module of the workspace', async () => {
    await workbench.workspace.write(
      'forget.mjs',
      `export class Forget {
        plan({ view, protectedIds }) {
          const answers = view.filter(({ role, tool_calls: calls }) => role === 'assistant' && calls === undefined);
          const ids = answers.map(({ id }) => id).filter((id) => !protectedIds.includes(id));
          return { kind: 'plan', plan: { actions: [{ kind: 'drop', ids, reason: 'was said' }] } };
        }
      }`,
    );
    const record = await compactWith('./forget.mjs#Forget');
    expect(record).toMatchObject({ status: 'applied', actualStrategy: 'custom' });
    expect(record.actions.map(({ kind }) => kind)).toContain('drop');
  });

  it('that fails costs a line in the history, and the turn goes on without it', async () => {
    const record = await compactWith('./nowhere.mjs#Forget');
    expect(record).toMatchObject({ status: 'applied', requestedStrategy: 'custom', actualStrategy: 'fold' });
    expect(record.tiers[0]).toMatchObject({ strategy: 'custom', reason: { code: 'custom-missing' } });
  });

  async function choose(strategy: StrategyId): Promise<void> {
    await workbench.changeSettings({ 'contextBudget.strategy': strategy });
    await chosen(strategy);
  }

  async function chosen(strategy: StrategyId): Promise<void> {
    await chat.frame
      .getByRole('button', { name: `Compaction strategy: ${titleOf(strategy)}. Select to change it.` })
      .waitFor();
  }

  async function compactWith(module: string): Promise<CompactionRecord> {
    await workbench.changeSettings({
      'contextBudget.strategy': 'custom',
      'contextBudget.strategies.custom': { module },
    });
    await chosen('custom');
    await workbench.runCommand('Context Budget: Compact Now');
    // All earlier compactions are undone, so the next one can apply.
    const row = chat.compactions.filter({
      has: chat.frame.getByRole('button', { name: 'Undo', exact: true }),
    });
    await row.waitFor();
    const record = (await (await SessionLog.of(workbench)).records()).at(-1)!;
    await workbench.runCommand('Context Budget: Undo Compaction');
    await row.waitFor({ state: 'detached' });
    return record;
  }
});
