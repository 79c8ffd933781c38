import { beforeAll, describe, expect, it } from 'vitest';
import type { CompactionRecord } from '../../src/compaction/records/record.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { SessionLog } from '../harness/session-log.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';

/** A conversation; each compaction is undone before the next. */
describe('the strategy of the workspace', () => {
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open({
      settings: {
        'contextBudget.window': 8_000,
        'contextBudget.mode': 'off',
        'contextBudget.strategy': 'none',
      },
    });
    chat = await ChatPage.open(workbench);
    for (const question of ['read src/search.ts', 'What does the lock do?', 'read src/store.ts']) {
      await chat.ask(question);
    }
    return () => workbench.close();
  });

  it('can be a module in the workspace', async () => {
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

  it('is replaced if it fails, with a line in the history', async () => {
    const record = await compactWith('./nowhere.mjs#Forget');
    expect(record).toMatchObject({ status: 'applied', requestedStrategy: 'custom', actualStrategy: 'fold' });
    expect(record.tiers[0]).toMatchObject({ strategy: 'custom', reason: { code: 'custom-missing' } });
  });

  async function compactWith(module: string): Promise<CompactionRecord> {
    await workbench.changeSettings({
      'contextBudget.strategy': 'custom',
      'contextBudget.strategies.custom': { module },
    });
    await chat.frame
      .getByRole('button', { name: 'Compaction strategy: Custom. Select to change it.' })
      .waitFor();
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
