import * as vscode from 'vscode';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import { isPrompt } from '../../compaction/messages/message.ts';
import { recordsOf } from '../../compaction/transcript/transcript.ts';
import type { Actions } from '../commands/actions.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import {
  type ChatNotification,
  type ChatRequest,
  type chatRequests,
  type ChatState,
  parseChatRequest,
  type RowAction,
} from '../../protocol/chat.ts';
import { dispatch, type Handlers } from '../../protocol/messages.ts';
import { type CommandId, commandIds, rowActionKey, viewIds } from '../editor/ids.ts';
import type { FoundSessions } from '../../presenters/sessions/start-sentence.ts';
import type { SessionHub } from '../sessions/session-hub.ts';
import { strategyIds } from '../../compaction/strategies/index.ts';
import { strategyTitleOf } from '../settings/strategy-texts.ts';
import { preparePage, WebviewChannel } from '../editor/webview-channel.ts';
import { commandCatalogue, commandNames } from '../../presenters/chat/command-catalogue.ts';
import { ChatPageRows } from './chat-page-rows.ts';
import type { ComposerHost } from './composer-host.ts';
import { openLink, openWorkspaceFile } from '../editor/links.ts';

/** Requests that a page may send while a chat is being opened. */
const ofNoChat: ReadonlySet<ChatRequest['type']> = new Set([
  ...(['ready', 'draft', 'complete', 'focused-row', 'look-for-sessions'] as const),
  ...(['open-file', 'open-link', 'select-strategy', 'set-api-key', 'select-model'] as const),
]);

function offered(): Pick<ChatState, 'commands' | 'strategies'> {
  return {
    commands: commandNames.map((name) => {
      const { hint, summary } = commandCatalogue[name];
      return { name, hint, sentence: editorWording.text(summary) };
    }),
    strategies: strategyIds.map((id) => ({ id, title: strategyTitleOf(id) })),
  };
}

/** Sets the context key on which keyboard shortcuts depend. */
async function setRowAction(action: RowAction | undefined): Promise<void> {
  await vscode.commands.executeCommand('setContext', rowActionKey, action);
}

async function run(command: CommandId, ...values: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...values);
}

/** Services of the window that the chat needs. */
export interface ChatViewPorts {
  readonly extensionUri: vscode.Uri;
  readonly hub: SessionHub;
  readonly actions: Actions;
  readonly labels: () => Pick<ChatState, 'model' | 'strategy' | 'isTrusted'>;
  readonly composer: () => Promise<ComposerHost>;
  /** Describes the sessions of other agents on this computer; undefined if there are none. */
  readonly foundSessions: () => Promise<FoundSessions | undefined>;
  /** Calls a function after every change of these sessions. @returns a function that stops the calls */
  readonly watchSessions: (changed: () => void) => Promise<() => void>;
  readonly log: vscode.LogOutputChannel;
}

/** The chat in the side bar. When the chat is hidden, its page is discarded; when it is shown, a new page is filled. */
export class ChatView implements vscode.WebviewViewProvider {
  private readonly ports: ChatViewPorts;
  private readonly rows: ChatPageRows;
  private channel: WebviewChannel<ChatRequest, ChatNotification> | undefined;
  /** The sessions that the page was last told of. */
  private found: FoundSessions | undefined;
  private unwatchSessions: (() => void) | undefined;
  /** Text for the composer, kept until a page can receive it. */
  private pendingText: string | undefined;

  constructor(ports: ChatViewPorts) {
    this.ports = ports;
    const { hub } = ports;
    this.rows = new ChatPageRows({
      hub,
      page: () => this.channel,
      surroundings: () => ({ ...offered(), ...ports.labels() }),
    });
    hub.onDidChangeChat((changes) => this.rows.changed(changes));
    hub.onDidSwitch(() => void this.rows.postSnapshot());
    hub.preview.onDidChange(() => void this.rows.postSnapshot());
    hub.onDidHappen((event) => {
      if (event.type === 'unsaid') this.giveBack(event.text);
    });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const handlers = this.handlers();
    const channel = new WebviewChannel<ChatRequest, ChatNotification>(view.webview, {
      parse: parseChatRequest,
      handle: async (request) => {
        if (await this.canHandle(request)) await dispatch(handlers, request);
      },
      report: (error) => this.ports.actions.report(error),
      log: this.ports.log,
    });
    this.channel = channel;
    view.onDidDispose(() => {
      if (this.channel !== channel) return;
      this.channel = undefined;
      void setRowAction(undefined);
    });
    preparePage(view.webview, this.ports.extensionUri, { name: 'chat', title: 'Chat' });
  }

  /** Refreshes labels after a change of a setting, a key or trust. */
  refreshLabels(): void {
    this.rows.changed([{ type: 'state', state: this.ports.labels() }]);
  }

  /** Tells the page which sessions of other agents are on this computer, and of changes while the chat is empty. */
  private async followSessions(): Promise<void> {
    await this.tellOfSessions();
    this.unwatchSessions ??= await this.ports.watchSessions(() => {
      this.sessionsChanged().catch((error: unknown) => this.ports.log.error(String(error)));
    });
  }

  private async sessionsChanged(): Promise<void> {
    const { session } = await this.ports.hub.current();
    if (session.isEmpty && this.channel?.isReady === true) return this.tellOfSessions();
    this.unwatchSessions?.();
    this.unwatchSessions = undefined;
  }

  private async tellOfSessions(): Promise<void> {
    this.found = await this.ports.foundSessions();
    const { sentence } = this.found ?? {};
    if (this.channel?.isReady === true)
      this.channel.post({ type: 'other-sessions', found: sentence && editorWording.text(sentence) });
  }

  focusComposer(): void {
    this.channel?.post({ type: 'focus' });
  }

  actOnRow(action: RowAction): void {
    this.channel?.post({ type: 'act-on-row', action });
  }

  /** Shows the chat and inserts text at the composer's cursor. */
  async addToMessage(text: string): Promise<void> {
    this.pendingText = text;
    await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
    this.postPendingText();
  }

  /** Posts text for the composer. A page that is still loading receives it with its first snapshot. */
  private postPendingText(): void {
    if (this.pendingText === undefined || this.channel?.isReady !== true) return;
    this.channel.post({ type: 'insert', text: this.pendingText });
    this.pendingText = undefined;
  }

  /** False for a request about a chat that could not be opened after its end was shown. */
  private async canHandle(request: ChatRequest): Promise<boolean> {
    const preview = this.ports.hub.preview.current;
    if (preview === undefined || ofNoChat.has(request.type)) return true;
    // The user may have written the text for the previous chat.
    if (request.type === 'send') this.giveBack(request.text);
    return request.type !== 'send' && preview.opened;
  }

  /** Handlers of requests. Handlers that change the chat call `writable`, which throws if the chat is read-only. */
  private handlers(): Handlers<typeof chatRequests, Promise<void>> {
    const { hub, actions, composer } = this.ports;
    return {
      ...actions.handlers,
      ready: async () => {
        await this.rows.postSnapshot();
        this.postPendingText();
      },
      'earlier-rows': ({ through }) => this.rows.postEarlier(through),
      'show-message': ({ messageId }) => this.rows.reveal(messageId),
      'rows-let-go': ({ first }) => this.rows.letGo(first),
      'look-for-sessions': () => this.followSessions(),
      'open-found-session': () => {
        const { path } = this.found ?? {};
        return run(commandIds.openTranscript, ...(path === undefined ? [] : [vscode.Uri.file(path)]));
      },
      'open-sample-session': () => run(commandIds.openSampleSession),
      'insert-code': async ({ text }) => (await import('../edits/code-blocks.ts')).insertCode(text),
      'apply-code': async ({ text }) =>
        (await import('../edits/code-blocks.ts')).applyCode(text, (change, title) =>
          actions.reviewChange(change, title),
        ),
      'drop-files': async ({ addresses, names }) => {
        const { attachDropped } = await import('./composer-host.ts');
        const text = attachDropped(addresses, names);
        if (text !== '') this.channel?.post({ type: 'insert', text });
      },
      'add-picture': async ({ name, data, size }) => {
        const text = await (await composer()).pictures.add(name, data, size);
        this.channel?.post({ type: 'insert', text });
      },
      'pick-pictures': async () => {
        const text = await (await composer()).pictures.pick();
        if (text !== '') this.channel?.post({ type: 'insert', text });
      },
      picture: async ({ key }) => {
        const { session } = await hub.current();
        const url = await (await composer()).pictures.urlOf(session, key);
        this.channel?.post({ type: 'picture', key, url });
      },
      'open-picture': async ({ key }) => {
        const { session } = await hub.current();
        await (await composer()).pictures.open(session, key);
      },
      'open-transcript': () => run(commandIds.openTranscript),
      send: async ({ text }) => {
        const { session, id } = await hub.current();
        await hub.setDraft(id, '');
        return this.sendOrRun(session, text);
      },
      stop: async () => (await hub.current()).session.stop(),
      retry: async () => {
        const { session } = await hub.writable();
        await session.retry();
      },
      decide: async ({ id, choice, feedback = '', reach }) => {
        const { session } = await hub.writable();
        await session.approvals.decide(
          id,
          choice === 'reject' ? { isAllowed: false, feedback } : { isAllowed: true, scope: choice, reach },
        );
      },
      review: ({ id, path }) => actions.review(id, path),
      'stop-call': async ({ id }) => {
        const { session } = await hub.writable();
        session.stops.stop(id);
      },
      unqueue: async ({ id }) => {
        const text = await (await hub.writable()).session.queue.remove(id);
        if (text !== undefined) this.channel?.post({ type: 'not-sent', text });
      },
      'edit-message': async ({ id, text }) => {
        const { session } = await hub.writable();
        const { pictures } = await composer();
        await pictures.keepThoseOf(session, id);
        try {
          await pictures.check(session, text);
        } catch (error) {
          this.channel?.post({ type: 'not-sent', text });
          throw error;
        }
        await hub.fork(id, text);
      },
      'take-over': () => hub.takeOver(),
      fork: () => hub.forkAll(),
      'undo-edits': ({ id }) => actions.undoEdits(id),
      'open-sub-agent': ({ sessionId }) => run(commandIds.openInspector, undefined, sessionId),
      price: async ({ text }) => {
        const { session } = await hub.current();
        const price = await (await composer()).price(session, text);
        if (price !== undefined) this.channel?.post({ type: 'price', ...price });
      },
      complete: async ({ trigger, query }) => {
        const items = await (await composer()).complete(trigger, query);
        this.channel?.post({ type: 'completions', trigger, query, items });
      },
      'record-summary': async ({ recordId }) => {
        const { session } = await hub.current();
        const record = recordsOf(session.transcript).find(({ id }) => id === recordId);
        if (record === undefined) return;
        const { recordDetails } = await import('../../presenters/chat/compaction-row.ts');
        this.channel?.post({ type: 'record', recordId, details: recordDetails(record, editorWording) });
      },
      'copy-message': async ({ messageId }) => {
        const text = (await hub.current()).view.feed.textOf(messageId);
        if (text === undefined) return;
        await vscode.env.clipboard.writeText(text);
        vscode.window.setStatusBarMessage(hostText('messageCopied'), 4_000);
      },
      'focused-row': ({ action }) => setRowAction(action),
      draft: ({ sessionId, text }) => hub.setDraft(sessionId, text),
      'tool-output': async ({ id }) => {
        const text = (await hub.current()).view.feed.outputOf(id);
        if (text !== undefined) this.channel?.post({ type: 'tool-output', id, text });
      },
      'open-inspector': ({ recordId }) => run(commandIds.openInspector, recordId),
      'decline-compaction': async () => (await hub.writable()).session.compaction.answerProposal(),
      'set-api-key': () => actions.setApiKey(),
      'select-model': () => run(commandIds.selectModel),
      'open-file': ({ path, line }) => openWorkspaceFile(path, line),
      'open-link': ({ url }) => openLink(url),
    };
  }

  /** Sends typed text or runs its command. Text that is not added to the chat returns to the composer. */
  private async sendOrRun(session: AgentSession, text: string): Promise<void> {
    const { hub, actions, composer } = this.ports;
    const { parseCommand, runSlashCommand, unescapeCommand } =
      await import('../../presenters/chat/slash-commands.ts');
    const command = parseCommand(text);
    const { length } = session.transcript.entries;
    let isTaken = false;
    try {
      if (command === undefined) {
        await hub.writable();
        const message = unescapeCommand(text);
        await (await composer()).pictures.check(session, message);
        isTaken = await session.send(message);
      } else {
        const { chatCommands } = await import('./composer-host.ts');
        await runSlashCommand(command, chatCommands(hub, actions));
        isTaken = true;
      }
    } finally {
      const added = session.transcript.entries.slice(length);
      const isSaid = added.some((entry) => entry.type === 'message' && isPrompt(entry.message));
      if (!isTaken && !isSaid) this.channel?.post({ type: 'not-sent', text });
    }
  }

  async reveal(messageId: string): Promise<void> {
    await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
    await this.rows.reveal(messageId);
  }

  /** Returns unsent text to the composer. If the view is hidden, the text becomes the draft. */
  private giveBack(text: string): void {
    if (this.channel?.isReady === true) this.channel.post({ type: 'not-sent', text });
    else void this.keepDraft(text).catch((error: unknown) => this.ports.log.error(String(error)));
  }

  private async keepDraft(text: string): Promise<void> {
    const { id } = await this.ports.hub.current();
    const draft = await this.ports.hub.draftOf(id);
    await this.ports.hub.setDraft(id, draft === '' ? text : `${text}\n\n${draft}`);
  }
}
