import { hostSentences } from '../../language/english/host-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { stat } from 'node:fs/promises';
import { HeldElsewhereError, type LockOwner, type SessionLock } from '../../agent/locks/session-lock.ts';
import { nodeSlices } from '../../agent/node-slices.ts';
import { AgentSession } from '../../agent/session/agent-session.ts';
import type { AgentEvent, SessionOpening } from '../../agent/session/session-ports.ts';
import { startupSentences } from '../../language/english/startup-english.ts';
import { phraseOf, recordedText } from '../../compaction/records/reason.ts';
import { tagSuffixFrom } from '../../compaction/quoting/session-tags.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { ReadOnlySessionError, type SessionFile } from '../../presenters/storage/session-file.ts';
import { SessionEngine } from '../../presenters/engine/session-engine.ts';
import { CountFile, countedIn } from '../../presenters/storage/count-file.ts';
import { fileAt, linesOfBytes } from '../../presenters/storage/session-store.ts';
import { SessionFollower } from '../../presenters/storage/session-follower.ts';
import { ChatFeed } from '../../presenters/chat/chat-feed.ts';
import { InspectorModel } from '../../presenters/inspector/inspector-model.ts';
import type { ChatChange, ReadOnlyView } from '../../protocol/chat.ts';
import { editorWording } from '../editor/editor-wording.ts';
import type { SessionEvent, TurnEvent } from '../../transcripts/session/session-event.ts';
import type { SessionContents } from '../../transcripts/session/session-format.ts';
import type { ImportedChat } from '../../presenters/import/imported-chat.ts';
import type { ActiveSession, HubPorts, SessionView } from './active-session.ts';
import { tellOfUnreadLines } from './session-notices.ts';

const lineFeed = 0x0a;

const interruptedTurn: TurnEvent = {
  type: 'turn',
  outcome: 'failed',
  ...recordedText(startupSentences.say('turnInterrupted')),
};

interface SessionListener {
  readonly happened: (id: string, event: AgentEvent) => void;
  /** Called with each event of a session that this window writes. */
  readonly worked: (id: string, session: AgentSession, event: AgentEvent) => void;
  /** Called when rows of the session's chat have changed. */
  readonly changed: (id: string, changes: readonly ChatChange[]) => void;
  readonly saved: (id: string) => Promise<void>;
  /** Called when the file of a read-only session has been replaced. */
  readonly replaced: (id: string) => void;
}

/** Prepares new, stored and imported sessions for display and use. */
export class SessionOpener {
  private readonly ports: HubPorts;
  private readonly listener: SessionListener;

  constructor(ports: HubPorts, listener: SessionListener) {
    this.ports = ports;
    this.listener = listener;
  }

  /** Returns a session without messages. Its file is created with the first message. */
  create(): ActiveSession {
    const { id, file } = this.ports.store.create(this.ports.now());
    const start = { title: undefined, entries: [], tools: [], lastTurn: undefined };
    return this.activate(id, start, new Writer(file));
  }

  /**
   * Opens a session for writing, or for reading if another window writes it.
   *
   * @param lock already held if another window released it
   * @returns undefined if the session does not exist
   * @throws any error that prevents reading, counting or showing the session
   */
  async open(id: string, lock = this.ports.store.lockOf(id)): Promise<ActiveSession | undefined> {
    try {
      await lock.hold();
    } catch (error) {
      if (error instanceof HeldElsewhereError) return this.look(id, lock, error.owner);
      // If nothing can be written, sending the first message will report this. The session can still be read.
    }
    let file: SessionFile | undefined;
    try {
      const found = await this.ports.store.open(id, lock);
      file = found?.file;
      if (found === undefined) {
        await lock.release();
        return undefined;
      }
      const { contents } = found;
      const entries = [...contents.entries, ...this.brokenOff(contents)];
      const lastTurn = contents.lastTurn ?? (isOpenEnded(entries) ? interruptedTurn : undefined);
      const { title, tools, toolSet, queue, edits } = contents;
      const isNewer = found.readOnly !== undefined;
      const writer = new Writer(found.file, isNewer ? { reason: found.readOnly, window: '' } : undefined);
      const counts = new CountFile(this.ports.store.countsPathOf(id));
      await counts.teach(this.ports.meterOf(), countedIn(entries));
      const opened = this.activate(
        id,
        { title, entries, tools, toolSet, lastTurn, queue, edits },
        writer,
        counts,
      );
      await opened.view.prove();
      if (!isNewer) void this.saveCounts(counts, opened.session);
      if (isNewer) await lock.release();
      else for (const entry of entries.slice(contents.entries.length)) await writer.append(entry);
      tellOfUnreadLines(id, contents.problems, this.ports.log);
      return opened;
    } catch (error) {
      await file?.close();
      await lock.release();
      throw error;
    }
  }

  /** Opens a session that another window writes, and follows the file. */
  private async look(
    id: string,
    lock: SessionLock,
    owner: LockOwner | undefined,
  ): Promise<ActiveSession | undefined> {
    const path = this.ports.store.pathOf(id);
    const read = await fileAt(path);
    if (read === undefined) return undefined;
    const { bytes } = read;
    const { ino } = await stat(path, { bigint: true });
    // An incomplete last line is read again when it is complete.
    const end = bytes.lastIndexOf(lineFeed) + 1;
    const { readSessionInSlices } = await import('../../transcripts/session/session-format.ts');
    const lines = linesOfBytes(bytes.subarray(0, end));
    const contents = await readSessionInSlices(lines, nodeSlices());
    const view: ReadOnlyView = { reason: 'other-window', window: owner?.window ?? '' };
    const writer = new Writer(lock, view);
    const counts = new CountFile(this.ports.store.countsPathOf(id));
    await counts.teach(this.ports.meterOf(), countedIn(contents.entries));
    const opened = this.activate(id, { ...contents, lastTurn: contents.lastTurn }, writer, counts);
    await opened.view.prove();
    tellOfUnreadLines(id, contents.problems, this.ports.log);
    const { unfinished } = contents;
    if (unfinished !== undefined) opened.session.follow({ type: 'partial', ...unfinished });
    const follower = new SessionFollower(path, end, ino, {
      appended: (event) => opened.session.follow(event),
      replaced: () => this.listener.replaced(id),
    });
    writer.onClose(() => follower.dispose());
    return opened;
  }

  /**
   * Saves an imported conversation as a session.
   *
   * @throws {CancelledError} if aborted before everything is saved; nothing is created
   */
  async import(
    { title, tools, entries }: Omit<ImportedChat, 'problems'>,
    signal: AbortSignal,
  ): Promise<ActiveSession> {
    const events: readonly SessionEvent[] = [
      { type: 'title', title },
      ...(tools.length === 0 ? [] : [{ type: 'tools', tools } as const]),
      ...entries,
    ];
    const { id, file } = await this.ports.store.write(this.ports.now(), events, signal);
    const lastTurn = isOpenEnded(entries) ? interruptedTurn : undefined;
    return this.activate(id, { title, entries, tools, lastTurn }, new Writer(file));
  }

  /** Keeps a reply that was being streamed when its window closed, and marks it as incomplete. */
  private brokenOff({ unfinished }: SessionContents): readonly TranscriptEntry[] {
    if (unfinished === undefined || unfinished.text.trim() === '') return [];
    return [
      {
        type: 'message',
        message: {
          role: 'assistant',
          content: unfinished.text,
          id: unfinished.messageId,
          origin: 'model',
          createdAt: new Date(this.ports.now()).toISOString(),
          interrupted: true,
        },
      },
    ];
  }

  private activate(
    id: string,
    start: SessionOpening,
    writer: Writer,
    counts = new CountFile(this.ports.store.countsPathOf(id)),
  ): ActiveSession {
    const { ports, listener } = this;
    const { readOnly, lock } = writer;
    const rules = ports.approvalsOf();
    const engine = ports.engine && new SessionEngine(ports.engine, id);
    const session: AgentSession = new AgentSession(
      { ...start, tagSuffix: tagSuffixFrom(id) },
      {
        ...ports,
        ...(engine === undefined
          ? {}
          : {
              elsewhere: (work) => engine.compact(work),
              historySearch: engine.searchHistory(ports.meterOf),
            }),
        tools: (access) => ports.toolsOf(access, id, () => writer.verify()),
        files: () => ports.filesOf(id),
        approvals: rules,
        log: async (event) => {
          await writer.append(event);
          await listener.saved(id);
        },
        get meter() {
          return ports.meterOf();
        },
      },
      (event) => {
        view.handle(event);
        listener.happened(id, event);
        if (readOnly === undefined) listener.worked(id, session, event);
      },
    );
    const isElsewhere = readOnly?.reason === 'other-window';
    const view = this.viewOf(id, session, isElsewhere);
    const close = async () => {
      if (readOnly === undefined && !session.isEmpty) await this.saveCounts(counts, session);
      await writer.close();
    };
    return { id, session, view, rules, readOnly, lock, close };
  }

  /** @param isElsewhere true if another window writes the session */
  private viewOf(id: string, session: AgentSession, isElsewhere: boolean): SessionView {
    const { meterOf, log } = this.ports;
    const feed = new ChatFeed(session, {
      meterOf,
      wording: editorWording,
      changed: (changes) => this.listener.changed(id, changes),
      failed: (message) => log.error(message),
      isElsewhere,
    });
    const inspector = new InspectorModel({ id, session, meterOf, wording: editorWording });
    return {
      feed,
      inspector,
      handle: (event) => feed.handle(event),
      refresh: () => feed.refreshMeter(),
      prove: async () => {
        await feed.ready;
        await feed.meter();
        await inspector.state({ chatId: id, otherSessions: [], model: '', strategy: '' });
      },
    };
  }

  /** Saves the counts for the next opening. If this fails, the messages are counted again. */
  private async saveCounts(counts: CountFile, { transcript }: AgentSession): Promise<void> {
    await counts
      .save(this.ports.meterOf(), countedIn(transcript.entries))
      .catch((error: unknown) => this.ports.log.warn(`Counts could not be saved: ${String(error)}`));
  }
}

function isOpenEnded(entries: readonly TranscriptEntry[]): boolean {
  const last = entries.findLast((entry) => entry.type === 'message')?.message;
  if (last === undefined || last.role === 'system') return false;
  const isAnswer =
    last.role === 'assistant' && (last.tool_calls ?? []).length === 0 && last.interrupted !== true;
  return !isAnswer;
}

/** Writes a displayed session to its file until the session is closed. Uses the lock of the file. */
export class Writer {
  readonly readOnly: ReadOnlyView | undefined;
  readonly lock: SessionLock;
  private readonly file: SessionFile | undefined;
  private readonly endings: (() => void)[] = [];
  private isClosed = false;

  /** @param target the file, or the lock if another window holds it @param readOnly why writing is not allowed */
  constructor(target: SessionFile | SessionLock, readOnly?: ReadOnlyView) {
    this.file = 'append' in target ? target : undefined;
    this.lock = 'append' in target ? target.lock : target;
    this.readOnly = readOnly;
  }

  /** @throws {SentenceError} if the event was not written, or if another window may have written in the meantime */
  async append(event: SessionEvent): Promise<void> {
    try {
      await this.writable().append(event);
    } catch (error) {
      const reason = phraseOf(error);
      throw new SentenceError(hostSentences.say('chatNotSaved', { reason }), { cause: error });
    }
  }

  /** @throws {HeldElsewhereError} if another window holds the lock */
  async verify(): Promise<void> {
    // The file and the lock of a new chat are created with the first message.
    await this.writable().lock.hold();
  }

  /** Calls a function when the session is closed. */
  onClose(ending: () => void): void {
    this.endings.push(ending);
  }

  /** Closes the file after pending writes. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const ending of this.endings) ending();
    await this.file?.close();
  }

  private writable(): SessionFile {
    if (this.readOnly?.reason === 'newer-version') throw new ReadOnlySessionError();
    if (this.file === undefined || this.isClosed || this.readOnly !== undefined) {
      throw new HeldElsewhereError(undefined);
    }
    return this.file;
  }
}
