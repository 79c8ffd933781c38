import type { Slices } from '../../compaction/signals/time-slices.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { idOf, objectionTo } from '../../compaction/transcript/transcript.ts';
import type { ToolHistory, ToolsFrom } from '../../compaction/transcript/transcript-entry.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { type Imported, type TranscriptFormat, unknownTime } from '../reading/transcript-format.ts';
import { expectedAt, problemAt } from '../reading/json-document.ts';
import {
  isEntry,
  toolSetOf,
  sessionVersion,
  type EditsEvent,
  type ExchangeEvent,
  type HistoryEvent,
  type SessionEvent,
  type SessionHeader,
  type ToolSet,
  type TurnEvent,
} from './session-event.ts';
import { readEvent } from './session-line.ts';
import { importsSentences } from '../../language/english/imports-english.ts';

/** Content of a session file, without unreadable lines. */
export interface SessionContents {
  readonly header: SessionHeader | undefined;
  /** True if a newer version wrote the session. It may contain parts unknown here, so it is read-only. */
  readonly isNewer: boolean;
  readonly title: string | undefined;
  readonly tools: ToolSet['tools'];
  /** The tools of the session, including those left out of requests. */
  readonly toolSet: ToolSet;
  readonly toolHistory: ToolHistory;
  readonly entries: readonly TranscriptEntry[];
  /** Text streamed for a message that was never completed because the program ended. */
  readonly unfinished: { readonly messageId: string; readonly text: string } | undefined;
  /** The last turn, if it was stopped or failed, and no entry followed. */
  readonly lastTurn: TurnEvent | undefined;
  /** Queued messages that were never sent. */
  readonly queue: readonly string[];
  /** Changes to files: the newest event of each turn. */
  readonly edits: readonly EditsEvent[];
  /** Requests that the proxy recorded. */
  readonly exchanges: readonly ExchangeEvent[];
  /** The newest change that the proxy's client made in its history. */
  readonly history: RecordedHistory | undefined;
  readonly problems: readonly string[];
}

/** A client's history, and the number of entries before it in the file. */
interface RecordedHistory extends Pick<HistoryEvent, 'messageIds' | 'keys'> {
  readonly entries: number;
}

const expected = importsSentences.say('expectedContextBudget');

const newerVersion =
  'A newer version of Context Budget wrote this session; what it added to the format is not read.';

export const sessionFormat: TranscriptFormat = {
  id: 'session',
  title: 'Context Budget session (JSON lines)',
  recognises: (text) => /^\s*\{"type":\s*"session"/.test(text),
  parse(text): Imported {
    const { header, entries, toolSet, toolHistory, exchanges, problems } = readSession(text);
    if (header === undefined && entries.length === 0) throw expectedAt(1, expected);
    const { tools, servers } = toolSet;
    const { client: agent, folder } = header?.wire ?? {};
    return { entries, tools, servers, toolHistory, exchanges, compactions: [], problems, agent, folder };
  },
};

/**
 * Reads a session with any content. Invalid lines are skipped and reported.
 *
 * @param lines the whole text, or its lines
 */
export function readSession(lines: string | Iterable<string>): SessionContents {
  const reader = new SessionReader();
  for (const line of typeof lines === 'string' ? lines.split('\n') : lines) reader.read(line);
  return reader.contents;
}

/** Reads a session as `readSession` does, but in slices, because a long session would block the host. */
export async function readSessionInSlices(lines: Iterable<string>, slices: Slices): Promise<SessionContents> {
  const reader = new SessionReader();
  for (const line of lines) {
    reader.read(line);
    if (slices.isOver) await slices.next();
  }
  return reader.contents;
}

/** Reads a session line by line. */
class SessionReader {
  private header: SessionHeader | undefined;
  private title: string | undefined;
  private readonly toolHistory: ToolsFrom[] = [];
  private toolSet: ToolSet = { tools: [] };
  private lastTurn: TurnEvent | undefined;
  private unfinished: { messageId: string; text: string } | undefined;
  private queue: readonly string[] = [];
  private readonly edits = new Map<string, EditsEvent>();
  private readonly exchanges: ExchangeEvent[] = [];
  private history: RecordedHistory | undefined;
  /** A history whose record has not come yet. */
  private nextHistory: HistoryEvent | undefined;
  private readonly entries: TranscriptEntry[] = [];
  private readonly ids = new Set<string>();
  /** Ids of messages added by compactions. */
  private readonly brought = new Set<string>();
  private time = unknownTime;
  private readonly problems: string[] = [];
  private lines = 0;

  read(line: string): void {
    const number = ++this.lines;
    if (line.trim() === '') return;
    const read = readEvent(line, this.time);
    const objection = typeof read === 'string' ? read : objectionToEvent(read.event, this.ids, this.brought);
    if (typeof read === 'string' || objection !== undefined) {
      this.problems.push(problemAt(number, objection ?? ''));
      return;
    }
    for (const name of read.leftOut) {
      this.problems.push(`Of line ${number}, ${name} was skipped: it is not what it should be.`);
    }
    this.take(read.event);
  }

  get contents(): SessionContents {
    const { header, title, toolSet, toolHistory, entries, unfinished, lastTurn, queue, edits } = this;
    const { exchanges, history } = this;
    const isNewer = (header?.version ?? sessionVersion) > sessionVersion;
    return {
      header,
      isNewer,
      title,
      tools: toolSet.tools,
      toolSet,
      toolHistory,
      entries,
      unfinished,
      lastTurn,
      queue,
      edits: [...edits.values()],
      exchanges,
      history,
      problems: isNewer ? [newerVersion, ...this.problems] : this.problems,
    };
  }

  private take(event: SessionEvent): void {
    if (event.type === 'session') this.header = event;
    else if (event.type === 'title') this.title = event.title;
    else if (event.type === 'tools') {
      this.toolSet = toolSetOf(event);
      this.toolHistory.push({ entries: this.entries.length, tools: this.toolSet.tools });
    } else if (event.type === 'turn') this.lastTurn = event;
    else if (event.type === 'queue') this.queue = event.texts;
    else if (event.type === 'edits') this.edits.set(event.turnId, event);
    else if (event.type === 'exchange') this.exchanges.push(event);
    else if (event.type === 'history') {
      if (event.recordId === undefined) this.takeHistory(event);
      else this.nextHistory = event;
    } else if (event.type === 'partial') {
      // A complete message replaces its streamed pieces.
      if (this.ids.has(event.messageId) || this.brought.has(event.messageId)) return;
      const earlier = this.unfinished?.messageId === event.messageId ? this.unfinished.text : '';
      this.unfinished = { messageId: event.messageId, text: earlier + event.text };
    } else this.takeEntry(event);
  }

  private takeEntry(entry: TranscriptEntry): void {
    const id = idOf(entry);
    if (id !== undefined) this.ids.add(id);
    if (entry.type === 'message') this.time = entry.message.createdAt;
    if (entry.type === 'compaction') for (const output of entry.record.outputs) this.brought.add(output.id);
    this.entries.push(entry);
    const next = this.nextHistory;
    if (next !== undefined && next.recordId === id) this.takeHistory(next);
    this.lastTurn = undefined;
    if (id === this.unfinished?.messageId) this.unfinished = undefined;
  }

  private takeHistory({ messageIds, keys = {} }: HistoryEvent): void {
    this.history = { messageIds, keys, entries: this.entries.length };
    this.nextHistory = undefined;
  }
}

/**
 * Returns the reason why an event cannot follow the events before it, or undefined.
 *
 * @param ids ids of messages and records
 * @param brought ids of messages added by compactions
 */
function objectionToEvent(
  event: SessionEvent,
  ids: ReadonlySet<string>,
  brought: ReadonlySet<string>,
): string | undefined {
  if (!isEntry(event)) return undefined;
  const objection = objectionTo(
    event,
    (id) => ids.has(id),
    (id) => brought.has(id),
  )?.english;
  if (objection !== undefined || event.type !== 'compaction') return objection;
  return objectionToOutputs(event.record, (id) => ids.has(id) || brought.has(id));
}

/** Checks that each added message has a new id, unless it rewrites a message under the same id. */
function objectionToOutputs(
  { actions, outputs }: CompactionRecord,
  isTaken: (id: string) => boolean,
): string | undefined {
  const rewritten = new Set(
    actions.flatMap(({ outputId, sourceIds }) => (sourceIds.includes(outputId ?? '') ? [outputId] : [])),
  );
  const brought = new Set<string>();
  for (const { id } of outputs) {
    if (brought.has(id) || (!rewritten.has(id) && isTaken(id))) return `The transcript already has ${id}.`;
    brought.add(id);
  }
  return undefined;
}
