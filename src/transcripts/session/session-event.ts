import type { EditedFile, ToolSchema } from '../../compaction/messages/message.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import type { Exchange } from '../reading/transcript-format.ts';
import type { StoredSentence } from '../../language/sentence.ts';

/**
 * An event of a session file. The file consists of JSON lines with one event each; lines are only appended. The first
 * line names the session; the others are transcript entries and related events.
 */
export type SessionEvent =
  | SessionHeader
  | TranscriptEntry
  | { readonly type: 'title'; readonly title: string }
  | ToolsEvent
  | PartialEvent
  | TurnEvent
  | QueueEvent
  | EditsEvent
  | ExchangeEvent
  | HistoryEvent;

export function isEntry(event: SessionEvent): event is TranscriptEntry {
  return ['message', 'compaction', 'undo', 'restore', 'pin', 'mark'].includes(event.type);
}

/** Version that this program writes. */
export const sessionVersion = 1;

export interface SessionHeader {
  readonly type: 'session';
  /** A whole number from 1. A file with a higher version is read-only. */
  readonly version: number;
  readonly id: string;
  /** Time in ISO 8601. */
  readonly createdAt: string;
  /** Sub-agents only: the session that started the sub-agent, and the call in that session. */
  readonly parent?: { readonly sessionId: string; readonly callKey: string };
  /** Recordings of the proxy only: the client whose requests were recorded. */
  readonly wire?: WireOrigin;
}

/** The client of a recorded conversation. */
export interface WireOrigin {
  /** Protocol of the requests. */
  readonly api: string;
  /** Id of the agent; absent for another program. */
  readonly client?: string;
  /** Id that the client gave its session. */
  readonly session?: string;
  /** Folder in which the proxy was started. */
  readonly folder?: string;
  /** True for a request outside the conversation, such as for a title. */
  readonly isSide?: boolean;
}

/** The tools of a session. Optional fields are absent if empty, and in sessions of earlier versions. */
export interface ToolSet {
  /** Schemas sent with requests. */
  readonly tools: readonly ToolSchema[];
  /** Schemas of tools that requests do not include, because they are switched off or found on demand. */
  readonly aside?: readonly ToolSchema[];
  /** MCP servers by the names of their tools. */
  readonly servers?: Readonly<Record<string, string>>;
  readonly off?: SwitchedOff;
}

/** Names of the tools and MCP servers that the user switched off for a chat. */
export interface SwitchedOff {
  readonly tools: readonly string[];
  readonly servers: readonly string[];
}

/** The tools that are used from this event on. */
export interface ToolsEvent extends ToolSet {
  readonly type: 'tools';
}

export function toolSetOf({ type: _type, ...toolSet }: ToolsEvent): ToolSet {
  return toolSet;
}

/** Text of a reply that is still being streamed, written before it is shown. */
export interface PartialEvent {
  readonly type: 'partial';
  /** Id of the message to which the text will belong. */
  readonly messageId: string;
  readonly text: string;
}

/** The end of a turn that was stopped or failed. */
export interface TurnEvent {
  readonly type: 'turn';
  readonly outcome: 'stopped' | 'failed';
  /** Message for the user in one or two sentences, in English if this program wrote it. */
  readonly message: string;
  /** The message as a sentence to translate; absent for text of other programs, and in earlier versions' sessions. */
  readonly sentence?: StoredSentence;
}

/** All messages in the queue, typed while the agent worked. Only the newest such event is valid. */
interface QueueEvent {
  readonly type: 'queue';
  readonly texts: readonly string[];
}

/** Changes of files by the agent in a turn, or their undoing. Only the newest event of a turn is valid. */
export interface EditsEvent {
  readonly type: 'edits';
  /** Id of the message that began the turn. */
  readonly turnId: string;
  readonly files: readonly EditedFile[];
  readonly isUndone: boolean;
}

/** A request that the proxy passed on, and its response. */
export interface ExchangeEvent extends Exchange {
  readonly type: 'exchange';
}

/**
 * The history of the proxy's client after the client changed messages that it had sent before. Messages that follow in
 * the file follow in the history, too. It precedes the record of the change.
 */
export interface HistoryEvent {
  readonly type: 'history';
  readonly messageIds: readonly string[];
  /** Hashes of messages that the client sends in another form than the transcript first had them, by id. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Id of the record, without which the event does not count; absent if the view stayed the same. */
  readonly recordId?: string;
}
