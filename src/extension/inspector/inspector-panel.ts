import * as vscode from 'vscode';
import type { AgentEvent } from '../../agent/session.ts';
import type { Actions } from '../actions.ts';
import { viewIds } from '../ids.ts';
import { parseInspectorRequest } from '../protocol/guards.ts';
import type { InspectorNotification, InspectorRequest } from '../protocol/inspector.ts';
import type { SessionHub } from '../session-hub.ts';
import { WebviewChannel } from '../webview-channel.ts';
import { preparePage } from '../webview-page.ts';
import { openDiffEditor } from './diff-documents.ts';
import type { InspectorLabels } from './inspector-model.ts';

/** Characters of a text that are sent to be looked at; the diff editor shows all of them. */
const longestText = 200_000;

/** What changes something that the inspector shows. */
const shownEvents: ReadonlySet<AgentEvent['type']> = new Set([
  'entry',
  'title',
  'compaction-start',
  'compaction-end',
]);

/** The inspector of the active session, in an editor tab. There is one; it comes back after a reload. */
export class InspectorPanel implements vscode.WebviewPanelSerializer {
  private readonly extensionUri: vscode.Uri;
  private readonly hub: SessionHub;
  private readonly actions: Actions;
  private readonly labels: () => Omit<InspectorLabels, 'sessionId'>;
  private readonly log: vscode.LogOutputChannel;
  private panel: vscode.WebviewPanel | undefined;
  private channel: WebviewChannel<InspectorRequest, InspectorNotification> | undefined;
  /** A record to select once the document is there. */
  private pending: string | undefined;
  private refreshing: Promise<void> | undefined;
  private isStale = false;

  constructor(
    extensionUri: vscode.Uri,
    hub: SessionHub,
    actions: Actions,
    labels: () => Omit<InspectorLabels, 'sessionId'>,
    log: vscode.LogOutputChannel,
  ) {
    this.extensionUri = extensionUri;
    this.hub = hub;
    this.actions = actions;
    this.labels = labels;
    this.log = log;
    hub.onDidSwitch(() => this.refresh());
    hub.onDidHappen(({ type }) => {
      if (shownEvents.has(type)) this.refresh();
    });
  }

  /** Shows the inspector, and one compaction in it where one is named. */
  show(recordId?: string): void {
    if (this.panel === undefined) {
      this.adopt(
        vscode.window.createWebviewPanel(viewIds.inspector, 'Context Budget', vscode.ViewColumn.Active, {}),
      );
    } else this.panel.reveal();
    if (recordId === undefined) return;
    if (this.channel?.isReady === true) this.channel.post({ type: 'select', recordId });
    else this.pending = recordId;
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.panel === undefined) this.adopt(panel);
    else panel.dispose();
    return Promise.resolve();
  }

  /** Shows the state anew, after something in it changed. Several changes at once lead to one snapshot. */
  refresh(): void {
    if (this.channel?.isReady !== true) return;
    this.isStale = true;
    this.refreshing ??= this.postWhileStale().finally(() => (this.refreshing = undefined));
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const channel = new WebviewChannel<InspectorRequest, InspectorNotification>(panel.webview, {
      parse: parseInspectorRequest,
      handle: (request) => this.handle(request),
      report: (error) => this.actions.report(error),
      log: this.log,
    });
    this.panel = panel;
    this.channel = channel;
    panel.iconPath = new vscode.ThemeIcon('graph');
    // A hidden tab has no document; it asks again when it is shown.
    panel.onDidChangeViewState(() => {
      if (!panel.visible) channel.reset();
    });
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.channel = undefined;
    });
    preparePage(panel.webview, this.extensionUri, { name: 'inspector', title: 'Context Budget' });
  }

  private async handle(request: InspectorRequest): Promise<void> {
    const { id, inspector, session } = await this.hub.current();
    switch (request.type) {
      case 'ready':
        this.refresh();
        await this.refreshing;
        if (this.pending !== undefined) this.channel?.post({ type: 'select', recordId: this.pending });
        this.pending = undefined;
        return;
      case 'diff': {
        const rows = await inspector.diff(request.recordId);
        if (rows !== undefined) this.channel?.post({ type: 'diff', recordId: request.recordId, rows });
        return;
      }
      case 'sources': {
        const { recordId, index } = request;
        const sources = await inspector.sources(recordId, index);
        if (sources !== undefined) this.channel?.post({ type: 'sources', recordId, index, sources });
        return;
      }
      case 'texts': {
        const { recordId, messageId } = request;
        const texts = inspector.texts(recordId, messageId, longestText);
        if (texts !== undefined) this.channel?.post({ type: 'texts', recordId, messageId, ...texts });
        return;
      }
      case 'undo':
        return this.actions.undo(request.recordId);
      case 'restore':
        await session.restore(request.messageId);
        return;
      case 'open-diff-editor':
        return openDiffEditor(id, request.recordId, request.messageId);
      case 'compact-now':
        return this.actions.compactNow();
      case 'select-strategy':
        return this.actions.selectStrategy();
    }
  }

  /** One snapshot after the other, so that an older state never comes last. */
  private async postWhileStale(): Promise<void> {
    try {
      while (this.isStale) {
        this.isStale = false;
        await this.postSnapshot();
      }
    } catch (error) {
      this.log.error(String(error));
    }
  }

  private async postSnapshot(): Promise<void> {
    const { id, inspector } = await this.hub.current();
    const state = await inspector.state({ sessionId: id, ...this.labels() });
    if (this.panel !== undefined) this.panel.title = `Context: ${state.title}`;
    this.channel?.post({ type: 'snapshot', revision: this.channel.nextRevision(), state });
  }
}
