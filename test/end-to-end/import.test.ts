import { beforeAll, describe, expect, it, vi } from 'vitest';
import { textOf } from '../../src/compaction/message.ts';
import { findViolations } from '../../src/compaction/validity.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { SessionLog } from '../harness/session-log.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import {
  claudeCodeSession,
  firstQuestion,
  forgottenFile,
  laterQuestion,
} from '../support/claude-code-session.ts';

/** Each test begins where the one before it ended. */
describe('a session of another agent', () => {
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open({ settings: { 'contextBudget.window': 20_000 } });
    await workbench.workspace.write('session.jsonl', `${claudeCodeSession}{"type":"us`);
    await workbench.workspace.write('diary.txt', 'Dear diary');
    chat = await ChatPage.open(workbench);
    return () => workbench.close();
  });
  const notification = (text: string) => workbench.page.locator('.notification-list-item', { hasText: text });
  const importFile = async (name: string) => {
    await workbench.runCommand('Context Budget: Import Session…');
    await workbench.page.locator('.quick-input-widget .monaco-list-row', { hasText: name }).click();
  };

  it('is refused where it is in no known format, and the chat stays as it is', async () => {
    await importFile('diary.txt');
    await notification('“diary.txt” could not be imported').getByText('claude-code').waitFor();
    expect(await chat.rows.count()).toBe(0);
  });

  it('becomes a chat of ours, and what could not be read is said', async () => {
    await importFile('session.jsonl');
    await chat.questions.getByText(laterQuestion).waitFor();
    await notification('one part of it could not be read')
      .getByRole('button', { name: 'Show Log' })
      .waitFor();
    await chat.questions.first().getByText(firstQuestion).waitFor();
    expect(await chat.questions.count()).toBe(2);
    expect(await chat.tools.count()).toBe(2);
    expect(await chat.compactions.allInnerTexts()).toEqual([expect.stringContaining('claude-code')]);
  });

  it('shows in the inspector what its agent lost', async () => {
    await chat.compactions.first().getByRole('button', { name: 'Diff' }).click();
    const inspector = await InspectorPage.opened(workbench);
    await inspector.records.filter({ hasText: 'claude-code' }).waitFor();
    await inspector.frame.locator('.diff').getByText('summarised by claude-code').first().waitFor();
    await inspector.frame.getByText('1 of 2').first().waitFor();
    await inspector.frame.locator('button.missing').first().click();
    await inspector.frame.locator('.missing-names').getByText(forgottenFile, { exact: true }).waitFor();
  });

  it('gets back with Undo what was compacted away', async () => {
    const inspector = await InspectorPage.opened(workbench);
    await inspector.undo.click();
    await inspector.records.first().getByText('undone').waitFor();
    const view = await (await SessionLog.of(workbench)).view();
    const texts = view.map(({ content }) => textOf(content));
    expect(texts).toContain(firstQuestion);
    expect(texts.join()).toContain('export function print(');
    expect(findViolations(view)).toEqual([]);
  });

  it('goes on with our agent, under one system message', async () => {
    await chat.ask('What does the lock do?');
    expect(await chat.answers.last().innerText()).toContain('lock');
    const view = await (await SessionLog.of(workbench)).view();
    expect(view.map(({ role }) => role).filter((role) => role === 'system')).toEqual(['system']);
    expect(view[0]?.role).toBe('system');
  });

  it('is still there after the window was reloaded', async () => {
    const rows = await chat.rows.count();
    await workbench.reload();
    chat = await ChatPage.open(workbench);
    await vi.waitFor(async () => expect(await chat.rows.count()).toBe(rows), { timeout: 30_000 });
    expect(workbench.problems.ofWebviews).toEqual([]);
  });

  it('can also be opened only to be looked at', async () => {
    await workbench.runCommand('Context Budget: Open Transcript…');
    const rows = workbench.page.locator('.quick-input-widget .monaco-list-row');
    await rows.filter({ hasText: 'Choose a File' }).click();
    await rows.filter({ hasText: 'session.jsonl' }).click();
    const inspector = await InspectorPage.opened(workbench);
    await inspector.records.filter({ hasText: 'claude-code' }).waitFor();
    expect(await inspector.undo.count()).toBe(0);
  });
});
