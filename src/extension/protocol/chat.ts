import type { Kind } from '../../compaction/message.ts';
import type { RecordStatus, TriggerSource } from '../../compaction/record.ts';

/**
 * What the chat view and its host tell each other. The host owns the state: the view asks `ready`, gets one
 * snapshot with a revision, then changes with the revisions that follow; when a revision is missing it asks again.
 */

/** A line of the conversation. `id` never changes; everything else about a row may. */
export type ChatRow =
  | { readonly type: 'user'; readonly id: string; readonly text: string }
  | AssistantRow
  | ToolRow
  | CompactionRow
  | ErrorRow;

export interface AssistantRow {
  readonly type: 'assistant';
  readonly id: string;
  readonly markdown: string;
  readonly reasoning: string;
  readonly state: 'streaming' | 'done' | 'stopped';
}

export interface ToolRow {
  readonly type: 'tool';
  readonly id: string;
  readonly tool: string;
  /** The call in a few words, for example a path. */
  readonly label: string;
  readonly state: 'running' | 'done' | 'failed' | 'interrupted';
  /** Tokens of the result; undefined while it runs. */
  readonly tokens?: number | undefined;
  /** The beginning of the result; the whole is sent on request. */
  readonly preview: string;
  readonly isClipped: boolean;
}

export interface CompactionRow {
  readonly type: 'compaction';
  /** Id of the record. */
  readonly id: string;
  readonly strategy: string;
  /** What was asked for, where another strategy stood in for it. */
  readonly requestedStrategy?: string | undefined;
  readonly status: RecordStatus;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** One sentence, for anything but `applied`. */
  readonly reason?: string | undefined;
  readonly isUndone: boolean;
}

export interface ErrorRow {
  readonly type: 'error';
  readonly id: string;
  readonly message: string;
  readonly canRetry: boolean;
}

/** How full the window is. All numbers in tokens. */
export interface Meter {
  readonly tokens: number;
  readonly byKind: Readonly<Record<Kind, number>>;
  readonly window?: number | undefined;
  readonly trigger?: number | undefined;
  readonly reserved: number;
  /** Automatic compaction stopped after repeated failures. */
  readonly isBreakerOpen: boolean;
}

export type Activity = 'idle' | 'waiting' | 'streaming' | 'tools' | 'compacting';

export interface ModelInfo {
  readonly label: string;
  readonly isOffline: boolean;
}

export interface ChatState {
  readonly sessionId: string;
  readonly title: string;
  readonly rows: readonly ChatRow[];
  readonly activity: Activity;
  readonly meter: Meter;
  /** What calls for a compaction that the person is asked about; null where there is no question. */
  readonly proposal: TriggerSource | null;
  readonly model: ModelInfo;
  /** Id of the strategy that is set. */
  readonly strategy: string;
  readonly draft: string;
  /** False in Restricted Mode: the agent cannot read files. */
  readonly isTrusted: boolean;
}

export type ChatChange =
  | { readonly type: 'row'; readonly row: ChatRow }
  | { readonly type: 'text'; readonly id: string; readonly text: string }
  | { readonly type: 'row-removed'; readonly id: string }
  | { readonly type: 'state'; readonly state: Partial<Omit<ChatState, 'rows' | 'draft' | 'sessionId'>> };

/** From the host to the view. */
export type ChatNotification =
  | { readonly type: 'snapshot'; readonly revision: number; readonly state: ChatState }
  | { readonly type: 'changes'; readonly revision: number; readonly changes: readonly ChatChange[] }
  | { readonly type: 'tool-output'; readonly id: string; readonly text: string }
  /** A text that could not be sent, to be written on. */
  | { readonly type: 'not-sent'; readonly text: string }
  | { readonly type: 'focus' };

/** From the view to the host. */
export type ChatRequest =
  | { readonly type: 'ready' }
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'stop' }
  | { readonly type: 'retry' }
  | { readonly type: 'draft'; readonly sessionId: string; readonly text: string }
  | { readonly type: 'tool-output'; readonly id: string }
  | { readonly type: 'open-inspector'; readonly recordId?: string }
  | { readonly type: 'undo'; readonly recordId: string }
  | { readonly type: 'compact-now' }
  /** The proposed compaction is not wanted now. */
  | { readonly type: 'decline-compaction' }
  | { readonly type: 'select-strategy' }
  | { readonly type: 'set-api-key' }
  | { readonly type: 'open-file'; readonly path: string; readonly line?: number }
  | { readonly type: 'open-link'; readonly url: string };
