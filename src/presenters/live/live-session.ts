import type { RecordingProxy } from '../../agent/governed/asked-changes.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { sharedLength } from '../../compaction/messages/memoise.ts';
import type { Message } from '../../compaction/messages/message.ts';
import { markEntry, type MarkRequest } from '../../compaction/manual-edits/mark-sentence.ts';
import {
  growingTranscripts,
  messagesOf,
  recordsOf,
  type Transcript,
} from '../../compaction/transcript/transcript.ts';
import { memoisedRecords } from '../../transcripts/foreign-compactions.ts';
import type { ForeignSession } from '../inspector/inspector-model.ts';
import {
  type ReadableConversation,
  type ReadOnlyPorts,
  type ReadOnlySession,
  readOnlySessionOf,
  type ReadSession,
} from '../import/read-only-session.ts';
import type { MarkFile } from '../storage/mark-file.ts';
import { continues, MarkedTranscript } from './marked-transcript.ts';
import { RepeatedReading, type RepeatedReadingPorts } from './repeated-reading.ts';
import type { ListedAs, SessionReader } from './session-reader.ts';

/** Difference between two states of a followed session. */
export interface LiveChange {
  /** Position of the first changed message. If no message has changed, the number of earlier messages. */
  readonly changedFrom: number;
  /** True if entries were only added, so that incremental results remain valid. */
  readonly isAppended: boolean;
  /** True if the session now has another conversation, or a shorter conversation. */
  readonly isOther: boolean;
  /** Compactions that the agent made since the last state, oldest first. */
  readonly compactions: readonly CompactionRecord[];
}

interface LiveSessionPorts extends ReadOnlyPorts, RepeatedReadingPorts {
  readonly reader: SessionReader;
  /** Title of the session if it is not listed and has no typed message. */
  readonly name: string;
  /** The proxy that may compact the conversation; absent without a recording. */
  readonly proxy?: RecordingProxy | undefined;
  /** Marks on sentences of the session; absent if none can be marked. */
  readonly marks?: MarkFile | undefined;
  /** Returns the session's entry in the list. Called after each change. */
  readonly listed?: () => Promise<Partial<ListedAs> | undefined>;
}

/** Milliseconds to wait after a change before reading, because agents write several lines at a time. */
const quietTime = 150;

/** A session of another agent that follows its file. Keeps the last state while the file is missing or incomplete. */
export class LiveSession implements ReadOnlySession {
  readonly activity = 'idle';
  private readonly ports: LiveSessionPorts;
  private readonly makeRecord = memoisedRecords();
  private readonly toTranscript = growingTranscripts();
  private readonly stopper = new AbortController();
  private readonly listeners = new Set<(change: LiveChange) => void>();
  /** The last reading of the session, and the session's title in the list. */
  private read: ReadSession | undefined;
  private listedTitle: string | undefined;
  /** Set by the first reading, before callers receive this object. */
  private latest!: ReadOnlySession;
  /** Its messages, because only the newest list of messages is remembered elsewhere. */
  private messages: readonly Message[] = [];
  private readonly marked = new MarkedTranscript();
  private unwatch: (() => void) | undefined;
  private readonly following: RepeatedReading;
  private lastReading: Promise<unknown> = Promise.resolve();

  private constructor(ports: LiveSessionPorts) {
    this.ports = ports;
    const tell = async () => {
      const change = await this.readNew();
      if (change !== undefined) for (const listener of this.listeners) listener(change);
    };
    this.following = new RepeatedReading(tell, ports, this.stopper.signal, quietTime);
  }

  /**
   * Reads a session without following it.
   *
   * @throws {SentenceError} if the session cannot be read
   * @throws {CancelledError} if the signal was aborted
   */
  static async open(
    ports: LiveSessionPorts,
    signal: AbortSignal,
    progress?: (share: number) => void,
  ): Promise<LiveSession> {
    const live = new LiveSession(ports);
    try {
      await live.take(await ports.reader.read(signal, progress), signal);
      return live;
    } catch (error) {
      live.dispose();
      throw error;
    }
  }

  get transcript(): Transcript {
    const { transcript } = this.latest;
    return this.hasOwnMessages ? this.marked.of(transcript) : transcript;
  }

  /** Marks a sentence; undefined if the session's sentences cannot be marked. */
  get mark(): ReadOnlySession['mark'] {
    const { marks } = this.ports;
    return marks && this.hasOwnMessages ? (request) => this.markIn(marks, request) : undefined;
  }

  get title(): string {
    return this.latest.title;
  }

  get tools(): ReadOnlySession['tools'] {
    return this.latest.tools;
  }

  get toolSet(): ReadOnlySession['toolSet'] {
    return this.latest.toolSet;
  }

  get toolHistory(): ReadOnlySession['toolHistory'] {
    return this.latest.toolHistory;
  }

  get exchanges(): ReadOnlySession['exchanges'] {
    return this.latest.exchanges;
  }

  get problems(): readonly string[] {
    return this.latest.problems;
  }

  get folder(): string | undefined {
    return this.latest.folder;
  }

  get others(): readonly ReadableConversation[] {
    return this.latest.others;
  }

  get foreign(): ForeignSession {
    return this.latest.foreign;
  }

  get proxy(): ReadOnlySession['proxy'] {
    // If the file has compactions of the agent, its own context is shown instead of the recorded one.
    return this.read?.compactions.length === 0 ? this.ports.proxy : undefined;
  }

  get compaction(): ReadOnlySession['compaction'] {
    return this.latest.compaction;
  }

  /** Follows the session and reports every change until this object is disposed. */
  follow(listener: (change: LiveChange) => void): void {
    this.listeners.add(listener);
    this.unwatch ??= this.ports.reader.watch(() => void this.look());
    void this.look();
  }

  /** Reads and reports changes. Resolves when all current changes have been reported. */
  look(): Promise<void> {
    return this.following.look();
  }

  /**
   * Reads changes without reporting them; undefined if nothing has changed.
   *
   * @throws {SentenceError} if the session is unreadable now
   */
  readNew(): Promise<LiveChange | undefined> {
    const { signal } = this.stopper;
    const reading = this.lastReading.then(async () =>
      this.take(await this.ports.reader.read(signal), signal),
    );
    this.lastReading = reading.catch(() => {});
    return reading;
  }

  dispose(): void {
    this.unwatch?.();
    this.listeners.clear();
    this.stopper.abort();
    this.ports.reader.dispose();
  }

  /** False while a recorded context is shown for another agent's file. Marks are stored by the ids in the file. */
  private get hasOwnMessages(): boolean {
    const { format, entries = [] } = this.read ?? {};
    return format === 'session' || entries.every(({ type }) => type !== 'compaction');
  }

  /** Adds a mark to our file of marks, or an entry that removes the newest mark of the sentence. */
  private async markIn(marks: MarkFile, request: MarkRequest): Promise<boolean> {
    const entry = markEntry(this.transcript, request, new Date().toISOString());
    if (entry === undefined) return false;
    await marks.add(entry);
    this.marked.add(entry);
    const change = this.unchanged();
    for (const listener of this.listeners) listener(change);
    return true;
  }

  /** A change that concerns only marks. */
  private unchanged(): LiveChange {
    const changedFrom = messagesOf(this.transcript).length;
    return { changedFrom, isAppended: true, isOther: false, compactions: [] };
  }

  /** @returns undefined if nothing visible has changed */
  private async take(read: ReadSession | undefined, signal: AbortSignal): Promise<LiveChange | undefined> {
    const isMarked = this.marked.update((await this.ports.marks?.read()) ?? []);
    if (read === undefined) return isMarked ? this.unchanged() : undefined;
    const { ports, makeRecord, toTranscript } = this;
    const before = this.read && this.latest.transcript;
    const { title, workspace } = (await ports.listed?.()) ?? {};
    const placed = { ...read, folder: read.folder ?? workspace };
    const later = {
      ...(await readOnlySessionOf(placed, ports.name, ports, signal, makeRecord, toTranscript)),
      ...(title !== undefined && { title }),
    };
    // A write changes the file's time before the size, so a check in between finds no new content.
    const isSame = read === this.read && title === this.listedTitle;
    const earlier = this.messages;
    [this.read, this.listedTitle, this.latest] = [read, title, later];
    this.messages = messagesOf(later.transcript);
    if (before === undefined) return undefined;
    if (isSame) return isMarked ? this.unchanged() : undefined;
    return changeBetween(before, earlier, later.transcript);
  }
}

function changeBetween(before: Transcript, earlier: readonly Message[], later: Transcript): LiveChange {
  const messages = messagesOf(later);
  const changedFrom = sharedLength(earlier, messages);
  const isOther = messages.length < earlier.length || changedFrom === 0;
  // In a file with only the last compaction, a new compaction reuses the number of the previous one.
  const identity = ({ id, createdAt }: CompactionRecord) => `${id} ${createdAt}`;
  const known = new Set(recordsOf(before).map(identity));
  return {
    changedFrom,
    isAppended: continues(later, before),
    isOther,
    compactions: isOther ? [] : recordsOf(later).filter((record) => !known.has(identity(record))),
  };
}
