import type { EditedFile, ToolSchema } from '../../compaction/messages/message.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import type { StoredSentence } from '../../language/sentence.ts';

/**
 * A session file: JSON lines, one event each, only ever appended to. The first line names the session; the others
 * are transcript entries and what happened around them.
 */
export type SessionEvent =
  | SessionHeader
  | TranscriptEntry
  | { readonly type: 'title'; readonly title: string }
  | ToolsEvent
  | PartialEvent
  | TurnEvent
  | QueueEvent
  | EditsEvent;

/** True if an event is part of the transcript. */
export function isEntry(event: SessionEvent): event is TranscriptEntry {
  return ['message', 'compaction', 'undo', 'restore', 'pin', 'mark'].includes(event.type);
}

/** The version that this program writes. */
export const sessionVersion = 1;

export interface SessionHeader {
  readonly type: 'session';
  /** A whole number from 1. A file of a higher one than ours is only read, never written. */
  readonly version: number;
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Sub-agents only: the session that started it, and the call in it. */
  readonly parent?: { readonly sessionId: string; readonly callKey: string };
}

/** The tools of a session. What is optional is absent if it is empty, and in sessions of earlier versions. */
export interface ToolSet {
  /** Schemas that requests carry. */
  readonly tools: readonly ToolSchema[];
  /** Schemas of tools that are offered and left out of requests: switched off, or found on demand. */
  readonly aside?: readonly ToolSchema[];
  /** The MCP servers of the tools that have one, by the name of the tool. */
  readonly servers?: Readonly<Record<string, string>>;
  readonly off?: SwitchedOff;
}

/** Names of the tools and MCP servers that a person switched off for a chat. */
export interface SwitchedOff {
  readonly tools: readonly string[];
  readonly servers: readonly string[];
}

/** Tools that count from here on. */
export interface ToolsEvent extends ToolSet {
  readonly type: 'tools';
}

export function toolSetOf({ type: _type, ...toolSet }: ToolsEvent): ToolSet {
  return toolSet;
}

/** Text of a reply that is still being streamed, written before it is shown. */
export interface PartialEvent {
  readonly type: 'partial';
  /** The message that will hold it. */
  readonly messageId: string;
  readonly text: string;
}

/** The end of a turn that was stopped or failed. */
export interface TurnEvent {
  readonly type: 'turn';
  readonly outcome: 'stopped' | 'failed';
  /** One or two sentences for a person. In English if it is a sentence of this program. */
  readonly message: string;
  /** Absent for the words of others, and in sessions of earlier versions. */
  readonly sentence?: StoredSentence;
}

/** All messages typed while the agent worked and not yet sent; the newest such event counts. */
interface QueueEvent {
  readonly type: 'queue';
  readonly texts: readonly string[];
}

/** The agent's file changes in a turn, or the fact that they were undone; the newest event of a turn counts. */
export interface EditsEvent {
  readonly type: 'edits';
  /** Id of the message that the turn began with. */
  readonly turnId: string;
  readonly files: readonly EditedFile[];
  readonly isUndone: boolean;
}
