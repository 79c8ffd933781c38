import * as vscode from 'vscode';
import type { ModelFacts } from '../../compaction/budget/model-table.ts';
import type { CustomStrategy } from '../../compaction/strategies/contract/custom-strategy.ts';
import { messagesOf, type Transcript } from '../../compaction/transcript/transcript.ts';
import type { OpenedChange, OpenedTranscripts } from '../../presenters/live/opened-transcripts.ts';
import { costView } from '../../presenters/inspector/cost-view.ts';
import { type InspectorModel, isShownIn } from '../../presenters/inspector/inspector-model.ts';
import {
  type InspectorTarget,
  recordedSession,
  type UndoableSession,
} from '../../presenters/inspector/inspector-target.ts';
import { Snapshots } from '../../presenters/inspector/snapshots.ts';
import type { SubAgentSessions } from '../../presenters/inspector/sub-agent-sessions.ts';
import type { RecordsHost, TabsHost } from '../../presenters/inspector/tabs-host.ts';
import type { EngineClient } from '../../presenters/engine/engine-client.ts';
import { SessionEngine } from '../../presenters/engine/session-engine.ts';
import type { ModelChoice } from '../../presenters/models/model-choice.ts';
import type { Settings } from '../../presenters/settings/read-settings.ts';
import type { Actions } from '../commands/actions.ts';
import { viewIds } from '../editor/ids.ts';
import type { SessionHub } from '../sessions/session-hub.ts';
import {
  type diffRequests,
  type InspectorNotification,
  type InspectorRequest,
  type inspectorRequests,
  type InspectorState,
  parseInspectorRequest,
  type RecordsRequest,
  recordsRequests,
  type sessionRequests,
  type TabsRequest,
  tabsRequests,
} from '../../protocol/inspector.ts';
import { previewRecordId } from '../../protocol/inspector-preview.ts';
import { dispatch, forwarded, type Handlers } from '../../protocol/messages.ts';
import type { PreviewChoice } from '../../protocol/shared-requests.ts';
import { shownTitle } from '../sessions/session-notices.ts';
import { preparePage, WebviewChannel } from '../editor/webview-channel.ts';
import { openDiffEditor } from './diff-documents.ts';
import { hostText } from '../editor/editor-wording.ts';
import { LoadedOnce } from '../editor/loaded-once.ts';

/** Maximum characters of a text sent to the page. The diff editor shows the whole text. */
const longestText = 200_000;

/** Services of the window that the inspector needs. */
export interface InspectorPanelPorts {
  readonly extensionUri: vscode.Uri;
  readonly hub: SessionHub;
  readonly subAgents: SubAgentSessions;
  readonly opened: OpenedTranscripts;
  /** Reopens a transcript by its id if an earlier window had opened it. */
  readonly reopen: (sessionId: string) => Promise<void>;
  readonly actions: Actions;
  readonly choices: () => InspectorChoices;
  readonly settings: () => Settings;
  readonly engine: EngineClient;
  readonly log: vscode.LogOutputChannel;
  readonly showInChat: (messageId: string) => Promise<void>;
}

/** The inspector of the active chat, its sub-agents and other sessions. One editor tab, restored after a reload. */
export class InspectorPanel implements vscode.WebviewPanelSerializer {
  private readonly ports: InspectorPanelPorts;
  private panel: vscode.WebviewPanel | undefined;
  private channel: WebviewChannel<InspectorRequest, InspectorNotification> | undefined;
  /** Id of the record to select when the page is loaded. */
  private pending: string | undefined;
  /** Id of the chosen session, such as a sub-agent; undefined for the chat itself. */
  private chosenId: string | undefined;
  private readonly records = new LoadedOnce(() => this.loadRecords());
  private readonly tabs = new LoadedOnce(() => this.loadTabs());
  /** True while the session that was shown before a reload is being reopened. */
  private isReopening = false;
  /** Number of times that another session has been chosen. */
  private choosings = 0;
  private readonly snapshots = new Snapshots({
    shown: () => this.choosings,
    make: () => this.snapshot(),
    post: (snapshot) => this.postSnapshot(snapshot),
    failed: (error) => this.ports.log.error(String(error)),
  });

  constructor(ports: InspectorPanelPorts) {
    this.ports = ports;
    const { hub, subAgents } = ports;
    hub.onDidSwitch(() => {
      this.choosings++;
      this.refresh();
    });
    hub.onDidHappen((event) => {
      if (isShownIn(event)) this.refresh();
    });
    subAgents.onDidChange(() => this.refresh());
    ports.opened.onDidChange((change) => {
      this.refresh();
      void this.correct(change);
    });
  }

  /** Shows the inspector. Optionally selects a compaction of the chat, or a sub-agent. */
  show(recordId?: string, chosenId?: string): void {
    if (recordId !== undefined || chosenId !== undefined) this.choose(chosenId);
    if (this.panel === undefined) {
      this.adopt(
        vscode.window.createWebviewPanel(viewIds.inspector, 'Context Budget', vscode.ViewColumn.Active, {}),
      );
    } else this.panel.reveal();
    this.refresh();
    if (recordId === undefined) return;
    if (this.channel?.isReady === true) this.channel.post({ type: 'select', recordId });
    else this.pending = recordId;
  }

  /** Plans a compaction of the chat, and shows it without applying it. Resolves when the plan is made. */
  async preview(choice: PreviewChoice): Promise<void> {
    await this.ports.hub.writable();
    this.choose(undefined);
    const records = await this.records.get();
    const planned = records.preview(await this.shown(), choice);
    // The page can select a preview only after it has received the preview.
    if (this.channel?.isReady === true) await this.snapshots.refresh();
    this.show(previewRecordId);
    await planned;
  }

  step(by: 1 | -1): void {
    if (this.channel?.isReady === true) this.channel.post({ type: 'step', by });
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.panel === undefined) this.adopt(panel);
    else panel.dispose();
    return Promise.resolve();
  }

  /** Posts the state after a change. Several changes at once cause only one snapshot. */
  refresh(): void {
    // While a session is being reopened, the chat would appear under the title of that session.
    if (this.channel?.isReady !== true || this.isReopening) return;
    void this.snapshots.refresh();
  }

  /** Sends changed messages. The page requests added messages itself. */
  private async correct({ shown, changedFrom: from, isOther }: OpenedChange): Promise<void> {
    if (this.channel?.isReady !== true || isOther) return;
    const messages = await shown.messages(from);
    this.channel.post({ type: 'messages', sessionId: shown.id, from, messages });
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const handlers = this.handlers();
    const channel = new WebviewChannel<InspectorRequest, InspectorNotification>(panel.webview, {
      parse: parseInspectorRequest,
      handle: (request) => dispatch(handlers, request),
      report: (error) => this.ports.actions.report(error),
      log: this.ports.log,
    });
    this.panel = panel;
    this.channel = channel;
    panel.iconPath = new vscode.ThemeIcon('graph');
    // A hidden tab has no page. When it is shown again, its new page requests the state.
    panel.onDidChangeViewState(() => {
      if (!panel.visible) channel.reset();
    });
    panel.onDidDispose(() => {
      void this.records.started?.then((records) => records.dispose());
      this.panel = undefined;
      this.channel = undefined;
    });
    preparePage(panel.webview, this.ports.extensionUri, { name: 'inspector', title: 'Context Budget' });
  }

  /** Handlers for all requests. The requests of tabs are routed by the tables that declare them. */
  private handlers(): Handlers<typeof inspectorRequests, Promise<void>> {
    return {
      ...this.sessionHandlers(),
      ...this.diffHandlers(),
      ...forwarded(recordsRequests, (request) => this.handleRecords(request)),
      ...forwarded(tabsRequests, (request) => this.handleTabs(request)),
    };
  }

  private sessionHandlers(): Handlers<typeof sessionRequests, Promise<void>> {
    return {
      ...this.ports.actions.handlers,
      ready: async ({ sessionId }) => {
        // A page that VS Code restored knows which session it showed. This window does not know.
        if (this.chosenId === undefined && sessionId !== undefined) {
          this.isReopening = true;
          await this.ports.reopen(sessionId).finally(() => (this.isReopening = false));
        }
        if (this.pending === undefined) this.choose(this.chosenId ?? sessionId);
        await this.snapshots.refresh();
        if (this.pending !== undefined) this.channel?.post({ type: 'select', recordId: this.pending });
        this.pending = undefined;
      },
      'show-session': ({ sessionId }) => {
        this.choose(sessionId);
        this.refresh();
        return Promise.resolve();
      },
      messages: async ({ sessionId, from }) => {
        const messages = (await (await this.lookedAt(sessionId))?.messages(from)) ?? [];
        this.channel?.post({ type: 'messages', sessionId, from, messages });
      },
      'message-text': async ({ sessionId, messageId }) => {
        const text = (await this.lookedAt(sessionId))?.text(messageId, longestText) ?? '';
        this.channel?.post({ type: 'message-text', sessionId, messageId, text });
      },
    };
  }

  private async lookedAt(sessionId: string): Promise<InspectorModel | undefined> {
    const { opened, subAgents } = this.ports;
    return (await opened.find(sessionId)) ?? (await subAgents.find(sessionId));
  }

  /** Handlers for the diffs of the displayed session. */
  private diffHandlers(): Handlers<typeof diffRequests, Promise<void>> {
    return {
      diff: async ({ recordId }) => {
        const { inspector } = await this.shown();
        const rows = await inspector.diff(recordId);
        // The records of another session can have the same ids.
        if (rows === undefined || (await this.shown()).inspector.id !== inspector.id) return;
        this.channel?.post({ type: 'diff', recordId, rows });
      },
      sources: async ({ recordId, index }) => {
        const sources = await (await this.shown()).inspector.sources(recordId, index);
        if (sources !== undefined) this.channel?.post({ type: 'sources', recordId, index, sources });
      },
      texts: async ({ recordId, messageId }) => {
        const { inspector } = await this.shown();
        const texts = await inspector.texts(recordId, messageId, longestText);
        if (texts !== undefined) this.channel?.post({ type: 'texts', recordId, messageId, ...texts });
      },
      undo: async ({ recordId }) => {
        const { actions } = this.ports;
        if ((await this.shown()).isChat) await actions.undo(recordId);
        else await this.inRecording((session) => actions.undo(recordId, session));
      },
      restore: async ({ messageId }) => {
        if ((await this.shown()).isChat) await (await this.ports.hub.undoable()).restore(messageId);
        else await this.inRecording((session) => session.restore(messageId));
      },
      'open-diff-editor': async ({ recordId, messageId }) =>
        openDiffEditor((await this.shown()).inspector.id, recordId, messageId),
    };
  }

  /** Changes the recorded conversation that is shown. If its proxy has stopped, the page then offers no changes. */
  private async inRecording(change: (session: UndoableSession) => Promise<unknown>): Promise<void> {
    const session = recordedSession((await this.shown()).inspector.session);
    if (session !== undefined) await change(session).finally(() => this.refresh());
  }

  private async handleRecords(request: RecordsRequest): Promise<void> {
    const shown = await this.shown();
    await (await this.records.get()).handle(request, shown);
  }

  private async loadRecords(): Promise<RecordsHost> {
    const [{ RecordsHost }, { previewEditor, recordDialogs, whatIfEditor }, { copyMissing }] =
      await Promise.all([
        import('../../presenters/inspector/tabs-host.ts'),
        import('./inspector-editor.ts'),
        import('../live/compaction-notices.ts'),
      ]);
    return new RecordsHost(
      (notification) => this.channel?.post(notification),
      {
        ...recordDialogs,
        copyMissing: async (session, record) =>
          copyMissing(session, record, (await this.shown()).inspector.meter),
        handOff: (inspector) => this.ports.actions.handOff(undefined, inspector),
      },
      {
        ...whatIfEditor((id) => new SessionEngine(this.ports.engine, id), this.ports.settings),
        customStrategy: () => this.ports.choices().customStrategy,
      },
      { ...previewEditor(this.ports.settings), changed: () => this.refresh() },
    );
  }

  private async handleTabs(request: TabsRequest): Promise<void> {
    const shown = await this.shown();
    await (await this.tabs.get()).handle(request, shown);
  }

  private async loadTabs(): Promise<TabsHost> {
    const [{ TabsHost }, { tabsEditor }] = await Promise.all([
      import('../../presenters/inspector/tabs-host.ts'),
      import('./inspector-editor.ts'),
    ]);
    return new TabsHost((notification) => this.channel?.post(notification), {
      ...tabsEditor(this.ports.settings),
      engineOf: (id) => new SessionEngine(this.ports.engine, id),
      showInChat: this.ports.showInChat,
      switchTool: async (change) => (await this.ports.hub.writable()).session.switchTool(change),
    });
  }

  /** The displayed session: the chosen session while it is available, otherwise the chat. */
  private async shown(): Promise<InspectorTarget & { readonly chatId: string }> {
    const { chosenId } = this;
    const { hub, opened, subAgents, choices } = this.ports;
    const { id: chatId, session, view, readOnly } = await hub.current();
    const { model } = choices();
    const isOfChat = chosenId?.startsWith(`${chatId}.`) === true;
    const other = (await opened.find(chosenId)) ?? (isOfChat ? await subAgents.find(chosenId) : undefined);
    if (other !== undefined) return { chatId, inspector: other, isChat: false, changes: undefined, model };
    const changes = readOnly === undefined ? session : undefined;
    return { chatId, inspector: view.inspector, isChat: true, changes, model };
  }

  private choose(chosenId: string | undefined): void {
    if (chosenId !== this.chosenId) this.choosings++;
    this.chosenId = chosenId;
  }

  private async snapshot(): Promise<InspectorState> {
    const { chatId, inspector, isChat, model } = await this.shown();
    const { session, transcript } = inspector;
    const { foreign } = session;
    const subAgents = await this.ports.subAgents.of(chatId);
    return inspector.state({
      model: foreign === undefined ? model.label : (foreign.model ?? ''),
      strategy: this.ports.choices().strategy,
      chatId,
      otherSessions: [...subAgents, ...(await this.ports.opened.choices())],
      cost: foreign === undefined ? await this.costOf(transcript, isChat ? subAgents : []) : undefined,
      ...(isChat ? {} : { messageCount: messagesOf(transcript).length }),
      preview: isChat ? (await this.records.started)?.previewOf(inspector.id) : undefined,
    });
  }

  private async costOf(
    transcript: Transcript,
    subAgents: InspectorState['otherSessions'],
  ): Promise<InspectorState['cost']> {
    const { model, factsOf } = this.ports.choices();
    const found = await Promise.all(subAgents.map(({ sessionId }) => this.ports.subAgents.find(sessionId)));
    return costView(
      transcript,
      found.flatMap((subAgent) => subAgent?.transcript ?? []),
      model.label,
      (name) => (name === model.label ? model : factsOf(name)),
    );
  }

  private postSnapshot(read: InspectorState): void {
    const state = { ...read, title: shownTitle(read.title) };
    if (this.panel !== undefined) this.panel.title = hostText('contextTitle', { title: state.title });
    this.channel?.post({ type: 'snapshot', revision: this.channel.nextRevision(), state });
  }
}

/** The user's current choices. */
interface InspectorChoices {
  readonly model: ModelChoice;
  readonly strategy: string;
  readonly factsOf: (model: string) => ModelFacts;
  /** Loads the strategy that the settings name for `custom`; undefined if they name none. */
  readonly customStrategy: (() => Promise<CustomStrategy>) | undefined;
}
