import { beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { SessionLog } from '../harness/session-log.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { eventually, until } from '../support/eventually.ts';
import { timeLimit } from '../../scripts/machine-speed.ts';

const questions = [
  'How does the store recover from a torn write?',
  'How are two logs merged?',
  'read src/search.ts',
  'Where are dates parsed?',
  'What does the lock do?',
  'read src/commands.ts',
  'Who calls the index?',
  'read src/store.ts',
];

/** The whole path of one user's afternoon; each test begins where the one before it ended. */
describe('a conversation with the offline model in a small window', () => {
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open({
      settings: {
        'contextBudget.window': 6_000,
        'contextBudget.strategy': 'tool-result-hiding',
        'contextBudget.toolResultHiding.preserveRecentGroups': 1,
      },
    });
    chat = await ChatPage.open(workbench);
    return () => workbench.close();
  });

  it('answers a question by calling tools, and identifies itself as the offline model', async () => {
    await chat.ask(questions[0]!);
    expect(await chat.tools.count()).toBeGreaterThan(0);
    await chat.tools.filter({ hasText: 'search_text' }).first().waitFor();
    await eventually(() => chat.answers.last().innerText()).toMatch(/src\/\w+\.ts:\d+/);
    await chat.frame.getByRole('button', { name: 'Offline model. Set an API key.' }).waitFor();
  });

  it('shows the result of a tool on demand', async () => {
    const tool = chat.tools.filter({ hasText: 'search_text' }).first();
    await tool.getByRole('button').first().click();
    await tool.locator('pre').filter({ hasText: 'src/' }).waitFor();
  });

  it('compacts automatically once the window fills up', async () => {
    for (const question of questions.slice(1)) {
      if ((await chat.compactions.count()) > 0) break;
      await chat.ask(question);
    }
    const row = chat.compactions.first();
    await eventually(() => row.innerText()).toMatch(/Tool Result Hiding · [\d.]+k → [\d.]+k/);
  });

  it('opens the inspector from the meter, where the kinds add up to the total', async () => {
    await chat.meter.click();
    const inspector = await InspectorPage.opened(workbench);
    const usage = await inspector.usage();
    const sums = ['Total', 'Reserved for the reply', 'Free'];
    const kinds = [...usage].filter(([name]) => !sums.includes(name));
    expect(kinds.length).toBeGreaterThan(4);
    expect(kinds.reduce((total, [, tokens]) => total + tokens, 0)).toBe(usage.get('Total'));
    const sum = sums.reduce((total, name) => total + (usage.get(name) ?? 0), 0);
    expect(sum).toBe(6_000);
  });

  it('shows which results were hidden, with the tokens before and after', async () => {
    await chat.compactions.first().getByRole('button', { name: 'Diff' }).click();
    const inspector = await InspectorPage.opened(workbench);
    const hidden = inspector.frame.locator('.diff').getByText('hidden', { exact: true });
    await hidden.first().waitFor();
    const log = await SessionLog.of(workbench);
    const [record] = await log.records();
    const count = record!.actions.filter(({ kind }) => kind === 'hide').length;
    expect(await hidden.count()).toBe(count);
  });

  it('shows the original text and its replacement', async () => {
    const inspector = await InspectorPage.opened(workbench);
    const log = await SessionLog.of(workbench);
    const [record] = await log.records();
    const { sourceIds } = record!.actions.find(({ kind }) => kind === 'hide')!;
    await inspector.frame
      .locator('.diff')
      .getByRole('button', { name: /^Result / })
      .first()
      .click();
    await inspector.frame.getByText(`recall("${sourceIds[0]!}")`).first().waitFor();
    await inspector.frame.getByText('Original', { exact: true }).waitFor();
  });

  it('restores the exact view with Undo', async () => {
    const log = await SessionLog.of(workbench);
    const record = (await log.records()).findLast(({ status }) => status === 'applied')!;
    const expected = await log.viewWithout(record.id);
    expect(await log.view()).not.toEqual(expected);

    const inspector = await InspectorPage.opened(workbench);
    await inspector.records.first().click();
    await inspector.undo.click();
    await inspector.records.first().getByText('undone').waitFor();
    await chat.compactions.last().getByText('undone').waitFor();

    expect(JSON.stringify(await log.view())).toBe(JSON.stringify(expected));
    const counted = record.before.tokens;
    const meter = await chat.meter.locator('.spoken').innerText();
    expect(Number(/([\d,]+) of/.exec(meter)![1]!.replace(',', ''))).toBeGreaterThanOrEqual(counted);
  });

  it('uses another strategy for the next compaction once the workspace settings name it', async () => {
    await workbench.changeSettings({ 'contextBudget.strategy': 'llm-summary' });
    await chat.frame
      .getByRole('button', { name: 'Compaction strategy: LLM Summary. Select to change it.' })
      .waitFor();
    const compactions = await chat.compactions.count();
    await chat.ask('read src/merge.ts');
    await chat.compactions.nth(compactions).waitFor();
    // A long answer may have pushed the row out of sight, where it has no inner text.
    await eventually(() => chat.compactions.nth(compactions).textContent()).toContain('LLM Summary');
    const log = await SessionLog.of(workbench);
    expect((await log.records()).at(-1)).toMatchObject({ status: 'applied', actualStrategy: 'llm-summary' });
  });

  it('exports a compaction as a self-contained page', async () => {
    const inspector = await InspectorPage.opened(workbench);
    await inspector.records.first().click();
    await inspector.frame.getByRole('button', { name: 'Details' }).click();
    await inspector.frame.getByRole('button', { name: 'Export as HTML' }).click();
    const page = await workbench.saveAs(/-llm-summary\.html$/, 'compaction.html');
    expect(page).toContain('conversation_summary');
    expect(page).not.toMatch(/<script|(?:src|href)="https?:/);
    // A browser could not open the file.
    await workbench.page.getByRole('tab', { name: 'compaction.html' }).waitFor();
    await chat.meter.click();
  });

  it('compares a message in the diff editor of VS Code', async () => {
    const inspector = await InspectorPage.opened(workbench);
    await inspector.records.first().click();
    const answer = inspector.frame
      .locator('.diff')
      .getByRole('button', { name: /^(?!\d+ messages?).*summarised/ })
      .first();
    await answer.click();
    await inspector.frame.getByRole('button', { name: 'Open in diff editor' }).first().click();
    await workbench.page.locator('.monaco-diff-editor').getByText('conversation_summary').first().waitFor();
  });

  it('restores one message, and leaves the rest of the compaction unchanged', async () => {
    await chat.meter.click();
    const inspector = await InspectorPage.opened(workbench);
    await inspector.records.first().click();
    const log = await SessionLog.of(workbench);
    const before = await log.view();
    const restore = inspector.frame.getByRole('button', { name: 'Restore this message' }).first();
    if (!(await restore.isVisible())) {
      await inspector.frame
        .locator('.diff')
        .getByRole('button', { name: /^(?!\d+ messages?).*summarised/ })
        .first()
        .click();
    }
    const restored = inspector.frame.locator('.diff').getByText('restored', { exact: true }).first();
    await until(async () => {
      // A click is lost if the diff is drawn again at that moment, so the user clicks once more.
      if (!(await restored.isVisible())) await restore.click({ timeout: timeLimit(10_000) });
      await restored.waitFor({ timeout: timeLimit(10_000) });
    });
    const after = await log.view();
    const returned = after.filter(({ id }) => !before.some((message) => message.id === id));
    // A call is restored with its results, because no provider accepts one without the other.
    expect(returned.map(({ role }) => role)).toEqual(['assistant', ...returned.slice(1).map(() => 'tool')]);
    expect(findViolations(after)).toEqual([]);
    expect(after.filter(({ kind }) => kind === 'summary')).toHaveLength(1);
  });

  it("previews a summary, refuses an empty one, and applies the user's edits", async () => {
    await workbench.changeSettings({ 'contextBudget.mode': 'off' });
    await chat.ask('read src/store.ts');
    const log = await SessionLog.of(workbench);
    const before = JSON.stringify(await log.view());
    const { length } = await log.records();
    await workbench.runCommand('Context Budget: Compact with Preview…');
    const inspector = await InspectorPage.opened(workbench);
    const { preview } = inspector;
    const summary = preview.getByLabel('Summary', { exact: true });
    await eventually(() => summary.inputValue()).not.toBe('');
    await inspector.diff.getByText('summarised', { exact: true }).first().waitFor();

    await summary.fill('');
    await preview.getByText('This text cannot be applied: The summary is empty.').waitFor();
    expect(await summary.inputValue()).toBe('');
    await summary.fill('The store keeps a log, and src/lock.ts keeps two writers apart.');
    await preview.getByText(/^Edited by you\./).waitFor();
    expect(await log.records()).toHaveLength(length);

    await preview.getByRole('button', { name: 'Apply', exact: true }).click();
    const row = chat.compactions.filter({ hasText: 'summary edited by hand' });
    await row.waitFor();
    await inspector.frame.getByRole('button', { name: 'Details' }).click();
    await inspector.frame.getByText('summary edited by hand').waitFor();
    expect((await log.records()).slice(length)).toMatchObject([{ status: 'applied', isEdited: true }]);
    expect(JSON.stringify(await log.view())).toContain('src/lock.ts keeps two writers apart.');

    await inspector.undo.click();
    await inspector.records.first().getByText('undone').waitFor();
    expect(JSON.stringify(await log.view())).toBe(before);
    await workbench.changeSettings({ 'contextBudget.mode': 'auto' });
  });

  it('keeps chat, draft, compactions and inspector after a reload', async () => {
    const rows = await chat.rows.count();
    // All of them, not only the visible ones that are drawn.
    const compactions = await chat.compactions.allTextContents();
    await chat.composer.fill('a thought that is not finished');
    await chat.composer.blur();
    const log = await SessionLog.of(workbench);
    await until(async () => expect(await log.draft()).toBe('a thought that is not finished'));
    await workbench.untilSaved('contextBudget.inspector');
    await workbench.reload();
    chat = await ChatPage.open(workbench);
    await chat.compactions.nth(compactions.length - 1).waitFor();
    expect(await chat.rows.count()).toBe(rows);
    await eventually(() => chat.compactions.allTextContents()).toEqual(compactions);
    await eventually(() => chat.composer.inputValue()).toBe('a thought that is not finished');
    // The workbench stores its front editor from time to time, so it may be the previous one.
    await workbench.page.getByRole('tab', { name: /^Context: / }).click();
    const inspector = await InspectorPage.opened(workbench);
    await inspector.records.first().waitFor();
  });

  it('continues after the reload', async () => {
    await chat.composer.fill('');
    await chat.ask('What does the lock do?');
    await eventually(() => chat.answers.last().innerText()).toContain('lock');
  });

  it('logs no error and violates no security policy', () => {
    expect(workbench.problems.ofWebviews).toEqual([]);
  });
});
