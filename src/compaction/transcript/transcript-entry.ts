import type { Message } from '../messages/message.ts';
import type { CompactionRecord } from '../records/record.ts';

/** Events of a session, in the order they happened. */
export type TranscriptEntry = MessageEntry | CompactionEntry | UndoEntry | RestoreEntry | PinEntry;

export interface MessageEntry {
  readonly type: 'message';
  readonly message: Message;
}

export interface CompactionEntry {
  readonly type: 'compaction';
  readonly record: CompactionRecord;
}

/** From here on the named compactions count as if they had never been applied. */
export interface UndoEntry {
  readonly type: 'undo';
  /** ISO 8601. */
  readonly createdAt: string;
  readonly recordIds: readonly string[];
}

/** From here on the named messages are in the view with their own text, whatever earlier compactions did. */
export interface RestoreEntry {
  readonly type: 'restore';
  readonly createdAt: string;
  readonly messageIds: readonly string[];
}

export interface PinEntry {
  readonly type: 'pin';
  readonly createdAt: string;
  readonly messageIds: readonly string[];
  readonly pinned: boolean;
}
