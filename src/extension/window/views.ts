import * as vscode from 'vscode';
import { factsOfModel } from '../../compaction/budget/model-table.ts';
import { logPhase } from '../../presenters/compaction-log.ts';
import type { Actions } from '../commands/actions.ts';
import { ChatView } from '../chat/chat-view.ts';
import type { InspectorPanelPorts } from '../inspector/inspector-panel.ts';
import type { ChatProvider } from '../models/chat-provider.ts';
import { section } from '../../presenters/settings/general-settings.ts';
import type { Services } from './services.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import { shownStrategy } from '../settings/strategy-texts.ts';
import { phraseText, englishOf } from '../../compaction/records/reason.ts';
import type { PreviewChoice } from '../../protocol/shared-requests.ts';
import { showWarning } from '../editor/plain-notices.ts';
import { LoadedOnce } from '../editor/loaded-once.ts';

/** Logs compactions, and shows each of their warnings once. */
export function showNotices({ hub, log }: Pick<Services, 'hub' | 'log'>): void {
  /** Keys of the warnings that were shown. The same warning with other numbers is not shown again. */
  const warned = new Set<string>();
  hub.onDidHappen((event) => {
    if (event.type === 'compaction-phase') logPhase(event, log);
    if (event.type !== 'warning') return;
    const { message } = event;
    const identity = typeof message === 'string' ? message : message.key;
    if (warned.has(identity)) return;
    warned.add(identity);
    log.warn(englishOf(message));
    void showWarning(`Context Budget: ${phraseText(message, editorWording)}`);
  });
}

/** Creates the provider of models for VS Code's own chat. It is loaded with the first request. */
export function createChatProvider(
  { secrets, subscriptions }: Pick<vscode.ExtensionContext, 'secrets' | 'subscriptions'>,
  services: Services,
): LoadedChatProvider {
  const loaded = new LoadedOnce(async () => {
    const { ChatProvider } = await import('../models/chat-provider.ts');
    return new ChatProvider(services);
  });
  const changed = new vscode.EventEmitter<void>();
  subscriptions.push(
    changed,
    services.onDidFindModel(() => changed.fire()),
    secrets.onDidChange(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) changed.fire();
    }),
  );
  return { loaded, onDidChange: changed.event };
}

/** The provider of models for VS Code's own chat. */
export interface LoadedChatProvider {
  readonly loaded: LoadedOnce<ChatProvider>;
  /** Fires when something about the model may have changed. */
  readonly onDidChange: vscode.Event<void>;
}

/** The chat in the side bar. */
export function createChat(
  context: Pick<vscode.ExtensionContext, 'extensionUri'>,
  services: Services,
  actions: Actions,
): ChatView {
  const { agent, hub, log, meterOf } = services;
  const composer = new LoadedOnce(async () => {
    const { ComposerHost } = await import('../chat/composer-host.ts');
    return new ComposerHost({
      attachmentsOf: (session) => agent.attachments(session.nextRequest, meterOf()),
      store: await agent.pictures(),
      model: services.pictureTaker,
    });
  });
  return new ChatView({
    extensionUri: context.extensionUri,
    hub,
    actions,
    labels: () => {
      const { model, strategy } = labelsOf(services);
      const { label, isOffline } = model;
      return { model: { label, isOffline }, strategy, isTrusted: vscode.workspace.isTrusted };
    },
    composer: () => composer.get(),
    foundSessions: async () => {
      const { catalogue } = await services.foreignSessions();
      const { foundSessions } = await import('../../presenters/sessions/start-sentence.ts');
      const { factsOf } = services.transcriptPorts;
      return foundSessions(catalogue, { factsOf, wording: editorWording, now: Date.now() });
    },
    watchSessions: async (changed) => (await services.foreignSessions()).onDidChange(changed),
    log,
  });
}

/** The inspector in an editor tab. */
export interface Inspector {
  /** Shows the inspector, optionally with a compaction or a sub-agent. Loads it with the first call. */
  show(recordId?: string, subAgentId?: string): Promise<void>;
  /** Plans a compaction of the chat, and shows it without applying it. */
  preview(choice: PreviewChoice): Promise<void>;
  /** Moves to the next or previous change in the displayed diff. */
  step(by: 1 | -1): Promise<void>;
  refresh(): Promise<void>;
  /** Restores an editor tab of an earlier window. */
  deserialize(panel: vscode.WebviewPanel): Promise<void>;
}

interface InspectorParts extends Pick<InspectorPanelPorts, 'actions' | 'reopen'> {
  readonly chat: ChatView;
}

/** Returns the inspector, which is created when it is first shown. */
export function createInspector(
  { extensionUri }: Pick<vscode.ExtensionContext, 'extensionUri'>,
  services: Services,
  { actions, chat, reopen }: InspectorParts,
): Inspector {
  const { engine, hub, log, opened, sessionPorts, settings, subAgents } = services;
  const panel = new LoadedOnce(async () => {
    const { InspectorPanel } = await import('../inspector/inspector-panel.ts');
    return new InspectorPanel({
      extensionUri,
      hub,
      subAgents: await subAgents(),
      opened: await opened(),
      reopen,
      actions,
      choices: () => ({
        ...labelsOf(services),
        factsOf: (model) => factsOfModel(model, settings().models),
        customStrategy: settings().customStrategy === '' ? undefined : sessionPorts.customStrategy,
      }),
      settings,
      engine,
      log,
      showInChat: (messageId) => chat.reveal(messageId),
    });
  });
  return {
    show: async (recordId, subAgentId) => (await panel.get()).show(recordId, subAgentId),
    preview: async (choice) => (await panel.get()).preview(choice),
    step: async (by) => (await panel.started)?.step(by),
    refresh: async () => (await panel.started)?.refresh(),
    deserialize: async (shown) => (await panel.get()).deserializeWebviewPanel(shown),
  };
}

function labelsOf({ provider, settings }: Services) {
  const { choice } = provider;
  const model = choice.isOffline ? { ...choice, label: hostText('offlineModel') } : choice;
  return { model, strategy: shownStrategy(settings().strategy.id) };
}
