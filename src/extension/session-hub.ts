import * as vscode from 'vscode';
import { AgentSession } from '../agent/session.ts';
import type { AgentEvent } from '../agent/session-events.ts';
import type { SessionFiles } from '../agent/edits/session-edits.ts';
import type { SessionPorts, SessionStart, ToolAccess } from '../agent/session-ports.ts';
import { titleOf } from '../agent/session-title.ts';
import type { AgentTool } from '../agent/tools/tool.ts';
import { messageOf } from '../compaction/failure.ts';
import type { UsageMeter } from '../compaction/tokens/usage.ts';
import { isTyped } from '../compaction/message.ts';
import { TranscriptError } from '../compaction/transcript.ts';
import type { TranscriptEntry } from '../compaction/transcript-entry.ts';
import type { SessionContents } from '../transcripts/session-format.ts';
import type { SessionEvent, TurnEvent } from '../transcripts/session-event.ts';
import type { RulesOfChat } from './agent-host.ts';
import { ChatFeed } from './chat/chat-feed.ts';
import type { ImportedChat } from './import/imported-chat.ts';
import { InspectorModel } from './inspector/inspector-model.ts';
import type { ChatChange } from './protocol/chat.ts';
import { shownTitle } from './shown-title.ts';
import type { SessionFile } from './storage/session-file.ts';
import type { SessionListing, SessionStore } from './storage/session-store.ts';
import type { StateFile } from './storage/state-file.ts';
import { warnWithLog } from './warn-with-log.ts';

/** The session that the window shows, with what is shown of it. */
export interface ActiveSession {
  readonly id: string;
  readonly session: AgentSession;
  readonly feed: ChatFeed;
  readonly inspector: InspectorModel;
  readonly file: SessionFile;
  readonly rules: RulesOfChat;
}

export interface HubPorts extends Omit<SessionPorts, 'log' | 'meter' | 'tools' | 'files' | 'approvals'> {
  readonly toolsOf: (access: ToolAccess, sessionId: string) => Promise<readonly AgentTool[]>;
  readonly filesOf: (sessionId: string) => Promise<SessionFiles | undefined>;
  /** What was allowed before, with room for what is allowed in this session only. */
  readonly approvalsOf: () => RulesOfChat;
  /** Deletes what is kept beside the file of a session that is deleted. */
  readonly forget: (sessionId: string) => Promise<void>;
  readonly store: SessionStore;
  /** Remembers which session is open, and unsent texts. */
  readonly state: StateFile;
  readonly meterOf: () => UsageMeter;
  readonly log: vscode.LogOutputChannel;
}

const interruptedTurn: TurnEvent = {
  type: 'turn',
  outcome: 'failed',
  message: 'The last turn was interrupted before it was done.',
};

/** Opens, switches, names and deletes sessions; one is active at a time. */
export class SessionHub implements vscode.Disposable {
  private readonly ports: HubPorts;
  private readonly switched = new vscode.EventEmitter<ActiveSession>();
  private readonly changed = new vscode.EventEmitter<readonly ChatChange[]>();
  private readonly happened = new vscode.EventEmitter<AgentEvent>();
  private active: Promise<ActiveSession> | undefined;
  private activeId: string | undefined;

  /** Another session is active now. */
  readonly onDidSwitch = this.switched.event;
  /** The chat of the active session changed. */
  readonly onDidChange = this.changed.event;
  /** Something happened in the active session. */
  readonly onDidHappen = this.happened.event;

  constructor(ports: HubPorts) {
    this.ports = ports;
  }

  /** The active session: the one that was open last, or a new one. */
  current(): Promise<ActiveSession> {
    this.active ??= this.openLast().then((active) => {
      this.activeId = active.id;
      return active;
    });
    return this.active;
  }

  async newChat(): Promise<ActiveSession> {
    const { session } = await this.current();
    // An empty chat is as new as can be.
    return session.isEmpty ? this.current() : this.switchTo(Promise.resolve(this.create()));
  }

  async open(id: string): Promise<void> {
    if ((await this.current()).id === id) return;
    await this.switchTo(this.load(id).then((loaded) => loaded ?? this.create()));
  }

  /**
   * Opens a conversation that was held elsewhere as a new chat, once all of it is saved.
   *
   * @throws {CancelledError} if the signal was aborted before that; then there is no new chat
   */
  async openImported({ title, tools, entries }: ImportedChat, signal: AbortSignal): Promise<void> {
    const events: readonly SessionEvent[] = [
      { type: 'title', title },
      ...(tools.length === 0 ? [] : [{ type: 'tools', tools } as const]),
      ...entries,
    ];
    const { id, file } = await this.ports.store.write(this.ports.now(), events, signal);
    const lastTurn = isOpenEnded(entries) ? interruptedTurn : undefined;
    await this.switchTo(Promise.resolve(this.activate(id, file, { title, entries, tools, lastTurn })));
  }

  /**
   * Says something else instead of an earlier message, in a new chat that has everything before it.
   *
   * @throws {TranscriptError} where the person typed no such message
   */
  async fork(messageId: string, text: string): Promise<void> {
    const { session } = await this.current();
    const { entries } = session.transcript;
    const index = entries.findIndex(
      (entry) => entry.type === 'message' && entry.message.id === messageId && isTyped(entry.message),
    );
    if (index < 0) throw new TranscriptError(vscode.l10n.t('This message is not in the chat any more.'));
    const before = entries.slice(0, index);
    const isFirst = !before.some((entry) => entry.type === 'message' && isTyped(entry.message));
    const title = isFirst ? titleOf(text) : vscode.l10n.t('{0} (edited)', shownTitle(session.title));
    await this.openImported(
      { title, tools: [], entries: before, problems: [] },
      new AbortController().signal,
    );
    const { session: forked } = await this.current();
    await forked.send(text);
  }

  list(): Promise<readonly SessionListing[]> {
    return this.ports.store.list();
  }

  async rename(id: string, title: string): Promise<void> {
    const active = await this.current();
    if (active.id === id) await active.session.rename(title);
    else await this.ports.store.append(id, { type: 'title', title });
  }

  async delete(id: string): Promise<void> {
    const active = await this.current();
    if (active.id === id) {
      await this.switchTo(Promise.resolve(this.create()));
      await active.file.close();
    }
    await this.ports.store.delete(id);
    await this.ports.forget(id);
    await this.setDraft(id, '');
  }

  draftOf(id: string): Promise<string> {
    return this.ports.state.draftOf(id);
  }

  setDraft(id: string, text: string): Promise<void> {
    return this.ports.state.setDraft(id, text);
  }

  /** Counts anew, after a setting changed. */
  async refreshMeter(): Promise<void> {
    (await this.current()).feed.refreshMeter();
  }

  dispose(): void {
    void this.active?.then(({ session, file }) => {
      session.stop();
      return file.close();
    });
    this.switched.dispose();
    this.changed.dispose();
    this.happened.dispose();
  }

  private async openLast(): Promise<ActiveSession> {
    const id = await this.ports.state.active();
    const last = id === undefined ? undefined : await this.load(id);
    return last ?? this.create();
  }

  private async switchTo(next: Promise<ActiveSession>): Promise<ActiveSession> {
    const previous = await this.current();
    previous.session.stop();
    const active = await next;
    this.active = Promise.resolve(active);
    this.activeId = active.id;
    await this.ports.state.setActive(active.id);
    this.switched.fire(active);
    return active;
  }

  private create(): ActiveSession {
    const { id, file } = this.ports.store.create(this.ports.now());
    const start = { title: undefined, entries: [], tools: [], lastTurn: undefined };
    return this.activate(id, file, start);
  }

  private async load(id: string): Promise<ActiveSession | undefined> {
    const found = await this.ports.store.open(id);
    if (found === undefined) return undefined;
    const { contents, file } = found;
    for (const problem of contents.problems) this.ports.log.warn(`Session ${id}: ${problem}`);
    const unread = contents.problems.length;
    if (unread > 0) void warnWithLog(unreadLines(unread), this.ports.log);
    const entries = await this.withUnfinished(contents, file);
    const lastTurn = contents.lastTurn ?? (isOpenEnded(entries) ? interruptedTurn : undefined);
    const { title, tools, queue, edits } = contents;
    return this.activate(id, file, { title, entries, tools, lastTurn, queue, edits });
  }

  /** A reply that was being streamed when the window went away is kept, marked as broken off. */
  private async withUnfinished(
    { entries, unfinished }: SessionContents,
    file: SessionFile,
  ): Promise<readonly TranscriptEntry[]> {
    if (unfinished === undefined || unfinished.text.trim() === '') return entries;
    const entry: TranscriptEntry = {
      type: 'message',
      message: {
        role: 'assistant',
        content: unfinished.text,
        id: unfinished.messageId,
        origin: 'model',
        createdAt: new Date(this.ports.now()).toISOString(),
        interrupted: true,
      },
    };
    await file.append(entry);
    return [...entries, entry];
  }

  private activate(id: string, file: SessionFile, start: SessionStart): ActiveSession {
    const { ports } = this;
    const isActive = () => this.activeId === id;
    const rules = ports.approvalsOf();
    const session: AgentSession = new AgentSession(
      start,
      {
        ...ports,
        tools: (access) => ports.toolsOf(access, id),
        files: () => ports.filesOf(id),
        approvals: rules,
        log: (event) => this.record(id, file, event),
        get meter() {
          return ports.meterOf();
        },
      },
      (event) => {
        feed.handle(event);
        if (isActive()) this.happened.fire(event);
      },
    );
    const feed = new ChatFeed(session, ports.meterOf, {
      changed: (changes) => {
        if (isActive()) this.changed.fire(changes);
      },
      failed: (message) => ports.log.error(message),
    });
    const inspector = new InspectorModel(session, ports.meterOf);
    return { id, session, feed, inspector, file, rules };
  }

  private async record(
    id: string,
    file: SessionFile,
    event: Parameters<SessionFile['append']>[0],
  ): Promise<void> {
    try {
      await file.append(event);
    } catch (error) {
      throw new Error(`The chat could not be saved: ${messageOf(error)}`, { cause: error });
    }
    // Only a session that has a file is worth coming back to.
    if (this.activeId === id) await this.ports.state.setActive(id);
  }
}

function unreadLines(count: number): string {
  return count === 1
    ? vscode.l10n.t('One line of this chat could not be read and was skipped; the file was left as it is.')
    : vscode.l10n.t(
        '{0} lines of this chat could not be read and were skipped; the file was left as it is.',
        count,
      );
}

/** True where the conversation breaks off before an answer. */
function isOpenEnded(entries: readonly TranscriptEntry[]): boolean {
  const last = entries.findLast((entry) => entry.type === 'message')?.message;
  if (last === undefined || last.role === 'system') return false;
  const isAnswer =
    last.role === 'assistant' && (last.tool_calls ?? []).length === 0 && last.interrupted !== true;
  return !isAnswer;
}
