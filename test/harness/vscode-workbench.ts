import { join } from 'node:path';
import { type Frame, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';
import { scratchCopy } from '../../scripts/test/scratch-copy.ts';
import { sharedBrowser } from '../webview/support/browser.ts';
import { colourThemes, type ColourTheme } from './colour-themes.ts';
import type { EarlierStorage } from './earlier-storage.ts';
import { PageProblems } from './page-problems.ts';
import { until } from '../support/eventually.ts';
import { timeLimit } from '../../scripts/machine-speed.ts';
import { type OtherExtension, sharedHost, VscodeHost, type WindowStorage } from './vscode-host.ts';
import { WorkspaceFolder } from './workspace-folder.ts';

/** The workspace included in the project. */
export const sampleWorkspace = join(projectFolder, 'samples', 'workspace');

export interface WorkbenchOptions {
  /** Folder whose copy is opened; the sample by default. */
  readonly workspace?: string;
  /** Settings that replace those of the workspace. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings of the user. */
  readonly userSettings?: Readonly<Record<string, unknown>>;
  /** Settings of the machine, which a workspace cannot change. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** An extension with a separate server; the checkout's build by default. */
  readonly extension?: OtherExtension;
  /** Storage of an earlier version, copied before the window opens. */
  readonly storage?: EarlierStorage;
  /** True if the folder is trusted, which is the default. */
  readonly trust?: boolean;
  /** Size of the window in pixels. */
  readonly size?: { readonly width: number; readonly height: number };
}

/**
 * Time limits on a quiet machine, in milliseconds: for a request to a workbench, and for a repeatable try.
 */
const [patience, moment] = [60_000, 4_000];

/** Time limit on a quiet machine until a window and the extension have started, in milliseconds. It takes 3 to 6 s. */
const startingTime = 30_000;

/** Number of times that a window is opened again if it does not start. */
const restarts = 2;

/** A window of VS Code in a browser, on a separate folder, operated like a user. One is open at a time. */
export class VscodeWorkbench {
  readonly page: Page;
  readonly workspace: WorkspaceFolder;
  readonly problems: PageProblems;
  readonly host: VscodeHost;
  readonly storage: WindowStorage;
  private readonly endings: readonly (() => Promise<void>)[];
  private hasReloaded = false;
  /** Number of changes of settings so far. */
  private changes = 0;

  private constructor(
    page: Page,
    workspace: WorkspaceFolder,
    { host, storage }: Pick<VscodeWorkbench, 'host' | 'storage'>,
    endings: readonly (() => Promise<void>)[],
  ) {
    this.page = page;
    this.workspace = workspace;
    this.host = host;
    this.storage = storage;
    this.problems = new PageProblems(page);
    this.endings = endings;
  }

  /** Opens a window and waits until it has loaded its extensions. Starts server and browser if necessary. */
  static async open({
    workspace: original = sampleWorkspace,
    settings = {},
    userSettings = {},
    machineSettings = {},
    extension,
    storage: earlier,
    trust = true,
    size = { width: 1280, height: 800 },
  }: WorkbenchOptions = {}): Promise<VscodeWorkbench> {
    const endings: (() => Promise<void>)[] = [];
    try {
      const copy = await scratchCopy(original);
      endings.push(copy.remove);
      const workspace = new WorkspaceFolder(copy.folder);
      await workspace.replaceSettings(settings);
      const host = extension === undefined ? await sharedHost() : await VscodeHost.start(extension);
      if (extension !== undefined) endings.push(() => host.stop());
      const storage = await host.prepare({ user: userSettings, machine: machineSettings, trust });
      await earlier?.layOut(host, workspace.path);
      const context = await (await sharedBrowser()).newContext({ viewport: size });
      endings.push(() => context.close());
      context.setDefaultTimeout(timeLimit(patience));
      const page = await context.newPage();
      const workbench = new VscodeWorkbench(page, workspace, { host, storage }, endings);
      await workbench.show(host.url(workspace.path));
      return workbench;
    } catch (error) {
      await endAll(endings);
      throw error;
    }
  }

  /** Opens the same folder in another tab of the browser: a window with a separate extension host. */
  async openTab(): Promise<VscodeWorkbench> {
    const page = await this.page.context().newPage();
    const tab = new VscodeWorkbench(page, this.workspace, this, [() => page.close()]);
    await tab.show(this.page.url());
    return tab;
  }

  /** Crashes this window without notice to its program, and opens its folder in another tab. */
  async openTabAfterCrash(): Promise<VscodeWorkbench> {
    const protocol = await this.page.context().newCDPSession(this.page);
    const crashed = this.page.waitForEvent('crash');
    // A crashed page does not answer.
    protocol.send('Page.crash').catch(() => {});
    await crashed;
    return this.openTab();
  }

  /**
   * Runs a command by its title in the command palette, with its category: `Category: Title`.
   *
   * The editor closes its palette when a page gets the focus late. The palette is then opened again, as a
   * user would.
   */
  async runCommand(title: string): Promise<void> {
    const label = this.page.getByText(title, { exact: true });
    const command = this.quickInput.locator('.monaco-list-row').filter({ has: label }).first();
    await until(async () => {
      const timeout = timeLimit(moment);
      await this.page.keyboard.press('F1');
      await this.quickInput.locator('input').first().fill(`>${title}`, { timeout });
      await command.click({ timeout });
    });
  }

  /**
   * Runs a command that opens a list, and chooses a row of it. Opens the list again if it closed because a
   * page got the focus late.
   */
  async runAndChoose(title: string, row: Locator): Promise<void> {
    await until(async () => {
      if (!(await row.isVisible())) await this.runCommand(title);
      await row.click({ timeout: timeLimit(moment) });
    });
  }

  /** Rows of the open list with all of these texts. */
  listRows(...texts: readonly string[]): Locator {
    const rows = this.quickInput.locator('.monaco-list-row');
    return texts.reduce((found, hasText) => found.filter({ hasText }), rows);
  }

  /** Quick picks and input boxes: lists, names, file paths. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  notification(text: string): Locator {
    return this.page.locator('.notification-list-item', { hasText: text });
  }

  /**
   * Answers the question for a file name, and waits until the file exists.
   *
   * @param suggestion required end of the suggested path
   * @param name of the file in the workspace
   * @returns the content of the file
   */
  async saveAs(suggestion: RegExp, name: string): Promise<string> {
    const path = this.quickInput.locator('input').first();
    await until(async () => expect(await path.inputValue()).toMatch(suggestion));
    await path.fill(join(this.workspace.path, name));
    await path.press('Enter');
    return until(async () => {
      const text = await this.workspace.read(name);
      expect(text).not.toBe('');
      return text;
    });
  }

  /** Opens the view container whose icon in the activity bar has this label. */
  async openView(label: string): Promise<void> {
    const tab = this.page.locator('.activitybar').getByRole('tab', { name: label });
    const opened = tab.and(this.page.locator('[aria-expanded="true"]'));
    // A click on the icon of an open container closes it. After a reload, an open container reopens
    // automatically, so wait for that.
    if (this.hasReloaded) await opened.waitFor({ timeout: timeLimit(moment) }).catch(() => undefined);
    await until(async () => {
      if (!(await opened.isVisible())) await tab.click();
      await opened.waitFor({ timeout: timeLimit(moment) });
    });
    // The mouse would highlight the icon.
    await this.page.mouse.move(1, 1);
  }

  /** Waits for the webview whose document matches, for example `withTitle('Chat')`. */
  webview(matches: (document: Frame) => Promise<boolean>): Promise<Frame> {
    return until(async () => {
      for (const frame of this.page.frames()) {
        if (!frame.url().includes('/webview/browser/pre/fake.html')) continue;
        // Frames appear and disappear while a webview loads.
        if (await matches(frame).catch(() => false)) return frame;
      }
      throw new Error('No webview matches.');
    });
  }

  /**
   * Adds settings to those of the workspace, and waits until the editor has notified its extensions, which
   * then use them. The title of the window, set among them, shows it.
   */
  async changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const title = `Settings ${++this.changes}`;
    await this.workspace.changeSettings({ ...settings, 'window.title': title });
    await until(async () => expect(await this.page.title()).toBe(title));
  }

  /** Switches the theme through the settings of the workspace. */
  async setColourTheme(theme: ColourTheme): Promise<void> {
    await this.changeSettings({ 'workbench.colorTheme': theme });
    await this.page.locator(`.monaco-workbench.${colourThemes[theme]}`).waitFor();
  }

  /** Drags the edge of the side bar to a width in pixels. */
  async setSideBarWidth(width: number): Promise<void> {
    const box = await this.page.locator('.part.sidebar').boundingBox();
    if (box === null) throw new Error('There is no side bar.');
    await this.page.mouse.move(box.x + box.width, 400);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + width, 400, { steps: 5 });
    await this.page.mouse.up();
  }

  /**
   * Waits until VS Code has saved the state of an open editor, so that it survives a reload. In a browser, VS
   * Code saves every few seconds, not when the window closes.
   *
   * @param text the kind of the editor, as its extension calls it, or a part of its content
   */
  async untilSaved(text: string): Promise<void> {
    await until(async () => expect(await this.page.evaluate(savedEditors)).toContain(text));
  }

  /** Reloads the window, which starts a new extension host. */
  async reload(): Promise<void> {
    this.hasReloaded = true;
    await this.start(() => this.page.reload({ timeout: timeLimit(startingTime) }));
  }

  /**
   * Reloads the window in another language. VS Code's own texts stay English without a language pack, but
   * those of extensions change.
   *
   * @param language as VS Code names it, for example `zh-cn`
   */
  async speak(language: string): Promise<void> {
    // The place where the page of a VS Code server stores its language for the workbench.
    await this.page.addInitScript(
      (name) => Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: name }),
      language,
    );
    await this.reload();
  }

  /** Closes the window and removes the copy of the workspace; of a further tab, only the tab. */
  async close(): Promise<void> {
    await endAll(this.endings);
  }

  private async show(url: string): Promise<void> {
    await this.start(() => this.page.goto(url, { timeout: timeLimit(startingTime) }));
  }

  /**
   * Loads the window and waits until the extension has started. VS Code's server sometimes starts an
   * extension host that never reports back, so the window is then loaded again.
   */
  private async start(load: () => Promise<unknown>): Promise<void> {
    this.page.context().setDefaultTimeout(timeLimit(patience));
    for (let attempt = 0; ; attempt++) {
      try {
        const before = this.host.starts();
        await load();
        await this.extensionHasStarted(before);
        return;
      } catch (error) {
        if (attempt === restarts) throw error;
        console.warn(`A window did not start and is loaded again: ${String(error).split('\n', 1)[0]}`);
      }
    }
  }

  /** @param before number of starts before this one */
  private async extensionHasStarted(before: number): Promise<void> {
    const timeout = timeLimit(startingTime);
    // The mark that VS Code sets once commands, views and settings of all extensions are known.
    await this.page.waitForFunction(
      () => performance.getEntriesByName('code/didLoadExtensions').length > 0,
      undefined,
      { timeout },
    );
    await until(
      () => expect(this.host.starts(), 'starts of the extension').toBeGreaterThan(before),
      startingTime,
    );
  }
}

/** Matches a webview by the title of its document. */
export function withTitle(title: string): (document: Frame) => Promise<boolean> {
  return async (document) => (await document.title()) === title;
}

/** The open editors as VS Code saved them in the browser; runs in the page. */
async function savedEditors(): Promise<string> {
  const done = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error!));
    });
  const saved: unknown[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await done(indexedDB.open(name));
    try {
      saved.push(
        await done<unknown>(
          database.transaction('ItemTable').objectStore('ItemTable').get('memento/workbench.parts.editor'),
        ),
      );
    } finally {
      database.close();
    }
  }
  return JSON.stringify(saved);
}

async function endAll(endings: readonly (() => Promise<void>)[]): Promise<void> {
  for (const end of [...endings].reverse()) await end();
}
