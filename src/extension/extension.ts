import * as vscode from 'vscode';
import { section } from '../presenters/settings/general-settings.ts';
import { Actions } from './commands/actions.ts';
import { type ContextBudgetApi, createApi } from './api.ts';
import { registerContext } from './connect/register-context.ts';
import { reloadWebviewsOnBuild } from './editor/webview-channel.ts';
import { registerCommands, reported } from './register-commands.ts';
import { registerSessions, registerStatus } from './register-sessions.ts';
import { registerChat, registerInspector, registerNotices } from './register-views.ts';
import type { Transcripts } from './transcripts.ts';
import { createServices, type Services } from './services.ts';
import { SettingsReporter } from './settings/editor-settings.ts';

let services: Services | undefined;

/** Registers everything that `package.json` declares. Chat, inspector and models are loaded when they are used. */
export function activate(context: vscode.ExtensionContext): ContextBudgetApi {
  const log = vscode.window.createOutputChannel('Context Budget', { log: true });
  services = createServices(context, log);
  context.subscriptions.push(log, services);
  const actions = new Actions(services);
  const liveStatus = registerStatus(context, services, async (made) => (await transcripts()).tell(made));
  const sessions = registerSessions(context, services);
  registerNotices(services);
  const chat = registerChat(context, services, actions);
  const inspector = registerInspector(context, services, actions, chat);
  const ports = { context, services, actions, inspector };
  let loaded: Promise<Transcripts> | undefined;
  const loadTranscripts = async () => {
    const { Transcripts: Loaded } = await import('./transcripts.ts');
    return new Loaded(ports);
  };
  const transcripts = () => (loaded ??= loadTranscripts());
  const refresh = registerRefresh(context, services, actions, async () => {
    chat.refreshLabels();
    await inspector.refresh();
  });
  if (context.extensionMode === vscode.ExtensionMode.Development) {
    reloadWebviewsOnBuild(context);
  }
  registerCommands(context, {
    services,
    actions,
    chat,
    inspector,
    liveStatus,
    sessions,
    transcripts,
    refresh,
  });
  registerContext(context, services.transcriptPorts);
  void import('./connect/program.ts').then(({ refreshConnections }) =>
    reported(() => refreshConnections(context.extensionUri), actions),
  );
  void import('./first-minute.ts').then(({ welcomeOnce }) =>
    reported(() => welcomeOnce(context.globalState), actions),
  );
  return registerApi(services);
}

/** Lets go of the sessions that other windows wait for. */
export async function deactivate(): Promise<void> {
  await services?.hub.close();
}

/**
 * Reads settings, keys and models again when any of them changes, and shows them.
 *
 * @returns does so at once
 */
function registerRefresh(
  context: vscode.ExtensionContext,
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
  // Every window activates the extension; no server hears of one in which nobody uses it.
  let isUsed = false;
  const refreshReported = () => {
    if (isUsed) void reported(refresh, actions);
  };
  context.subscriptions.push(
    onDidFindModel(() => void reported(show, actions)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) refreshReported();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(refreshReported),
    context.secrets.onDidChange(refreshReported),
    vscode.lm.onDidChangeChatModels(refreshReported),
  );
  context.subscriptions.push(
    hub.onDidOpenFirst(() => {
      isUsed = true;
      refreshReported();
    }),
  );
  void import('./settings/move-settings.ts').then(({ offerToMoveSettings }) =>
    reported(() => offerToMoveSettings(context.globalState), actions),
  );
  return refresh;
}

/** Builds the API that other extensions may call. */
function registerApi({ hub, registered }: Services): ContextBudgetApi {
  return createApi(registered, (listener) =>
    hub.onDidHappen((event) => {
      if (event.type === 'compaction-phase') listener(event);
    }),
  );
}
