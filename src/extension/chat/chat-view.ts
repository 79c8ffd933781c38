import type * as vscode from 'vscode';
import type { AgentSession } from '../../agent/session.ts';
import { isTyped } from '../../compaction/message.ts';
import type { Actions } from '../actions.ts';
import type { ChatChange, ChatNotification, ChatRequest, ChatState, ModelInfo } from '../protocol/chat.ts';
import { parseChatRequest } from '../protocol/guards.ts';
import type { SessionHub } from '../session-hub.ts';
import { WebviewChannel } from '../webview-channel.ts';
import { preparePage } from '../webview-page.ts';
import { openLink, openWorkspaceFile } from './links.ts';

export interface ChatLabels {
  readonly model: ModelInfo;
  /** Id of the strategy that is set. */
  readonly strategy: string;
  readonly isTrusted: boolean;
}

/** The chat in the side bar. Its document goes away when it is hidden and is filled anew when it comes back. */
export class ChatView implements vscode.WebviewViewProvider {
  private readonly extensionUri: vscode.Uri;
  private readonly hub: SessionHub;
  private readonly actions: Actions;
  private readonly labels: () => ChatLabels;
  private readonly log: vscode.LogOutputChannel;
  private channel: WebviewChannel<ChatRequest, ChatNotification> | undefined;

  constructor(
    extensionUri: vscode.Uri,
    hub: SessionHub,
    actions: Actions,
    labels: () => ChatLabels,
    log: vscode.LogOutputChannel,
  ) {
    this.extensionUri = extensionUri;
    this.hub = hub;
    this.actions = actions;
    this.labels = labels;
    this.log = log;
    hub.onDidChange((changes) => this.postChanges(changes));
    hub.onDidSwitch(() => void this.postSnapshot());
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const channel = new WebviewChannel<ChatRequest, ChatNotification>(view.webview, {
      parse: parseChatRequest,
      handle: (request) => this.handle(request),
      report: (error) => this.actions.report(error),
      log: this.log,
    });
    this.channel = channel;
    view.onDidDispose(() => {
      if (this.channel === channel) this.channel = undefined;
    });
    preparePage(view.webview, this.extensionUri, { name: 'chat', title: 'Chat' });
  }

  /** Shows labels anew, after a setting, a key or trust changed. */
  refreshLabels(): void {
    this.postChanges([{ type: 'state', state: this.labels() }]);
  }

  focusComposer(): void {
    this.channel?.post({ type: 'focus' });
  }

  private async handle(request: ChatRequest): Promise<void> {
    const { session, id } = await this.hub.current();
    switch (request.type) {
      case 'ready':
        return this.postSnapshot();
      case 'send':
        await this.hub.setDraft(id, '');
        return this.send(session, request.text);
      case 'stop':
        session.stop();
        return;
      case 'retry':
        await session.retry();
        return;
      case 'draft':
        return this.hub.setDraft(request.sessionId, request.text);
      case 'tool-output': {
        const text = await this.outputOf(request.id);
        if (text !== undefined) this.channel?.post({ type: 'tool-output', id: request.id, text });
        return;
      }
      case 'open-inspector':
        this.actions.openInspector(request.recordId);
        return;
      case 'undo':
        return this.actions.undo(request.recordId);
      case 'compact-now':
        return this.actions.compactNow();
      case 'decline-compaction':
        session.compaction.answerProposal();
        return;
      case 'select-strategy':
        return this.actions.selectStrategy();
      case 'set-api-key':
        return this.actions.setApiKey();
      case 'open-file':
        return openWorkspaceFile(request.path, request.line);
      case 'open-link':
        return openLink(request.url);
    }
  }

  /** Sends a text. One that did not become part of the chat goes back to where it was written. */
  private async send(session: AgentSession, text: string): Promise<void> {
    const { length } = session.transcript.entries;
    try {
      await session.send(text);
    } finally {
      const isSaid = session.transcript.entries
        .slice(length)
        .some((entry) => entry.type === 'message' && isTyped(entry.message));
      if (!isSaid) this.channel?.post({ type: 'not-sent', text });
    }
  }

  private async outputOf(rowId: string): Promise<string | undefined> {
    const { feed } = await this.hub.current();
    return feed.outputOf(rowId);
  }

  private async postSnapshot(): Promise<void> {
    const { id, session, feed } = await this.hub.current();
    const rows = await feed.allRows();
    const state: ChatState = {
      sessionId: id,
      title: session.title,
      rows,
      activity: session.activity,
      meter: await feed.meter(),
      proposal: feed.proposal,
      draft: await this.hub.draftOf(id),
      ...this.labels(),
    };
    this.channel?.post({ type: 'snapshot', revision: this.channel.nextRevision(), state });
  }

  private postChanges(changes: readonly ChatChange[]): void {
    const { channel } = this;
    if (channel?.isReady === true)
      channel.post({ type: 'changes', revision: channel.nextRevision(), changes });
  }
}
