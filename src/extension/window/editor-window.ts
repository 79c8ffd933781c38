import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { RegisteredStrategies } from '../../agent/custom-strategy/registered-strategies.ts';
import { section } from '../../presenters/settings/general-settings.ts';
import type { ChatView } from '../chat/chat-view.ts';
import { Actions } from '../commands/actions.ts';
import { commandTable, reported } from './command-table.ts';
import { ContextKeys } from './context-keys.ts';
import { programOf, refreshConnections, watchReceipt } from '../connect/program.ts';
import { type CommandId, viewIds } from '../editor/ids.ts';
import { LoadedOnce } from '../editor/loaded-once.ts';
import { reloadWebviewsOnBuild } from '../editor/webview-channel.ts';
import { DiffDocuments } from '../inspector/diff-documents.ts';
import { createServices, type Services } from './services.ts';
import { fillSessions, type SessionsSection, type SessionsTreeView, showStatus } from './session-displays.ts';
import { SettingsReporter } from '../settings/editor-settings.ts';
import { offerToMoveSettings } from '../settings/move-settings.ts';
import { Transcripts } from './transcripts.ts';
import {
  createChat,
  createChatProvider,
  createInspector,
  type Inspector,
  type LoadedChatProvider,
  showNotices,
} from './views.ts';

/** The extension in one window of VS Code. */
export interface EditorWindow {
  readonly services: Services;
  readonly chat: ChatView;
  readonly inspector: Inspector;
  readonly sessions: SessionsSection;
  readonly documents: DiffDocuments;
  readonly chatProvider: LoadedChatProvider;
  /**
   * Runs a command of `package.json` with unchecked arguments. Shows errors and never rejects.
   *
   * @returns the command's result if it is a string
   */
  run(command: CommandId, values: readonly unknown[]): Promise<string | undefined>;
  /** Finishes the work of the sessions, and ends the recording of an extension. */
  close(): Promise<void>;
}

/** Parts of the window that were created on activation. */
interface WindowPorts {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly registered: RegisteredStrategies;
  readonly sessionsTree: SessionsTreeView;
}

/** Builds the window, shows its first state, and asks one-time questions. */
export function openEditorWindow({ context, log, registered, sessionsTree }: WindowPorts): EditorWindow {
  const { extensionUri, globalState, subscriptions } = context;
  const storage = context.globalStorageUri.fsPath;
  const services = createServices(context, log, registered);
  subscriptions.push(services);
  const actions = new Actions(services);
  let made: Transcripts | undefined;
  const transcripts = (): Transcripts =>
    (made ??= new Transcripts({ context, services, actions, inspector }));
  const liveStatus = showStatus(context, services, (compactions) => transcripts().tell(compactions));
  const sessions = fillSessions(context, services, sessionsTree);
  showNotices(services);
  const chat = createChat(context, services, actions);
  const inspector = createInspector(context, services, {
    actions,
    chat,
    reopen: (id) => transcripts().reopen(id),
  });
  const contextKeys = new ContextKeys(services);
  const refresh = refreshOnChange(context, services, actions, async () => {
    await contextKeys.readSettings();
    chat.refreshLabels();
    await inspector.refresh();
  });
  const extensionWatch = new LoadedOnce(async () => {
    const { ExtensionWatch } = await import('../connect/extension-watch.ts');
    return new ExtensionWatch({ program: programOf(extensionUri), storage, log });
  });
  const commands = commandTable({
    extensionUri,
    subscriptions,
    services,
    actions,
    chat,
    inspector,
    liveStatus,
    sessions,
    extensionWatch,
    transcripts,
    refresh,
  });
  if (context.extensionMode === vscode.ExtensionMode.Development) reloadWebviewsOnBuild(context);
  for (const work of [
    () => offerToMoveSettings(globalState),
    () => refreshConnections(extensionUri),
    async () => (existsSync(watchReceipt(storage)) ? (await extensionWatch.get()).takeBackLeft() : undefined),
    () => welcomeOnce(globalState),
  ]) {
    void reported(work, actions);
  }
  return {
    services,
    chat,
    inspector,
    sessions,
    documents: new DiffDocuments(services),
    chatProvider: createChatProvider(context, services),
    run: async (command, values) => {
      const result = await reported(() => commands[command](...values), actions);
      await contextKeys.readAfter(command);
      return result;
    },
    close: async () => {
      await Promise.all([services.close(), extensionWatch.started?.then((watch) => watch.close())]);
    },
  };
}

/** Reads settings, keys and models again after each change. @returns a function that does so immediately */
function refreshOnChange(
  { secrets, subscriptions }: Pick<vscode.ExtensionContext, 'secrets' | 'subscriptions'>,
  { hub, log, onDidFindModel, provider, settings }: Services,
  actions: Actions,
  showLabels: () => Promise<void>,
): () => Promise<void> {
  const reporter = new SettingsReporter(log);
  const show = async () => {
    await showLabels();
    await hub.refresh();
  };
  const refresh = async () => {
    await provider.refresh();
    reporter.report([...settings().problems, ...provider.problems]);
    await show();
  };
  // Every window activates the extension, but only windows in use contact servers.
  let isUsed = false;
  const refreshReported = () => {
    if (isUsed) void reported(refresh, actions);
  };
  subscriptions.push(
    onDidFindModel(() => void reported(show, actions)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) refreshReported();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(refreshReported),
    secrets.onDidChange(refreshReported),
    vscode.lm.onDidChangeChatModels(refreshReported),
    hub.onDidOpenFirst(() => {
      isUsed = true;
      refreshReported();
    }),
  );
  return refresh;
}

/** The walkthrough of `package.json`, with the id of the extension. */
const walkthrough = 'context-budget.context-budget#getStarted';
/** Storage key of the note that the chat was shown to a new user. */
const welcomedKey = 'contextBudget.welcomed';

/** Shows the chat and the walkthrough in the first window after installation, unless a VS Code setting forbids it. */
async function welcomeOnce(kept: vscode.Memento): Promise<void> {
  if (kept.get(welcomedKey) === true) return;
  await kept.update(welcomedKey, true);
  const isWanted = vscode.workspace
    .getConfiguration('workbench')
    .get<boolean>('welcomePage.walkthroughs.openOnInstall', true);
  if (!isWanted) return;
  await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough, false);
}
