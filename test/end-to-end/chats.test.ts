import { appendFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { ChatPage } from '../harness/chat-page.ts';
import { SessionLog } from '../harness/session-log.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';

describe('the extension with several chats', () => {
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open({ settings: { 'contextBudget.window': 20_000 } });
    chat = await ChatPage.open(workbench);
    return () => workbench.close();
  });
  const dialog = () => workbench.page.locator('.monaco-dialog-box');

  it('starts a new chat, and returns to the old one', async () => {
    await chat.ask('What does the lock do?');
    await workbench.runCommand('Context Budget: New Chat');
    await chat.questions.first().waitFor({ state: 'detached' });
    await chat.ask('How are two logs merged?');
    const row = workbench.listRows('What does the lock do?');
    await workbench.runAndChoose('Context Budget: Chat History', row);
    await chat.questions.getByText('What does the lock do?').waitFor();
    expect(await chat.questions.count()).toBe(1);
  });

  it('renames a chat', async () => {
    await workbench.runCommand('Context Budget: Rename Chat');
    await workbench.quickInput.getByRole('textbox').fill('About locks');
    await workbench.page.keyboard.press('Enter');
    await workbench.runCommand('Context Budget: Chat History');
    await workbench.quickInput.locator('.monaco-list-row', { hasText: 'About locks' }).waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('deletes a chat after a question', async () => {
    await workbench.runCommand('Context Budget: Delete Chat');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await chat.questions.first().waitFor({ state: 'detached' });
    const row = workbench.listRows('How are two logs merged?');
    await workbench.runAndChoose('Context Budget: Chat History', row);
    await chat.questions.getByText('How are two logs merged?').waitFor();
    const log = await SessionLog.of(workbench);
    expect(await log.view()).not.toEqual([]);
  });

  it('reports an invalid setting once, and continues with the default', async () => {
    await workbench.changeSettings({ 'contextBudget.strategy': 'magic' });
    await workbench.notification('there is no strategy "magic"').waitFor();
    await chat.frame.getByRole('button', { name: /^Compaction strategy: Ladder/ }).waitFor();
    await workbench.changeSettings({ 'contextBudget.strategy': 'llm-summary' });
    await chat.frame.getByRole('button', { name: /^Compaction strategy: LLM Summary/ }).waitFor();
  });

  it('ignores an endpoint in the settings of a workspace', async () => {
    await workbench.changeSettings({ 'contextBudget.baseUrl': 'http://127.0.0.1:9/v1' });
    await chat.ask('Where are dates parsed?');
    await chat.frame.getByRole('button', { name: 'Offline model. Set an API key.' }).waitFor();
  });

  it('changes the strategy of the workspace from the chat', async () => {
    await chat.frame.getByRole('button', { name: /^Compaction strategy/ }).click();
    const rows = workbench.quickInput.locator('.monaco-list-row');
    await rows.and(workbench.page.locator('.focused')).getByText('current').waitFor();
    await rows.filter({ hasText: 'Tool Result Hiding' }).click();
    await chat.frame.getByRole('button', { name: /^Compaction strategy: Tool Result Hiding/ }).waitFor();
    expect(await workbench.workspace.read('.vscode/settings.json')).toContain('"tool-result-hiding"');
  });

  it('uses the endpoint once it has a key, and forgets the key on request', async () => {
    await chat.frame.getByRole('button', { name: 'Offline model. Set an API key.' }).click();
    await workbench.quickInput.getByRole('textbox').fill('sk-test');
    await workbench.page.keyboard.press('Enter');
    await chat.frame.getByText('gpt-5-mini', { exact: true }).waitFor();
    await workbench.runCommand('Context Budget: Clear API Key');
    await chat.frame.getByRole('button', { name: 'Offline model. Set an API key.' }).waitFor();
  });

  it('reports an unreadable line of a chat, and loses nothing else', async () => {
    const questions = await chat.questions.count();
    const log = await SessionLog.of(workbench);
    await appendFile(log.path, '{"type":"message","mess\n');
    await workbench.reload();
    chat = await ChatPage.open(workbench);
    await workbench.notification('could not be read').waitFor();
    await chat.questions.nth(questions - 1).waitFor();
    await chat.ask('Who calls the index?');
    expect(await chat.questions.count()).toBe(questions + 1);
  });
});
