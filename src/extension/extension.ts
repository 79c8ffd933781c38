import { factsOfModel } from '../compaction/budget/model-table.ts';
import * as vscode from 'vscode';
import { defaultDeadline, RegisteredStrategies } from '../agent/custom-strategy/registered-strategies.ts';
import type { SubAgentHost } from '../agent/delegation/sub-agent-session.ts';
import { systemPrompt } from '../agent/session/system-prompt.ts';
import { Actions } from './actions.ts';
import { AgentHost } from './agent-host.ts';
import { createApi, type ContextBudgetApi } from './api.ts';
import type { ComposerHost } from './chat/composer-host.ts';
import { ChatView } from './chat/chat-view.ts';
import { WorkerCounter } from '../presenters/counting/worker-counter.ts';
import { logPhase } from '../presenters/compaction-log.ts';
import { onDeactivate } from './deactivation.ts';
import { commandIds, documentScheme, viewIds } from './ids.ts';
import { inEditorLanguage } from './language/in-editor-language.ts';
import { OpenedTranscripts } from '../presenters/import/opened-transcripts.ts';
import { DiffDocuments } from './inspector/diff-documents.ts';
import type { InspectorPanel } from './inspector/inspector-panel.ts';
import { SubAgentSessions } from '../presenters/inspector/sub-agent-sessions.ts';
import { ApiKeys, ClearTextConsent } from './models/endpoint-access.ts';
import { ModelProvider } from './models/model-provider.ts';
import { findRipgrep } from './ripgrep.ts';
import { SessionHub } from './session-hub.ts';
import { tellOfRewritten } from './sessions/session-notices.ts';
import { compactionSettings } from '../presenters/settings/read-settings.ts';
import { section } from '../presenters/settings/configuration.ts';
import { currentSettings as settings, SettingsReporter } from './settings/editor-settings.ts';
import { StatusItem } from './status-item.ts';
import { durabilityOf } from '../presenters/storage/durability.ts';
import { SessionStore } from '../presenters/storage/session-store.ts';
import { openStorage } from '../presenters/storage/shared-folder.ts';
import { StateFile } from '../presenters/storage/state-file.ts';

export { deactivate } from './deactivation.ts';

/** Puts the parts together. Loads neither the ranks of the counter nor any model: those wait for the first message. */
export function activate(context: vscode.ExtensionContext): ContextBudgetApi {
  const log = vscode.window.createOutputChannel('Context Budget', { log: true });
  const keys = new ApiKeys(context.secrets);
  const consent = new ClearTextConsent(context.globalState);
  const provider = new ModelProvider(keys, settings, {
    consent,
    changed: () => void run(showLabels),
    now: () => Date.now(),
  });
  const reporter = new SettingsReporter(log);
  const counter = new WorkerCounter(new URL('./counter-worker.js', import.meta.url));
  const meterOf = () => counter.meterOf(provider.choice.encoding);

  const registered = new RegisteredStrategies();
  const stored = openStorage(context.storageUri ?? context.globalStorageUri, log);
  const prompt = () => {
    const name = vscode.workspace.isTrusted ? vscode.workspace.name : undefined;
    return systemPrompt(name === undefined ? undefined : { name });
  };
  const agent = new AgentHost({
    settings,
    window: () => provider.choice.window,
    ripgrepPath: findRipgrep(vscode.env.appRoot),
    stored,
    memory: { path: vscode.Uri.joinPath(context.globalStorageUri, 'memory.md').fsPath, shown: 'memory.md' },
    secrets: context.secrets,
    kept: context.globalState,
    log,
    report: (problem) => {
      log.warn(problem);
      void vscode.window.showWarningMessage(`Context Budget: ${inEditorLanguage(problem)}`);
    },
  });
  const store = new SessionStore(stored('sessions'), {
    durability: () => durabilityOf(vscode.workspace.getConfiguration(section).get('durability')),
    rewritten: (notice) => tellOfRewritten(notice, log),
    windowName: () => vscode.workspace.name ?? '',
  });
  /** What every session has, of a chat as of a sub-agent. */
  const sessionPorts: SubAgentHost['ports'] = {
    models: () => provider.models(),
    get meter() {
      return meterOf();
    },
    memory: () => agent.memory(),
    skills: () => agent.skills(),
    attachments: (next) => agent.attachments(next, meterOf()),
    systemPrompt: prompt,
    settings: () => compactionSettings(settings(), provider.budget),
    outside: async () => {
      const { findStrategy } = await import('../agent/custom-strategy/find-strategy.ts');
      return findStrategy(settings().customStrategy, {
        folders: agent.folders,
        registered,
        workerScript: new URL('./strategy-worker.js', import.meta.url),
        deadline: defaultDeadline,
      });
    },
    now: () => Date.now(),
  };
  const transcriptPorts = {
    meterOf,
    budget: () => provider.budget,
    factsOf: (model: string) => factsOfModel(model, settings().models),
  };
  const opened = new OpenedTranscripts(transcriptPorts);
  const subAgents = new SubAgentSessions(store, () => sessionPorts);
  const hub = new SessionHub({
    ...sessionPorts,
    store,
    state: new StateFile(stored('state.json')),
    meterOf,
    log,
    toolsOf: (access, sessionId, mayWrite) =>
      agent.toolsOf(access, {
        ports: sessionPorts,
        open: (_subAgent, callKey) => Promise.resolve(subAgents.begin(sessionId, callKey, mayWrite)),
        sharedFolder: (callKey) => store.sharedFolder(sessionId, callKey),
      }),
    filesOf: (sessionId) =>
      agent.folders.length === 0 ? Promise.resolve(undefined) : agent.filesOf(sessionId),
    approvalsOf: () => agent.approvals(),
    forget: (sessionId) => agent.forget(sessionId),
  });

  onDeactivate(() => hub.close());
  const actions = new Actions(
    hub,
    keys,
    () => provider.keyUrl ?? settings().baseUrl,
    settings,
    log,
    (recordId, subAgentId) => showInspector(recordId, subAgentId),
    (change, title) => agent.review(change, title),
  );
  const labels = () => {
    const { choice } = provider;
    const model = choice.isOffline ? { ...choice, label: vscode.l10n.t('Offline model') } : choice;
    return { model, strategy: settings().strategy.id };
  };
  let composer: Promise<ComposerHost> | undefined;
  const loadComposer = async () => {
    const { ComposerHost } = await import('./chat/composer-host.ts');
    return new ComposerHost((session) => agent.attachments(session.nextRequest, meterOf()));
  };
  const chat = new ChatView(
    context.extensionUri,
    hub,
    actions,
    () => {
      const { model, strategy } = labels();
      const { label, isOffline } = model;
      return { model: { label, isOffline }, strategy, isTrusted: vscode.workspace.isTrusted };
    },
    () => (composer ??= loadComposer()),
    log,
  );
  let panel: Promise<InspectorPanel> | undefined;
  const loadInspector = async (): Promise<InspectorPanel> => {
    const { InspectorPanel } = await import('./inspector/inspector-panel.ts');
    return new InspectorPanel(
      context.extensionUri,
      hub,
      subAgents,
      opened,
      actions,
      () => ({ ...labels(), outside: settings().customStrategy === '' ? undefined : sessionPorts.outside }),
      log,
      (messageId) => chat.reveal(messageId),
    );
  };
  const inspector = () => (panel ??= loadInspector());
  const showInspector = async (recordId?: string, subAgentId?: string): Promise<void> =>
    (await inspector()).show(recordId, subAgentId);
  const status = new StatusItem();
  hub.onDidSwitch(({ feed }) => feed.refreshMeter());
  /** Once is enough, also where the numbers are others: what there is to warn of does not go away by itself. */
  const warned = new Set<string>();
  hub.onDidHappen((event) => {
    if (event.type === 'compaction-phase') logPhase(event, log);
    if (event.type !== 'warning') return;
    const gist = event.message.replace(/\d+/g, '');
    if (warned.has(gist)) return;
    warned.add(gist);
    log.warn(event.message);
    void vscode.window.showWarningMessage(`Context Budget: ${inEditorLanguage(event.message)}`);
  });
  hub.onDidChange((changes) => {
    for (const change of changes) {
      if (change.type === 'state' && change.state.meter !== undefined) status.show(change.state.meter);
    }
  });

  const showLabels = async () => {
    chat.refreshLabels();
    (await panel)?.refresh();
    await hub.refreshMeter();
  };
  const refresh = async () => {
    await provider.refresh();
    reporter.report([...settings().problems, ...provider.problems]);
    await showLabels();
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

  const sessionPicker = () => import('./session-picker.ts');
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
    [commandIds.showSessions]: async () => (await sessionPicker()).pickSession(hub),
    [commandIds.renameSession]: async () => {
      const { renameSession, listingOf } = await sessionPicker();
      await renameSession(hub, listingOf(await hub.current()));
    },
    [commandIds.deleteSession]: async () => {
      const { deleteSession, listingOf } = await sessionPicker();
      await deleteSession(hub, listingOf(await hub.current()));
    },
    [commandIds.selectModel]: async () => {
      const { selectModel } = await import('./models/select-model.ts');
      await selectModel(provider, keys, settings);
      // What does not fit together is told of the settings as they are once all are written.
      await refresh();
    },
    [commandIds.manageApprovals]: async () => {
      const { manageApprovals } = await import('./manage-permissions.ts');
      manageApprovals(await (await hub.current()).rules.rules);
    },
    [commandIds.manageUnencrypted]: async () =>
      (await import('./manage-permissions.ts')).manageClearText(consent),
    [commandIds.setMcpSecret]: () => agent.askForSecret(),
    [commandIds.reviewMcpServers]: () => agent.reviewServers(),
    [commandIds.openMemory]: () => agent.openMemory(),
    [commandIds.openTranscript]: async (argument) => {
      const { openTranscript } = await import('./import/open-transcript.ts');
      const editorStorage = vscode.Uri.joinPath(context.globalStorageUri, '..').fsPath;
      const ports = { ...transcriptPorts, editorStorage, log };
      const file = argument instanceof vscode.Uri ? argument : undefined;
      const transcript = await openTranscript(ports, file);
      if (transcript !== undefined) await showInspector(undefined, opened.add(transcript));
    },
    [commandIds.importSession]: async (argument) => {
      const { importSession } = await import('./import/import-session.ts');
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
    agent,
    status,
    { dispose: () => void counter.dispose() },
    vscode.window.registerWebviewViewProvider(viewIds.chat, chat),
    vscode.window.registerWebviewPanelSerializer(viewIds.inspector, {
      deserializeWebviewPanel: async (shown) => (await inspector()).deserializeWebviewPanel(shown),
    }),
    vscode.workspace.registerTextDocumentContentProvider(
      documentScheme,
      new DiffDocuments(hub, subAgents, opened),
    ),
    ...Object.entries(commands).map(([id, work]) =>
      vscode.commands.registerCommand(id, (argument: unknown) => run(() => work(argument))),
    ),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) void run(refresh);
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void run(refresh)),
    context.secrets.onDidChange(() => void run(refresh)),
    vscode.lm.onDidChangeChatModels(() => void run(refresh)),
  );
  void run(refresh);
  return createApi(registered, (listener) =>
    hub.onDidHappen((event) => {
      if (event.type === 'compaction-phase') listener(event);
    }),
  );
}
