import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ChatPage } from '../harness/chat-page.ts';
import { writeForeignSessions } from '../harness/foreign-sessions.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { noTooltips } from '../harness/vscode-host.ts';
import { VscodeWorkbench, withTitle } from '../harness/vscode-workbench.ts';
import { eventually, until } from '../support/eventually.ts';
import { timeLimit } from '../../scripts/machine-speed.ts';

/** Each test begins where the one before it ended. */
describe('a workbench with the extension', () => {
  let workbench: VscodeWorkbench;
  let chat: Frame;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open({
      machineSettings: { 'workbench.welcomePage.walkthroughs.openOnInstall': true },
    });
    return () => workbench.close();
  });

  const link = (name: string) => chat.getByRole('button', { name });

  it('shows the chat and the walkthrough at its first start', async () => {
    await until(async () => (chat = await workbench.webview(withTitle('Chat'))));
    await chat.getByRole('textbox', { name: 'Message' }).waitFor();
    await workbench.page.getByText('Get started with Context Budget').first().waitFor();
  });

  it('has the view container in its activity bar', async () => {
    const icon = workbench.page.locator('.activitybar').getByRole('tab', { name: 'Context Budget' });
    await icon.waitFor();
  });

  it('offers no sessions of other agents if there are none', async () => {
    await link('Open a sample session').waitFor();
    expect(await link('Open another session…').isVisible()).toBe(false);
  });

  it('shows with one click what a sample session of Claude Code lost', async () => {
    await link('Open a sample session').click();
    const inspector = await InspectorPage.opened(workbench);
    await until(async () => expect(await inspector.records.count()).toBe(1));
    await inspector.diff.first().waitFor();
    // The session is read-only.
    expect(await inspector.undo.isVisible()).toBe(false);
  });

  it('moves from change to change with the keys of the inspector', async () => {
    const inspector = await InspectorPage.opened(workbench);
    await inspector.frame.getByRole('heading', { level: 1 }).click();
    await workbench.page.keyboard.press('F7');
    await inspector.frame.getByText(/^change 1 of \d+$/).waitFor();
    // Going back from the first change leads to the last one.
    await workbench.page.keyboard.press('Shift+F7');
    await inspector.frame.getByText(/^change (\d+) of \1$/).waitFor();
  });

  it('focuses the composer with the keyboard', async () => {
    await workbench.page.keyboard.press('Control+Alt+k');
    await workbench.page.keyboard.press('c');
    const composer = chat.getByRole('textbox', { name: 'Message' });
    await until(async () =>
      expect(await composer.evaluate((field) => document.activeElement === field)).toBe(true),
    );
  });

  it("attaches the editor's selection to the message from the editor's menu", async () => {
    await workbench.page.keyboard.press('Control+p');
    await workbench.quickInput.locator('input').first().fill('lock.ts');
    await workbench.quickInput.locator('.monaco-list-row', { hasText: 'lock.ts' }).first().click();
    const editor = workbench.page.locator('.monaco-editor.focused[data-uri$="/src/lock.ts"]');
    await editor.waitFor();
    await workbench.page.keyboard.press('Control+a');
    await workbench.page.keyboard.press('Shift+F10');
    await workbench.page.locator('.monaco-menu').getByText('Ask about Selection').click();
    const composer = chat.getByRole('textbox', { name: 'Message' });
    await eventually(() => composer.inputValue()).toBe('#selection ');
    await chat.locator('.price').getByText('#selection').waitFor();
    await composer.fill('');
  });

  it("has a menu in the status bar, and a table of the context window's content", async () => {
    const item = workbench.page.getByRole('button', { name: /^Context window: / });
    await workbench.changeSettings({ 'workbench.hover.delay': 0 });
    await item.hover();
    const tooltip = workbench.page.locator('.monaco-hover').filter({ hasText: 'Ladder' });
    await tooltip.getByRole('row', { name: /window/ }).waitFor();
    await workbench.changeSettings(noTooltips);
    const rows = workbench.quickInput.locator('.monaco-list-row');
    // A menu closes when a page gets the focus late, like every list. The user would open it again.
    await until(async () => {
      const timeout = timeLimit(5_000);
      if (!(await rows.first().isVisible())) await item.click();
      await rows.filter({ hasText: 'Compact with Focus…' }).waitFor({ timeout });
      await rows.filter({ hasText: 'Select Strategy…' }).click({ timeout });
      await rows.filter({ hasText: 'Tool Result Hiding' }).first().waitFor({ timeout });
    });
    await workbench.page.keyboard.press('Escape');
  });

  it('offers sessions of other agents if there are any', async () => {
    const { agentsFolder, globalStorage } = workbench.host;
    await writeForeignSessions(agentsFolder, globalStorage);
    await workbench.reload();
    chat = (await ChatPage.open(workbench)).frame;
    await link('Open another session…').click();
    await workbench.quickInput.locator('.monaco-list-row', { hasText: 'Sort the imports' }).first().waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('has webviews that respect their security policy and log no error', () => {
    expect(workbench.problems.ofWebviews).toEqual([]);
  });
});
