import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { eventually } from '../support/eventually.ts';

/** The extension in development: its files are built again while a window shows its pages. */
describe('the pages of an extension in development', () => {
  let folder: string;
  let workbench: VscodeWorkbench;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'context-budget-developed-'));
    // Excludes the packages for npm, which another test may be building.
    const filter = (path: string): boolean => !/[\\/]dist[\\/](?:library|command)$/.test(path);
    for (const part of ['package.json', 'package.nls.json', 'media', 'dist'])
      await cp(join(projectFolder, part), join(folder, part), { recursive: true, filter });
    workbench = await VscodeWorkbench.open({ extension: { developmentFolder: folder } });
    return async () => {
      await workbench.close();
      await rm(folder, { recursive: true });
    };
  });

  it('are reloaded when their styles are built again', async () => {
    const before = await ChatPage.open(workbench);
    await before.ask('What does the lock do?');
    await rebuilt('chat.css', (styles) => `${styles}\n.composer { outline-color: rgb(1, 2, 3); }`);
    await eventually(async () => {
      const { frame } = await ChatPage.open(workbench);
      return frame.locator('.composer').evaluate((composer) => getComputedStyle(composer).outlineColor);
    }).toBe('rgb(1, 2, 3)');
  });

  it('are reloaded when their code is built again, and keep the conversation', async () => {
    await rebuilt('chat.js', (code) => `document.documentElement.dataset.built = 'again';\n${code}`);
    await eventually(async () => {
      const { frame } = await ChatPage.open(workbench);
      return frame.locator('html').getAttribute('data-built');
    }).toBe('again');
    expect(await (await ChatPage.open(workbench)).questions.count()).toBe(1);
  });

  async function rebuilt(name: string, change: (text: string) => string): Promise<void> {
    const file = join(folder, 'dist', 'webview', name);
    await writeFile(file, change(await readFile(file, 'utf8')));
  }
});
