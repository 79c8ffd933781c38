import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ChatPage } from '../harness/chat-page.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { eventually } from '../support/eventually.ts';

/** A workspace with settings of an earlier version, which declared each option separately. */
describe('the settings of a workspace', () => {
  let workbench: VscodeWorkbench;
  let rows: Locator;
  let input: Locator;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open({
      settings: {
        'contextBudget.mode': 'off',
        'contextBudget.strategy': 'middle-truncation',
        'contextBudget.middleTruncation.maxChars': 1_500,
        'contextBudget.maxSummaryRequests': 7,
        'contextBudget.triggerTurns': 9,
      },
    });
    rows = workbench.quickInput.locator('.monaco-list-row');
    input = workbench.quickInput.locator('input').first();
    await ChatPage.open(workbench);
    return () => workbench.close();
  });

  it('are migrated with one click on a notice', async () => {
    await workbench
      .notification('Your old settings still work.')
      .getByRole('button', { name: 'Move Settings' })
      .click();
    await eventually(settings).toEqual({
      'contextBudget.mode': 'off',
      'contextBudget.strategy': 'middle-truncation',
      'contextBudget.strategies.middle-truncation': { maxChars: 1_500 },
      'contextBudget.spendingLimit': { requests: 7 },
      'contextBudget.triggers': { turns: 9 },
    });
  });

  it('preselect the current strategy in the command for configuring a strategy', async () => {
    await workbench.runCommand('Context Budget: Configure Strategy…');
    const preselected = workbench.quickInput.locator('.monaco-list-row.focused');
    await preselected.filter({ hasText: /Middle Truncation\s*current/ }).click();
    const option = rows.filter({ hasText: 'maxChars' });
    await option.getByText('1500', { exact: true }).waitFor();
    await option.click();
  });

  it('refuse an invalid value of an option, in a sentence', async () => {
    await input.fill('12');
    await workbench.quickInput.getByText(/maxChars must be a whole number from 500 to /).waitFor();
    await input.press('Enter');
    expect(await input.inputValue()).toBe('12');
  });

  it('contain a typed value among the options of the strategy', async () => {
    await input.fill('2,500');
    await input.press('Enter');
    await rows.filter({ hasText: 'maxChars' }).getByText('2500', { exact: true }).waitFor();
    expect(await settings()).toMatchObject({
      'contextBudget.strategies.middle-truncation': { maxChars: 2_500 },
    });
  });

  async function settings(): Promise<unknown> {
    return JSON.parse(await workbench.workspace.read('.vscode/settings.json'));
  }
});
