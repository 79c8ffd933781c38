import * as vscode from 'vscode';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import { isTyped } from '../../compaction/messages/message.ts';
import { recordsOf } from '../../compaction/transcript/transcript.ts';
import type { Actions } from '../actions.ts';
import { inEditorLanguage } from '../language/in-editor-language.ts';
import type { ChatChange, ChatNotification, ChatRequest, ChatState, ModelInfo } from '../../protocol/chat.ts';
import { parseChatRequest } from '../../protocol/guards.ts';
import { viewIds } from '../ids.ts';
import type { ChatHub } from '../session-views.ts';
import { shownTitle } from '../sessions/session-notices.ts';
import { strategyTexts } from '../settings/strategy-texts.ts';
import { preparePage, WebviewChannel } from '../webview-channel.ts';
import { commandCatalogue, commandNames } from '../../presenters/chat/command-catalogue.ts';
import type { ComposerHost } from './composer-host.ts';
import { openLink, openWorkspaceFile } from './links.ts';
import { changeInEditorLanguage, rowInEditorLanguage } from './row-in-editor-language.ts';

export interface ChatLabels {
  readonly model: ModelInfo;
  /** Id of the strategy that is set. */
  readonly strategy: string;
  readonly isTrusted: boolean;
}

/** What changes the chat, and is refused where it can only be looked at. */
const changes: ReadonlySet<ChatRequest['type']> = new Set([
  'retry',
  'decide',
  'stop-call',
  'unqueue',
  'edit-message',
  'undo-edits',
  'undo',
  'compact-now',
  'compact',
  'pin',
  'decline-compaction',
]);

/** What can be typed as a command, and by what can be compacted. */
function offered(): Pick<ChatState, 'commands' | 'strategies'> {
  return {
    commands: commandNames.map((name) => {
      const { hint, summary } = commandCatalogue[name];
      return { name, hint, sentence: inEditorLanguage(summary) };
    }),
    strategies: strategyTexts().map(({ id, title }) => ({ id, title })),
  };
}

/** What the chat needs of the window. */
export interface ChatViewPorts {
  readonly extensionUri: vscode.Uri;
  readonly hub: ChatHub;
  /** The chat of the active session changed. */
  readonly onDidChange: vscode.Event<readonly ChatChange[]>;
  readonly actions: Actions;
  readonly labels: () => ChatLabels;
  readonly composer: () => Promise<ComposerHost>;
  readonly log: vscode.LogOutputChannel;
}

/** The chat in the side bar. Its document goes away when it is hidden and is filled anew when it comes back. */
export class ChatView implements vscode.WebviewViewProvider {
  private readonly ports: ChatViewPorts;
  private channel: WebviewChannel<ChatRequest, ChatNotification> | undefined;

  constructor(ports: ChatViewPorts) {
    this.ports = ports;
    const { hub, onDidChange } = ports;
    onDidChange((changes) => this.postChanges(changes));
    hub.onDidSwitch(() => void this.postSnapshot());
    hub.onDidHappen((event) => {
      if (event.type === 'unsaid') this.giveBack(event.text);
    });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const channel = new WebviewChannel<ChatRequest, ChatNotification>(view.webview, {
      parse: parseChatRequest,
      handle: (request) => this.handle(request),
      report: (error) => this.ports.actions.report(error),
      log: this.ports.log,
    });
    this.channel = channel;
    view.onDidDispose(() => {
      if (this.channel === channel) this.channel = undefined;
    });
    preparePage(view.webview, this.ports.extensionUri, { name: 'chat', title: 'Chat' });
  }

  /** Shows labels anew, after a setting, a key or trust changed. */
  refreshLabels(): void {
    this.postChanges([{ type: 'state', state: this.ports.labels() }]);
  }

  focusComposer(): void {
    this.channel?.post({ type: 'focus' });
  }

  private async handle(request: ChatRequest): Promise<void> {
    const { session, id } = changes.has(request.type)
      ? await this.ports.hub.writable()
      : await this.ports.hub.current();
    switch (request.type) {
      case 'take-over':
        return this.ports.hub.takeOver();
      case 'fork':
        return this.ports.hub.forkAll();
      case 'ready':
        return this.postSnapshot();
      case 'send':
        await this.ports.hub.setDraft(id, '');
        return this.sendOrRun(session, request.text);
      case 'stop':
        session.stop();
        return;
      case 'retry':
        await session.retry();
        return;
      case 'decide': {
        const { id: rowId, choice, feedback = '', reach } = request;
        await session.approvals.decide(
          rowId,
          choice === 'reject' ? { isAllowed: false, feedback } : { isAllowed: true, scope: choice, reach },
        );
        return;
      }
      case 'review':
        return this.ports.actions.review(request.id, request.path);
      case 'stop-call':
        session.stops.stop(request.id);
        return;
      case 'unqueue': {
        const text = await session.queue.remove(request.id);
        if (text !== undefined) this.channel?.post({ type: 'not-sent', text });
        return;
      }
      case 'edit-message':
        return this.ports.hub.fork(request.id, request.text);
      case 'undo-edits':
        return this.ports.actions.undoEdits(request.id);
      case 'open-sub-agent':
        return this.ports.actions.openSubAgent(request.sessionId);
      case 'draft':
        return this.ports.hub.setDraft(request.sessionId, request.text);
      case 'tool-output': {
        const text = await this.outputOf(request.id);
        if (text !== undefined) this.channel?.post({ type: 'tool-output', id: request.id, text });
        return;
      }
      case 'open-inspector':
        return this.ports.actions.openInspector(request.recordId);
      case 'undo':
        return this.ports.actions.undo(request.recordId);
      case 'compact-now':
        return this.ports.actions.compactNow();
      case 'compact':
        return this.ports.actions.compactNow(request.focus, request.strategy);
      case 'price': {
        const price = await (await this.ports.composer()).price(session, request.text);
        if (price !== undefined) this.channel?.post({ type: 'price', ...price });
        return;
      }
      case 'complete': {
        const { trigger, query } = request;
        const items = await (await this.ports.composer()).complete(trigger, query);
        this.channel?.post({ type: 'completions', trigger, query, items });
        return;
      }
      case 'pin':
        return this.ports.actions.pin(request.messageId, request.isPinned);
      case 'record-summary': {
        const { recordId } = request;
        const record = recordsOf(session.transcript).find(({ id: known }) => known === recordId);
        if (record !== undefined) {
          const { recordDetails } = await import('../../presenters/chat/chat-rows.ts');
          this.channel?.post({ type: 'record', recordId, details: recordDetails(record, inEditorLanguage) });
        }
        return;
      }
      case 'decline-compaction':
        session.compaction.answerProposal();
        return;
      case 'select-strategy':
        return this.ports.actions.selectStrategy();
      case 'set-api-key':
        return this.ports.actions.setApiKey();
      case 'open-file':
        return openWorkspaceFile(request.path, request.line);
      case 'open-link':
        return openLink(request.url);
    }
  }

  /** Does what a command says, or says a text. */
  private async sendOrRun(session: AgentSession, text: string): Promise<void> {
    const { parseCommand, runSlashCommand, unescapeCommand } =
      await import('../../presenters/chat/slash-commands.ts');
    const command = parseCommand(text);
    if (command === undefined) {
      try {
        await this.ports.hub.writable();
      } catch (error) {
        this.channel?.post({ type: 'not-sent', text });
        throw error;
      }
      return this.send(session, unescapeCommand(text));
    }
    const { chatCommands } = await import('./composer-host.ts');
    const outcome = await runSlashCommand(command, chatCommands(this.ports.hub, this.ports.actions));
    if (outcome === undefined) return;
    this.channel?.post({ type: 'not-sent', text });
    throw new Error(inEditorLanguage(outcome.problem));
  }

  /** Sends a text. One that did not become part of the chat goes back to where it was written. */
  private async send(session: AgentSession, text: string): Promise<void> {
    const { length } = session.transcript.entries;
    let isTaken = false;
    try {
      isTaken = await session.send(text);
    } finally {
      const isSaid = session.transcript.entries
        .slice(length)
        .some((entry) => entry.type === 'message' && isTyped(entry.message));
      if (!isTaken && !isSaid) this.channel?.post({ type: 'not-sent', text });
    }
  }

  /** Shows a message in the chat. */
  async reveal(messageId: string): Promise<void> {
    await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
    this.channel?.post({ type: 'reveal', messageId });
  }

  /** A text that will not be said is the person's to go on with; where the view is hidden it becomes the draft. */
  private giveBack(text: string): void {
    if (this.channel?.isReady === true) this.channel.post({ type: 'not-sent', text });
    else void this.keepDraft(text).catch((error: unknown) => this.ports.log.error(String(error)));
  }

  private async keepDraft(text: string): Promise<void> {
    const { id } = await this.ports.hub.current();
    const draft = await this.ports.hub.draftOf(id);
    await this.ports.hub.setDraft(id, draft === '' ? text : `${text}\n\n${draft}`);
  }

  private async outputOf(rowId: string): Promise<string | undefined> {
    const { view } = await this.ports.hub.current();
    return view.feed.outputOf(rowId);
  }

  private async postSnapshot(): Promise<void> {
    const { id, session, view, readOnly } = await this.ports.hub.current();
    const { feed } = view;
    const rows = await feed.allRows();
    const state: ChatState = {
      sessionId: id,
      title: shownTitle(session.title),
      rows: rows.map(rowInEditorLanguage),
      activity: session.activity,
      meter: await feed.meter(),
      proposal: feed.proposal,
      draft: await this.ports.hub.draftOf(id),
      queue: session.queue.all,
      plan: feed.plan,
      pins: feed.pins,
      ...(readOnly === undefined ? {} : { readOnly }),
      ...offered(),
      ...this.ports.labels(),
    };
    this.channel?.post({ type: 'snapshot', revision: this.channel.nextRevision(), state });
  }

  private postChanges(changes: readonly ChatChange[]): void {
    const { channel } = this;
    if (channel?.isReady === true)
      channel.post({
        type: 'changes',
        revision: channel.nextRevision(),
        changes: changes.map(changeInEditorLanguage),
      });
  }
}
