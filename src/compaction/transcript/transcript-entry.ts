import type { MarkedAs } from '../messages/ledger.ts';
import type { Message, ToolSchema } from '../messages/message.ts';
import type { CompactionRecord } from '../records/record.ts';

export type TranscriptEntry =
  MessageEntry | CompactionEntry | UndoEntry | RestoreEntry | PinEntry | MarkEntry;

export interface MessageEntry {
  readonly type: 'message';
  readonly message: Message;
}

interface CompactionEntry {
  readonly type: 'compaction';
  readonly record: CompactionRecord;
}

/** Reverts the named compactions from this entry on, as if they had never been applied. */
interface UndoEntry {
  readonly type: 'undo';
  /** Time in ISO 8601. */
  readonly createdAt: string;
  readonly recordIds: readonly string[];
}

/** Shows the named messages with their own text from this entry on, despite earlier compactions. */
interface RestoreEntry {
  readonly type: 'restore';
  readonly createdAt: string;
  readonly messageIds: readonly string[];
}

interface PinEntry {
  readonly type: 'pin';
  readonly createdAt: string;
  readonly messageIds: readonly string[];
  readonly pinned: boolean;
}

/** The user marked a sentence or took its newest mark back. */
export interface MarkEntry {
  readonly type: 'mark';
  readonly createdAt: string;
  readonly messageIds: readonly string[];
  readonly sentence: string;
  /** `struck`: not a fact. Absent if the newest mark is taken back. */
  readonly as?: MarkedAs | 'struck';
  readonly words?: string;
}

/** Tool schemas of all requests after one point of a session. */
export interface ToolsFrom {
  readonly entries: number;
  readonly tools: readonly ToolSchema[];
}

export type ToolHistory = readonly ToolsFrom[];

const noTools: readonly ToolSchema[] = [];

/** Uses one list for a whole session, for files that do not record changes of the tools. */
export function sameToolsThroughout(tools: readonly ToolSchema[]): ToolHistory {
  return [{ entries: 0, tools }];
}

/** Returns the tools of a request after a number of transcript entries. */
export function toolsAt(history: ToolHistory, entry: number): readonly ToolSchema[] {
  return history.findLast(({ entries }) => entries <= entry)?.tools ?? noTools;
}
