import * as vscode from 'vscode';
import { defaultDeadline } from '../agent/custom-strategy/deadline.ts';
import { RegisteredStrategies } from '../agent/custom-strategy/registered-strategies.ts';
import { systemPrompt } from '../agent/prompt.ts';
import { createTools } from '../agent/tools/catalogue.ts';
import { Workspace } from '../agent/tools/workspace.ts';
import { Actions } from './actions.ts';
import { createApi, type ContextBudgetApi } from './api.ts';
import { ChatView } from './chat/chat-view.ts';
import { WorkerCounter } from './counting/worker-counter.ts';
import { commandIds, documentScheme, viewIds } from './ids.ts';
import { importSession } from './import/import-session.ts';
import { DiffDocuments } from './inspector/diff-documents.ts';
import { InspectorPanel } from './inspector/inspector-panel.ts';
import { messageText } from './inspector/message-view.ts';
import { ApiKeys } from './models/api-keys.ts';
import { ModelProvider } from './models/model-provider.ts';
import { findRipgrep } from './ripgrep.ts';
import { SessionHub } from './session-hub.ts';
import { deleteSession, listingOf, pickSession, renameSession } from './session-picker.ts';
import { section } from './settings/configuration.ts';
import { readSettings } from './settings/read-settings.ts';
import { SettingsReporter } from './settings/settings-reporter.ts';
import { StatusItem } from './status-item.ts';
import { SessionStore } from './storage/session-store.ts';
import { StateFile } from './storage/state-file.ts';

/** Puts the parts together. Loads neither the ranks of the counter nor any model: those wait for the first message. */
export function activate(context: vscode.ExtensionContext): ContextBudgetApi {
  const log = vscode.window.createOutputChannel('Context Budget', { log: true });
  const settings = () => readSettings((name) => vscode.workspace.getConfiguration(section).get(name));
  const keys = new ApiKeys(context.secrets);
  const provider = new ModelProvider(keys, settings);
  const reporter = new SettingsReporter(log);
  const counter = new WorkerCounter(new URL('./counter-worker.js', import.meta.url));
  const meterOf = () => counter.meterOf(provider.choice.encoding);

  const registered = new RegisteredStrategies();
  const ripgrepPath = findRipgrep(vscode.env.appRoot);
  const folders = () =>
    vscode.workspace.isTrusted
      ? (vscode.workspace.workspaceFolders ?? [])
          .filter(({ uri }) => uri.scheme === 'file')
          .map(({ uri }) => uri.fsPath)
      : [];
  const workspace = () => new Workspace(folders());
  const stored = (name: string) =>
    vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, name).fsPath;
  const prompt = () => {
    const name = vscode.workspace.isTrusted ? vscode.workspace.name : undefined;
    return systemPrompt(name === undefined ? undefined : { name });
  };
  const hub = new SessionHub({
    store: new SessionStore(stored('sessions')),
    state: new StateFile(stored('state.json')),
    meterOf,
    log,
    now: () => Date.now(),
    models: () => provider.models(),
    tools: (original, searchHistory, requestCompaction) =>
      createTools({
        searchHistory,
        requestCompaction: settings().mode === 'auto' ? requestCompaction : undefined,
        workspace: workspace(),
        ripgrepPath,
        recall: (id) => {
          const message = original(id);
          return message === undefined ? undefined : messageText(message);
        },
      }),
    systemPrompt: prompt,
    settings: () => {
      const { strategy, options, mode, protectFirst, focus } = settings();
      return { strategy, options, mode, protectFirst, focus, budget: provider.budget };
    },
    outside: async () => {
      const { findStrategy } = await import('../agent/custom-strategy/find-strategy.ts');
      return findStrategy(settings().customStrategy, {
        folders: folders(),
        registered,
        workerScript: new URL('./strategy-worker.js', import.meta.url),
        deadline: defaultDeadline,
      });
    },
  });

  const actions = new Actions(hub, keys, settings, log, (recordId) => inspector.show(recordId));
  const labels = () => ({ model: provider.choice, strategy: settings().strategy.id });
  const chat = new ChatView(
    context.extensionUri,
    hub,
    actions,
    () => {
      const { model, strategy } = labels();
      const { label, isOffline } = model;
      return { model: { label, isOffline }, strategy, isTrusted: vscode.workspace.isTrusted };
    },
    log,
  );
  const inspector = new InspectorPanel(
    context.extensionUri,
    hub,
    actions,
    () => ({ model: labels().model.label, strategy: labels().strategy }),
    log,
  );
  const status = new StatusItem();
  hub.onDidSwitch(({ feed }) => feed.refreshMeter());
  hub.onDidChange((changes) => {
    for (const change of changes) {
      if (change.type === 'state' && change.state.meter !== undefined) status.show(change.state.meter);
    }
  });

  const refresh = async () => {
    await provider.refresh();
    reporter.report([...settings().problems, ...provider.problems]);
    chat.refreshLabels();
    inspector.refresh();
    await hub.refreshMeter();
  };
  /** Never rejects: what goes wrong is told to the person. Only a text can be handed on to whoever ran a command. */
  const run = async (work: () => unknown): Promise<string | undefined> => {
    try {
      const result = await work();
      return typeof result === 'string' ? result : undefined;
    } catch (error) {
      actions.report(error);
      return undefined;
    }
  };

  const commands: Readonly<Record<string, (argument: unknown) => unknown>> = {
    [commandIds.newChat]: async () => {
      await hub.newChat();
      await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
      chat.focusComposer();
    },
    [commandIds.compactNow]: () => actions.compactNow(),
    [commandIds.undoCompaction]: () => actions.undo(),
    [commandIds.openInspector]: () => actions.openInspector(),
    [commandIds.selectStrategy]: () => actions.selectStrategy(),
    [commandIds.setApiKey]: () => actions.setApiKey(),
    [commandIds.clearApiKey]: () => actions.clearApiKey(),
    [commandIds.showLog]: () => log.show(),
    [commandIds.showSessions]: () => pickSession(hub),
    [commandIds.renameSession]: async () => renameSession(hub, listingOf(await hub.current())),
    [commandIds.deleteSession]: async () => deleteSession(hub, listingOf(await hub.current())),
    [commandIds.importSession]: async (argument) => {
      const file = argument instanceof vscode.Uri ? argument : undefined;
      const isOpen = await importSession(hub, { meter: meterOf(), systemPrompt: prompt }, log, file);
      if (!isOpen) return undefined;
      await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
      return (await hub.current()).id;
    },
  };

  context.subscriptions.push(
    log,
    hub,
    status,
    { dispose: () => void counter.dispose() },
    vscode.window.registerWebviewViewProvider(viewIds.chat, chat),
    vscode.window.registerWebviewPanelSerializer(viewIds.inspector, inspector),
    vscode.workspace.registerTextDocumentContentProvider(documentScheme, new DiffDocuments(hub)),
    ...Object.entries(commands).map(([id, work]) =>
      vscode.commands.registerCommand(id, (argument: unknown) => run(() => work(argument))),
    ),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) void run(refresh);
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void run(refresh)),
    context.secrets.onDidChange(() => void run(refresh)),
  );
  void run(async () => {
    await provider.refresh();
    reporter.report([...settings().problems, ...provider.problems]);
    chat.refreshLabels();
    await hub.refreshMeter();
  });
  return createApi(registered);
}
