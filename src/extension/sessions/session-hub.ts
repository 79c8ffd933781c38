import * as vscode from 'vscode';
import type { AgentEvent } from '../../agent/session/session-ports.ts';
import { titleOf } from '../../transcripts/reading/typed-title.ts';
import { isTyped } from '../../compaction/messages/message.ts';
import type { ImportedChat } from '../../presenters/import/imported-chat.ts';
import type { UndoableSession } from '../../presenters/inspector/inspector-target.ts';
import type { ActiveSession, HubPorts } from './active-session.ts';
import type { WriterTransfer, settled } from './writer-transfer.ts';
import { shownTitle, tellOfUnopened } from './session-notices.ts';
import type { SessionOpener } from './session-opener.ts';
import { PreviewedOpening } from './session-preview.ts';
import type { ChatChange } from '../../protocol/chat.ts';
import { ReadOnlySessionError } from '../../presenters/storage/session-file.ts';
import { hostText } from '../editor/editor-wording.ts';
import { untitled, type SessionListing } from '../../presenters/storage/session-store.ts';

/** The larger part of the hub. Loaded with the first chat, to keep activation fast. */
interface Parts {
  readonly opener: SessionOpener;
  readonly transfer: WriterTransfer;
  readonly settled: typeof settled;
}

/** Opens, switches, renames and deletes sessions. One session is active. If a session cannot be opened, others can. */
export class SessionHub implements vscode.Disposable {
  private readonly ports: HubPorts;
  private parts: Promise<Parts> | undefined;
  private readonly switched = new vscode.EventEmitter<ActiveSession>();
  private readonly happened = new vscode.EventEmitter<AgentEvent>();
  private readonly changed = new vscode.EventEmitter<readonly ChatChange[]>();
  private readonly opened = new vscode.EventEmitter<void>();
  /** The active session. Never rejects. */
  private active: Promise<ActiveSession> | undefined;
  /** Shows the end of a long session while the session is being opened. */
  readonly preview = new PreviewedOpening();
  private activeId: string | undefined;
  /** Sessions that are no longer active but whose files are not closed yet. */
  private readonly closing = new Map<string, Promise<void>>();

  readonly onDidSwitch = this.switched.event;
  /** Fires when a session is opened for the first time in this window. */
  readonly onDidOpenFirst = this.opened.event;
  readonly onDidHappen = this.happened.event;
  readonly onDidChangeChat = this.changed.event;

  constructor(ports: HubPorts) {
    this.ports = ports;
  }

  /** Returns the active session: at first the session that was open last, or a new session. */
  current(): Promise<ActiveSession> {
    if (this.active === undefined) this.opened.fire();
    this.active ??= this.openLast().then(async (active) => {
      this.activeId = active.id;
      (await this.loaded()).transfer.watch(active);
      this.preview.end();
      // The status bar shows the fill of the window from the start.
      active.view.refresh();
      return active;
    });
    return this.active;
  }

  /** Returns the active session for changing it. @throws {Error} with a sentence if it is read-only */
  async writable(): Promise<ActiveSession> {
    const active = await this.current();
    if (active.readOnly === undefined) return active;
    const { HeldElsewhereError } = await import('../../agent/locks/session-lock.ts');
    throw active.readOnly.reason === 'newer-version'
      ? new ReadOnlySessionError()
      : new HeldElsewhereError(undefined);
  }

  /** Returns the active session for an undo, even if VS Code's own chat continues it. @throws like `writable` */
  async undoable(): Promise<UndoableSession> {
    const { id } = await this.current();
    return (await this.ports.continued?.(id)) ?? (await this.writable()).session;
  }

  /** Continues a session that another window writes. @throws {HeldElsewhereError} if the other window keeps it */
  async takeOver(): Promise<void> {
    await this.current();
    await (await this.loaded()).transfer.takeOver();
  }

  /** Copies the whole conversation into a new chat to continue there. */
  async forkAll(): Promise<void> {
    const { session } = await this.current();
    const title = hostText('copyTitle', { title: shownTitle(session.title) });
    const { entries } = session.transcript;
    await this.openImported({ title, tools: session.tools, entries }, new AbortController().signal);
  }

  /** @param draft text for the composer of the new chat */
  async newChat(draft?: string): Promise<ActiveSession> {
    const { session } = await this.current();
    // An empty chat counts as new.
    if (session.isEmpty && draft === undefined) return this.current();
    const next = (await this.loaded()).opener.create();
    if (draft !== undefined) await this.setDraft(next.id, draft);
    return this.switchTo(next);
  }

  /** Shows another session. If it cannot be opened, the previous session stays active. */
  async open(id: string): Promise<void> {
    const previous = await this.current();
    if (previous.id === id) return;
    const { opener } = await this.loaded();
    await this.closing.get(id);
    const opened = this.openPreviewed(id).then((found) => found ?? opener.create());
    this.active = opened.catch(() => previous);
    try {
      await this.switchTo(await opened, previous);
    } catch (error) {
      this.preview.end();
      await this.tellOfUnopened(id, error);
    }
  }

  /** Saves an imported conversation and opens it. @throws {CancelledError} if aborted first; no chat is created */
  async openImported(chat: Omit<ImportedChat, 'problems'>, signal: AbortSignal): Promise<void> {
    await this.switchTo(await (await this.loaded()).opener.import(chat, signal));
  }

  /** Sends a new version of an earlier message in a new chat. @throws {Error} if the user did not type the message */
  async fork(messageId: string, text: string): Promise<void> {
    const { session } = await this.writable();
    const { entries } = session.transcript;
    const index = entries.findIndex(
      (entry) => entry.type === 'message' && entry.message.id === messageId && isTyped(entry.message),
    );
    if (index < 0) throw new Error(hostText('messageGone'));
    const before = entries.slice(0, index);
    const isFirst = !before.some((entry) => entry.type === 'message' && isTyped(entry.message));
    const title = isFirst ? titleOf(text) : hostText('editedTitle', { title: shownTitle(session.title) });
    await this.openImported({ title, tools: [], entries: before }, new AbortController().signal);
    const { session: forked } = await this.current();
    await forked.send(text);
  }

  list(): Promise<readonly SessionListing[]> {
    return this.ports.store.list();
  }

  async rename(id: string, title: string): Promise<void> {
    const active = await this.current();
    await this.closing.get(id);
    if (active.id === id) await (await this.writable()).session.rename(title);
    else await this.ports.store.append(id, { type: 'title', title });
  }

  async delete(id: string): Promise<void> {
    const active = await this.current();
    if (active.id === id) {
      if (active.readOnly?.reason === 'other-window') await this.writable();
      await this.switchTo((await this.loaded()).opener.create());
    }
    await this.closing.get(id);
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

  /** Refreshes the active session after a setting has changed. Opens no session if the window has not shown one. */
  async refresh(): Promise<void> {
    (await this.active)?.view.refresh();
  }

  dispose(): void {
    void this.close();
    this.switched.dispose();
    this.happened.dispose();
    this.changed.dispose();
    this.opened.dispose();
    this.preview.dispose();
  }

  /** Closes open sessions, so that other windows can open them at once. */
  async close(): Promise<void> {
    await (await this.parts)?.transfer.dispose();
    const active = await this.active;
    active?.session.stop();
    await active?.close();
    await Promise.all(this.closing.values());
  }

  private loaded(): Promise<Parts> {
    this.parts ??= this.load();
    return this.parts;
  }

  private async load(): Promise<Parts> {
    const { ports } = this;
    const { SessionOpener } = await import('./session-opener.ts');
    const { WriterTransfer, settled } = await import('./writer-transfer.ts');
    const telemetry = await ports.telemetry?.();
    const opener = new SessionOpener(ports, {
      happened: (id, event) => {
        // If the session moves to another window, that window sends the queued messages.
        if (event.type === 'unsaid' && transfer.isLettingGo(id)) return;
        if (id === this.activeId) this.happened.fire(event);
      },
      worked: (id, session, event) => telemetry?.happened({ id }, session, event),
      changed: (id, changes) => {
        if (id === this.activeId) this.changed.fire(changes);
      },
      // Only sessions with a file can be restored.
      saved: async (id) => {
        if (id === this.activeId) await this.remember(id);
      },
      replaced: (id) => void transfer.reopen(id),
    });
    const transfer = new WriterTransfer(ports, opener, {
      active: () => this.active,
      show: (next) => this.switchTo(next),
      failed: (id, error) => this.tellOfUnopened(id, error),
    });
    return { opener, transfer, settled };
  }

  private async openLast(): Promise<ActiveSession> {
    const { opener } = await this.loaded();
    const id = await this.ports.state.active();
    if (id === undefined) return opener.create();
    try {
      return (await this.openPreviewed(id)) ?? opener.create();
    } catch (error) {
      const instead = opener.create();
      void this.tellOfUnopened(id, error).then(async () => {
        // Once the user has read the error, a reload need not repeat it. Until then, a reload tries the chat again,
        // because opening also fails in a window that is closing and cannot show a notice.
        if (instead.id === this.activeId) await this.remember(instead.id);
      });
      return instead;
    }
  }

  /** Opens a session and shows its end in the meantime. */
  private openPreviewed(id: string): Promise<ActiveSession | undefined> {
    const path = this.ports.store.pathOf(id);
    return this.preview.during({ id, path }, async () => (await this.loaded()).opener.open(id));
  }

  /** @param before the previously active session, if it is not the current session */
  private async switchTo(next: ActiveSession, before?: ActiveSession): Promise<ActiveSession> {
    const previous = before ?? (await this.current());
    previous.session.stop();
    this.active = Promise.resolve(next);
    this.activeId = next.id;
    const { transfer, settled } = await this.loaded();
    transfer.watch(next);
    if (previous.id !== next.id) {
      const closed = settled(previous.session).then(() => previous.close());
      this.closing.set(previous.id, closed);
      void closed.finally(() => this.closing.delete(previous.id));
    }
    // Both cause a snapshot for the page. Together, they cause only one.
    this.preview.end();
    this.switched.fire(next);
    await this.remember(next.id);
    return next;
  }

  /** Remembers the session for a reload. The session can be used even if this fails. */
  private async remember(id: string): Promise<void> {
    try {
      await this.ports.state.setActive(id);
    } catch (error) {
      this.ports.log.error(`Which chat is open could not be written down: ${String(error)}`);
    }
  }

  private async tellOfUnopened(id: string, error: unknown): Promise<void> {
    const { store, log } = this.ports;
    const listing = (await store.list()).find((candidate) => candidate.id === id);
    const chat = { id, title: listing?.title ?? untitled, path: store.pathOf(id) };
    await tellOfUnopened(chat, error, log);
  }
}
