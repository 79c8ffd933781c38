import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, it } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';

/** The pictures of the README, taken in the real VS Code: `npm run screenshots`. Not a part of `npm test`. */
describe('screenshots', () => {
  const folder = join(projectFolder, 'media');
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
      size: { width: 1440, height: 900 },
    });
    chat = await ChatPage.open(workbench);
    await widenSideBar(workbench, 420);
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
    await inspector.frame.locator('.diff').getByText('summarised', { exact: true }).first().waitFor();
    await chat.compactions.last().scrollIntoViewIfNeeded();
    await workbench.page.mouse.move(1300, 850);
    await workbench.page.screenshot({ path: join(folder, `context-budget-${name}.png`) });
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
