import * as vscode from 'vscode';
import { surroundingsHere } from '../../agent/files/surroundings.ts';
import { HeldElsewhereError } from '../../agent/locks/session-lock.ts';
import {
  claudeCodeExtension,
  type ExtensionWay,
  wayOfExtension,
} from '../../bridge/watch/claude-code-extension.ts';
import { LentVariables, type VariableSetting } from '../../bridge/watch/lent-variables.ts';
import { startProxyProcess } from '../../bridge/watch/proxy-process.ts';
import { shownList, withVariables } from '../../bridge/watch/variable-list.ts';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { editorWording } from '../editor/editor-wording.ts';
import { commandIds } from '../editor/ids.ts';
import { plainLabel, showInformation, showWarning } from '../editor/plain-notices.ts';
import { hasWindow } from '../sessions/window-present.ts';
import { watchReceipt } from './program.ts';
import { isAgreed } from './review-changes.ts';

type Key = keyof (typeof bridgeSentences)['english'];

const { title, setting } = claudeCodeExtension;
const settingName = setting.join('.');

/** Parts of the window that a watched extension needs. */
interface WatchPorts {
  /** Absolute path of the command-line program. */
  readonly program: string;
  /** Folder of the extension's stored data. */
  readonly storage: string;
  readonly log: Pick<vscode.LogOutputChannel, 'info'>;
}

/**
 * The extension whose requests this window records. They go through a proxy because of variables in the user's
 * settings. The variables are taken back when the user stops, when the window closes, or at the next start after a
 * crash.
 */
export class ExtensionWatch {
  private readonly ports: WatchPorts;
  private readonly closing = new AbortController();
  private current: { readonly lent: LentVariables; readonly dispose: () => void } | undefined;

  constructor(ports: WatchPorts) {
    this.ports = ports;
  }

  /** Returns the entry for the list of agents. @returns undefined if the extension is not installed */
  async offer(folder: string | undefined): Promise<vscode.QuickPickItem | undefined> {
    if (vscode.extensions.getExtension(claudeCodeExtension.id) === undefined) return undefined;
    const way = await this.wayFrom(folder);
    const description =
      way === undefined ? text('cannotBeWatched') : text('sendsTo', { address: way.upstream });
    return {
      label: title,
      description: plainLabel(description),
      detail: text('watchedBySetting', { setting: settingName }),
    };
  }

  /**
   * Shows the change to the user's settings, makes it if the user agrees, and records what the extension sends.
   * @throws {SentenceError} if another window watches it, or the proxy does not start
   */
  async start(folder: string | undefined): Promise<void> {
    if (this.current !== undefined) {
      void showInformation(text('alreadyWatched', { agent: title }));
      return;
    }
    const lent = this.lent();
    await held(lent);
    let stopProxy = () => {};
    try {
      // Read again, because a crashed window may have left its variables until now.
      const way = await this.wayFrom(folder);
      if (way === undefined) {
        void showWarning(text('watchImpossible', { agent: title }));
        return;
      }
      const proxy = await startProxyProcess({
        program: this.ports.program,
        agent: { title },
        upstream: way.upstream,
        folder,
        log: (line) => this.ports.log.info(line),
      });
      stopProxy = () => proxy.stop();
      const variables = way.variables(proxy.baseUrl);
      const before = userSetting.read();
      const { value, replaced } = withVariables(before, variables);
      const change = {
        path: `${settingName}.json`,
        before: shownList(settingName, before, replaced),
        after: shownList(settingName, value, replaced),
      };
      const question = text('watchQuestion', { agent: title, setting: settingName });
      if (!(await isAgreed(title, [change], { question, yes: text('watch') }))) return;
      await lent.lend(variables);
      const item = statusItem();
      stopProxy = () => {};
      const dispose = () => {
        proxy.stop();
        item.dispose();
      };
      this.current = { lent, dispose };
      void proxy.died.then(() => this.endAfterDeath());
      await this.tellKey();
      void showInformation(text('extensionWatched', { agent: title }));
    } finally {
      stopProxy();
      if (this.current?.lent !== lent) await lent.takeBack();
    }
  }

  /** Ends the recording, and tells the user. @throws errors of VS Code if the settings cannot be written */
  async stop(): Promise<void> {
    if (await this.end()) void showInformation(text('extensionUnwatched', { agent: title }));
  }

  /**
   * Restores the setting, and ends the recording.
   * @returns false if nothing was recorded
   * @throws errors of VS Code if the settings cannot be written; the recording then continues
   */
  private async end(): Promise<boolean> {
    const { current } = this;
    if (current === undefined) return false;
    await current.lent.takeBack();
    current.dispose();
    this.current = undefined;
    await this.tellKey();
    return true;
  }

  /**
   * Restores the setting if another window leaves it behind, now or later.
   * @throws errors of VS Code if the settings cannot be written
   */
  takeBackLeft(): Promise<void> {
    return this.lent().takeBackLeft(this.closing.signal);
  }

  /** Ends the recording with its window. @throws errors of VS Code if the settings cannot be written */
  async close(): Promise<void> {
    this.closing.abort();
    await this.end();
  }

  private async endAfterDeath(): Promise<void> {
    const isRestored = await this.end().catch(() => false);
    const key = isRestored ? 'extensionProxyEnded' : 'extensionStillSet';
    void showWarning(text(key, { agent: title, setting: settingName }));
  }

  private lent(): LentVariables {
    return new LentVariables(watchReceipt(this.ports.storage), userSetting, hasWindow);
  }

  private async wayFrom(folder: string | undefined): Promise<ExtensionWay | undefined> {
    const [section, name] = setting;
    const levels = vscode.workspace.getConfiguration(section).inspect<unknown>(name);
    // Versions that read the setting of a folder would ignore the user's.
    const isOfFolder = (levels?.workspaceValue ?? levels?.workspaceFolderValue) !== undefined;
    if (isOfFolder) return undefined;
    return wayOfExtension({ ...surroundingsHere(), folder }, levels?.globalValue ?? levels?.defaultValue);
  }

  private async tellKey(): Promise<void> {
    const isWatching = this.current !== undefined;
    await vscode.commands.executeCommand('setContext', 'contextBudget.isWatching', isWatching);
  }
}

/** The setting among the user's; in a remote window, among those of the remote machine. */
const userSetting: VariableSetting = {
  read() {
    const [section, name] = setting;
    return vscode.workspace.getConfiguration(section).inspect<unknown>(name)?.globalValue;
  },
  async write(value) {
    const [section, name] = setting;
    await vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
  },
};

async function held(lent: LentVariables): Promise<void> {
  try {
    await lent.hold();
  } catch (error) {
    if (!(error instanceof HeldElsewhereError)) throw error;
    throw new SentenceError(bridgeSentences.say('watchedElsewhere', { agent: title }));
  }
}

/** The item in the status bar that shows what is being recorded, and stops it. */
function statusItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem(
    'contextBudget.watched',
    vscode.StatusBarAlignment.Right,
    89,
  );
  item.name = text('watchAgent');
  item.text = `$(eye) ${title}`;
  item.tooltip = text('stopWatchingHint', { agent: title });
  item.command = commandIds.stopWatching;
  item.show();
  return item;
}

function text<K extends Key>(...said: Parameters<typeof bridgeSentences.say<K>>): string {
  return editorWording.text(bridgeSentences.say<K>(...said));
}
