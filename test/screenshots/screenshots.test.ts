import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, it } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';
import { ScriptedServer } from '../agent/openai/scripted-server.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';

/** The pictures of the README, taken in the real VS Code: `npm run screenshots`. Not a part of `npm test`. */
const folder = join(projectFolder, 'media');

describe('pictures of a session', () => {
  let workbench: VscodeWorkbench;
  let chat: ChatPage;

  beforeAll(async () => {
    await mkdir(folder, { recursive: true });
    workbench = await VscodeWorkbench.open({
      settings: {
        'contextBudget.window': 10_000,
        'contextBudget.strategy': 'tool-result-hiding',
        'contextBudget.toolResultHiding.preserveRecentGroups': 2,
        'workbench.statusBar.visible': true,
      },
      size: { width: 1360, height: 830 },
    });
    chat = await ChatPage.open(workbench);
    await widenSideBar(workbench, 380);
    for (const question of [
      'How does the store recover from a torn write?',
      'How are two logs merged?',
      'Who calls the index?',
      'read src/search.ts',
      'read src/merge.ts',
    ]) {
      await chat.ask(question);
    }
    await workbench.workspace.changeSettings({ 'contextBudget.strategy': 'ladder' });
    await chat.frame.getByRole('button', { name: /^Compaction strategy: ladder/ }).waitFor();
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
    // The diff has to be in the picture.
    await inspector.frame.getByRole('tablist').evaluate((tabs) => tabs.scrollIntoView());
    await chat.compactions.last().scrollIntoViewIfNeeded();
    await workbench.page.mouse.move(1300, 780);
    await workbench.page.screenshot({ path: join(folder, `context-budget-${name}.png`) });
  });

  describe('in the inspector', () => {
    let inspector: InspectorPage;

    beforeAll(async () => {
      await workbench.setColourTheme('Dark Modern');
      inspector = await InspectorPage.opened(workbench);
      await inspector.frame.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
    });

    /** Room for what is below the bar, in pixels. */
    const makeRoom = (height: number) => workbench.page.setViewportSize({ width: 1680, height });

    const take = (name: string) =>
      workbench.page.locator('.part.editor').screenshot({ path: join(folder, `inspector-${name}.png`) });

    it('what fills the window', async () => {
      await makeRoom(1130);
      const budget = await inspector.choose('Budget');
      await budget.getByRole('list', { name: /^Health/ }).waitFor();
      await take('budget');
    });

    it('what was sent over time', async () => {
      await makeRoom(800);
      const timeline = await inspector.choose('Timeline');
      await timeline.getByRole('slider', { name: 'Request' }).hover();
      await take('timeline');
    });

    it('what each strategy would do', async () => {
      await makeRoom(1180);
      const whatIf = await inspector.choose('What if');
      await whatIf.getByRole('button', { name: 'Compare strategies' }).click();
      await whatIf.getByText(/ done in /).waitFor();
      await take('what-if');
    });
  });
});

describe('pictures of an agent that acts', () => {
  let server: ScriptedServer;
  let workbench: VscodeWorkbench;

  beforeAll(async () => {
    server = await ScriptedServer.start();
    workbench = await VscodeWorkbench.open({
      settings: {
        'contextBudget.model': 'scripted',
        'contextBudget.window': 50_000,
        'diffEditor.renderSideBySide': false,
        'workbench.colorTheme': 'Dark Modern',
        'workbench.statusBar.visible': false,
      },
      machineSettings: { 'contextBudget.baseUrl': server.baseUrl },
      size: { width: 1200, height: 720 },
    });
    return async () => {
      await workbench.close();
      await server.close();
    };
  });

  it('a change that waits to be allowed', async () => {
    const chat = await ChatPage.open(workbench);
    await widenSideBar(workbench, 420);
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
    await workbench.page.screenshot({ path: join(folder, 'chat-approval.png') });
  });
});

/** Drags the edge of the side bar to a width in pixels. */
async function widenSideBar({ page }: VscodeWorkbench, width: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('There is no side bar.');
  const edge = box.x + box.width;
  await page.mouse.move(edge, 400);
  await page.mouse.down();
  await page.mouse.move(box.x + width, 400, { steps: 5 });
  await page.mouse.up();
}
