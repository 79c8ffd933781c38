import { beforeAll, describe, it } from 'vitest';
import { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { take } from './take.ts';

/**
 * The pictures of the README and the walkthrough, taken in the real VS Code: `npm run screenshots`. Not a
 * part of `npm test`.
 *
 * A step of the walkthrough has little room next to its text, so its pictures show a part of the window.
 */

describe('pictures of a session', () => {
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open({
      settings: {
        'contextBudget.window': 10_000,
        'contextBudget.strategy': 'tool-result-hiding',
        'contextBudget.strategies.tool-result-hiding': { preserveRecentGroups: 2 },
        'workbench.statusBar.visible': true,
      },
      size: { width: 1360, height: 830 },
    });
    chat = await ChatPage.open(workbench);
    await workbench.setSideBarWidth(380);
    for (const question of [
      'How does the store recover from a torn write?',
      'How are two logs merged?',
      'Who calls the index?',
      'read src/search.ts',
      'read src/merge.ts',
    ]) {
      await chat.ask(question);
    }
    await workbench.changeSettings({ 'contextBudget.strategy': 'ladder' });
    await chat.frame.getByRole('button', { name: /^Compaction strategy: Ladder/ }).waitFor();
    await chat.ask('What does the lock do?');
    await chat.ask('Where are dates parsed?');
    await chat.compactions.last().getByRole('button', { name: 'Diff' }).click();
    return () => workbench.close();
  });

  it.each([
    ['Dark Modern', 'dark'],
    ['Light Modern', 'light'],
  ] as const)('chat and inspector in %s', async (theme, name) => {
    await workbench.setColourTheme(theme);
    const inspector = await InspectorPage.opened(workbench);
    await inspector.diff.getByText('summarised', { exact: true }).first().waitFor();
    await inspector.frame.getByRole('tablist').evaluate((tabs) => tabs.scrollIntoView());
    await chat.compactions.last().scrollIntoViewIfNeeded();
    await workbench.page.mouse.move(1300, 780);
    await take(workbench.page, `context-budget-${name}.png`);
  });

  it('a message, and its cost with all attachments', async () => {
    await workbench.setColourTheme('Dark Modern');
    await chat.composer.fill('What does @src/lock.ts do when the process dies?');
    await chat.frame.locator('.price').getByRole('listitem').first().waitFor();
    await takeBottom(workbench, 330, 'walkthrough/ask.png');
    await chat.composer.fill('');
  });

  describe('in the inspector', () => {
    let inspector: InspectorPage;

    beforeAll(async () => {
      await workbench.setColourTheme('Dark Modern');
      inspector = await InspectorPage.opened(workbench);
      await inspector.frame.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
    });

    /** Room for the area below the bar, in pixels. */
    const makeRoom = (height: number) => workbench.page.setViewportSize({ width: 1680, height });

    const takeEditor = (path: string) => take(workbench.page.locator('.part.editor'), path);

    it('the content of the window', async () => {
      await makeRoom(1130);
      const budget = await inspector.choose('Window');
      await budget.locator('.tile').first().waitFor();
      await takeEditor('inspector-budget.png');
    });

    it('the requests over time', async () => {
      await makeRoom(800);
      const timeline = await inspector.choose('Timeline');
      await timeline.getByRole('slider', { name: 'Request' }).hover();
      await takeEditor('inspector-timeline.png');
    });

    it('the effect of a compaction on every message', async () => {
      await workbench.page.setViewportSize({ width: 1240, height: 1080 });
      await inspector.choose('Compactions');
      await inspector.diff.getByText('summarised', { exact: true }).first().waitFor();
      await inspector.frame.getByRole('tablist').evaluate((tabs) => tabs.scrollIntoView());
      await takeEditor('walkthrough/compaction.png');
    });

    it('the effect of each strategy', async () => {
      await makeRoom(1180);
      const whatIf = await inspector.choose('What if');
      await whatIf.getByText(/Compared \d/).waitFor();
      await takeEditor('inspector-what-if.png');
    });
  });
});

describe('pictures of an agent that acts', () => {
  let session: ScriptedSession;

  beforeAll(async () => {
    session = await ScriptedSession.open(
      { window: 50_000 },
      {
        settings: {
          'diffEditor.renderSideBySide': false,
          'workbench.colorTheme': 'Dark Modern',
          'workbench.statusBar.visible': false,
        },
        size: { width: 1200, height: 720 },
      },
    );
    return () => session.close();
  });

  it('a change that waits for approval', async () => {
    const { chat, server, workbench } = session;
    await workbench.setSideBarWidth(420);
    const path = 'src/lock.ts';
    const search = "await open(path, 'wx')";
    const replace = "await open(path, 'wx', 0o600)";
    server.reply(
      { toolCalls: [{ name: 'read_file', arguments: { path } }] },
      {
        text: 'Others can read the lock file. I make it the owner’s alone.',
        toolCalls: [{ name: 'edit_file', arguments: { path, edits: [{ search, replace }] } }],
      },
    );
    await chat.say('Nobody else may read the lock file');
    await chat.frame.locator('.approval').getByText('0o600').first().waitFor();
    await chat.frame
      .locator('.approval')
      .getByRole('button', { name: /^Review/ })
      .first()
      .click();
    await workbench.page.locator('.monaco-diff-editor').getByText('0o600').first().waitFor();
    await workbench.page.mouse.move(1100, 660);
    await take(workbench.page, 'chat-approval.png');
    await takeBottom(workbench, 560, 'walkthrough/act.png');
  });
});

/** Captures the lower end of the side bar, with the given height in pixels. */
async function takeBottom({ page }: VscodeWorkbench, height: number, path: string): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('There is no side bar.');
  await take(page, path, { clip: { ...box, y: box.y + box.height - height, height } });
}
