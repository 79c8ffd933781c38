import { beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../../src/compaction/messages/message.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage, openFold } from '../harness/inspector-page.ts';
import { SessionLog } from '../harness/session-log.ts';
import { foreignSessions, writeForeignSessions } from '../harness/foreign-sessions.ts';
import { largeSession, largeSessionText, largeSessionTitle } from '../harness/large-session.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import {
  claudeCodeSession,
  firstQuestion,
  forgottenFile,
  laterQuestion,
} from '../support/claude-code-session.ts';
import { eventually, until } from '../support/eventually.ts';

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
  const importFile = (name: string) =>
    workbench.runAndChoose('Context Budget: Continue a Session as a Chat…', workbench.listRows(name));

  it('is refused if its format is unknown, and the chat stays unchanged', async () => {
    await importFile('diary.txt');
    await workbench.notification('“diary.txt” could not be imported').getByText('claude-code').waitFor();
    expect(await chat.rows.count()).toBe(0);
  });

  it('becomes a chat of ours, with a report of unreadable parts', async () => {
    await importFile('session.jsonl');
    await chat.questions.getByText(laterQuestion).waitFor();
    await workbench
      .notification('1 part of it could not be read')
      .getByRole('button', { name: 'Show Log' })
      .waitFor();
    await chat.questions.first().getByText(firstQuestion).waitFor();
    expect(await chat.questions.count()).toBe(2);
    expect(await chat.tools.count()).toBe(2);
    await eventually(() => chat.compactions.allInnerTexts()).toEqual([
      expect.stringContaining('Claude Code'),
    ]);
  });

  it("shows in the inspector what its agent's compactions lost", async () => {
    await chat.compactions.first().getByRole('button', { name: 'Diff' }).click();
    const inspector = await InspectorPage.opened(workbench);
    await inspector.records.first().waitFor();
    await inspector.frame.locator('.diff').getByText('summarised by Claude Code').first().waitFor();
    await inspector.frame.getByText(/no longer mentions .*1 of 2/).waitFor();
    await inspector.frame.getByRole('button', { name: 'Show', exact: true }).click();
    await inspector.frame.locator('.lost-names').getByText(forgottenFile, { exact: true }).waitFor();
  });

  it('has its compacted messages back after Undo', async () => {
    const inspector = await InspectorPage.opened(workbench);
    await inspector.undo.click();
    await inspector.records.first().getByText('undone').waitFor();
    const view = await (await SessionLog.of(workbench)).view();
    const texts = view.map(({ content }) => textOf(content));
    expect(texts).toContain(firstQuestion);
    expect(texts.join()).toContain('export function print(');
    expect(findViolations(view)).toEqual([]);
  });

  it('is continued by our agent, with one system message', async () => {
    await chat.ask('What does the lock do?');
    await eventually(() => chat.answers.last().innerText()).toContain('lock');
    const view = await (await SessionLog.of(workbench)).view();
    expect(view.map(({ role }) => role).filter((role) => role === 'system')).toEqual(['system']);
    expect(view[0]?.role).toBe('system');
  });

  it('is kept after a reload', async () => {
    const rows = await chat.rows.count();
    await workbench.reload();
    chat = await ChatPage.open(workbench);
    await until(async () => expect(await chat.rows.count()).toBe(rows));
    expect(workbench.problems.ofWebviews).toEqual([]);
  });

  describe('that is opened read-only', () => {
    beforeAll(async () => {
      const { agentsFolder, globalStorage } = workbench.host;
      await writeForeignSessions(agentsFolder, globalStorage);
      await workbench.workspace.write('library.json', largeSessionText());
    });
    const choose = (...texts: readonly string[]) =>
      workbench.runAndChoose('Context Budget: Open Session of Another Agent…', workbench.listRows(...texts));
    const opened = async (title: string) => {
      const inspector = await InspectorPage.opened(workbench);
      await inspector.frame.getByRole('heading', { level: 1, name: title }).waitFor();
      return inspector;
    };

    it.each(foreignSessions)('is found in the folder of $agent', async ({ agent, title, answer }) => {
      await choose(title, agent);
      const inspector = await opened(title);
      // The previous chat can have the same title.
      const header = () => inspector.frame.locator('header').innerText();
      await until(async () => expect(await header()).not.toContain('Offline model'));
      const messages = await inspector.choose('Messages');
      await messages.getByText(answer).first().waitFor();
    });

    it('shows the compactions of its agent, and changes nothing', async () => {
      await choose(firstQuestion);
      const inspector = await opened(firstQuestion);
      await inspector.choose('Compactions');
      await inspector.records.first().click();
      await inspector.diff.getByText('summarised by Claude Code').first().waitFor();
      expect(await inspector.undo.count()).toBe(0);
    });

    it('may have two thousand messages and a million tokens', async () => {
      await workbench.runCommand('Context Budget: Open Session of Another Agent…');
      // The entry follows all sessions, and stays when nothing else matches.
      await workbench.quickInput.locator('input').first().fill('of none');
      await workbench.listRows('Choose a File').click();
      await workbench.listRows('library.json').click();
      const inspector = await opened(largeSessionTitle);
      expect((await inspector.usage()).get('Total')).toBeGreaterThan(largeSession.tokens);
      const budget = await inspector.choose('Window');
      await openFold(budget, 'Largest messages');
      await budget
        .getByRole('list', { name: 'Largest messages' })
        .getByText(/library\/book-\d+\.txt/)
        .first()
        .waitFor();
      const timeline = await inspector.choose('Timeline');
      await timeline.getByText(/^666 requests/).waitFor();
      const facts = await inspector.choose('Facts');
      await facts.getByRole('button', { name: 'Search', exact: true }).click();
      await facts.getByRole('searchbox').fill('book 642 says on page 65');
      await facts
        .getByRole('list', { name: 'Messages' })
        .getByRole('button', { name: /book-642\.txt/ })
        .first()
        .waitFor();
    });

    it('can be compared with every strategy, and the comparison cancelled', async () => {
      const inspector = await opened(largeSessionTitle);
      const whatIf = await inspector.choose('What if');
      await whatIf.getByRole('button', { name: 'Cancel' }).click();
      await whatIf.getByText(/^Cancelled after \d+ of \d+/).waitFor();
      await whatIf.getByRole('button', { name: 'Compare again' }).waitFor();
    });

    it('leaves the chat next to it unchanged', async () => {
      await chat.compactions.first().getByRole('button', { name: 'Diff' }).click();
      const inspector = await opened(firstQuestion);
      await inspector.records.first().getByText('undone').waitFor();
    });
  });
});
