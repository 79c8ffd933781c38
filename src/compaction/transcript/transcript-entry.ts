import type { MarkedAs } from '../messages/ledger.ts';
import type { Message, ToolSchema } from '../messages/message.ts';
import type { CompactionRecord } from '../records/record.ts';

/** Events of a session, in the order they happened. */
export type TranscriptEntry =
  MessageEntry | CompactionEntry | UndoEntry | RestoreEntry | PinEntry | MarkEntry;

interface MessageEntry {
  readonly type: 'message';
  readonly message: Message;
}

interface CompactionEntry {
  readonly type: 'compaction';
  readonly record: CompactionRecord;
}

/** From here on the named compactions count as if they had never been applied. */
interface UndoEntry {
  readonly type: 'undo';
  /** ISO 8601. */
  readonly createdAt: string;
  readonly recordIds: readonly string[];
}

/** From here on the named messages are in the view with their own text, whatever earlier compactions did. */
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

/** The user marked a sentence, or took the newest mark of it back. */
export interface MarkEntry {
  readonly type: 'mark';
  readonly createdAt: string;
  /** Messages that say the sentence. */
  readonly messageIds: readonly string[];
  /** As it was said, white space folded. */
  readonly sentence: string;
  /** `struck`: it is no fact. Absent if the newest mark is taken back. */
  readonly as?: MarkedAs | 'struck';
  /** Words of the user in its place. */
  readonly words?: string;
}

/** Tool schemas that requests carried from a point of a session on. */
export interface ToolsFrom {
  /** Number of transcript entries before it. */
  readonly entries: number;
  readonly tools: readonly ToolSchema[];
}

/** The tool lists of a session, oldest first. */
export type ToolHistory = readonly ToolsFrom[];

const noTools: readonly ToolSchema[] = [];

/** One list for a whole session: all that is known of one whose file does not tell when its tools changed. */
export function sameToolsThroughout(tools: readonly ToolSchema[]): ToolHistory {
  return [{ entries: 0, tools }];
}

/**
 * The tools of a request.
 *
 * @param entry number of transcript entries before it
 */
export function toolsAt(history: ToolHistory, entry: number): readonly ToolSchema[] {
  return history.findLast(({ entries }) => entries <= entry)?.tools ?? noTools;
}
