import type { Kind } from '../../compaction/message.ts';
import type { Cost, Coverage, Fate, RecordStatus, Tier, TriggerSource } from '../../compaction/record.ts';
import type { CommandView, Completion, CompletionTrigger, Price, StrategyChoice } from './composing.ts';

/**
 * What the chat view and its host tell each other. The host owns the state: the view asks `ready`, gets one
 * snapshot with a revision, then changes with the revisions that follow; when a revision is missing it asks again.
 */

/** A line of the conversation. `id` never changes; everything else about a row may. */
export type ChatRow = UserRow | AssistantRow | ToolRow | EditsRow | CompactionRow | ErrorRow;

export interface UserRow {
  readonly type: 'user';
  /** Id of the message. */
  readonly id: string;
  readonly text: string;
  /** What was sent along with the text, in the order it was named in. */
  readonly attachments?: readonly AttachmentView[] | undefined;
  /** Undefined where the message cannot be pinned. */
  readonly isPinned?: boolean | undefined;
}

/** Something that goes along with a message. */
export interface AttachmentView {
  /** As a person types it, for example `@src/lock.ts:10-20`. */
  readonly label: string;
  readonly tokens: number;
  /** Undefined for what is no file. */
  readonly path?: string | undefined;
  /** Counted from 1, both included; undefined for all of them. */
  readonly lines?: { readonly first: number; readonly last: number } | undefined;
}

export interface AssistantRow {
  readonly type: 'assistant';
  /** Id of the message. */
  readonly id: string;
  readonly markdown: string;
  readonly reasoning: string;
  readonly state: 'streaming' | 'done' | 'stopped';
  /** Undefined where the message cannot be pinned, or not yet. */
  readonly isPinned?: boolean | undefined;
}

export interface ToolRow {
  readonly type: 'tool';
  readonly id: string;
  readonly tool: string;
  /** The call in a few words, for example a path. */
  readonly label: string;
  /** `waiting`: for a person's approval. `declined`: not allowed by a person. */
  readonly state: 'running' | 'waiting' | 'done' | 'failed' | 'declined' | 'interrupted';
  /** Tokens of the result; undefined while it runs. */
  readonly tokens?: number | undefined;
  /** The beginning of the result; the whole is sent on request. */
  readonly preview: string;
  readonly isClipped: boolean;
  /** What the person is asked, while it waits. */
  readonly approval?: ApprovalView | undefined;
  /** What a running action has put out so far, its end only. Grows by `output` changes. */
  readonly output?: string | undefined;
  /** It can be stopped by itself. */
  readonly canStop?: boolean | undefined;
  /** One line on the whole of the result, for example `exit code 1`. */
  readonly summary?: string | undefined;
  readonly changes?: readonly FileChangeView[] | undefined;
  /** The sub-agents of a `delegate` call. */
  readonly shards?: readonly ShardView[] | undefined;
  /** Id of the message with the result; undefined as long as there is none. */
  readonly messageId?: string | undefined;
  /** Whether that message is pinned; undefined where it cannot be. */
  readonly isPinned?: boolean | undefined;
}

export type ApprovalKind = 'edit' | 'command' | 'mcp' | 'memory' | 'delegate';

/** What a person is asked before something is done. */
export interface ApprovalView {
  readonly kind: ApprovalKind;
  readonly title: string;
  /** A command or arguments, whole; empty where `changes` tells. */
  readonly details: string;
  readonly warning?: string | undefined;
  readonly changes: readonly FileChangeView[];
  /** What "this session" and "always" would allow; undefined where there is only "once". */
  readonly rule?: string | undefined;
}

/** A file in a change, with the changed lines. */
export interface FileChangeView {
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** The changed lines with a few around them, as a unified diff without headers; cut off where it is long. */
  readonly diff: string;
}

/** What the agent did to files in one turn. Stands at the end of the turn. */
export interface EditsRow {
  readonly type: 'edits';
  readonly id: string;
  readonly files: readonly Omit<FileChangeView, 'diff'>[];
  readonly isUndone: boolean;
}

/** A sub-agent. */
export interface ShardView {
  /** Id of its session. Empty until it has begun. */
  readonly sessionId: string;
  /** As the agent that started it calls it. */
  readonly name: string;
  readonly task: string;
  readonly dependsOn: readonly string[];
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped' | 'skipped';
  /** Tokens of its view. */
  readonly tokens: number;
  /** What it is doing now, in a few words, or how it ended. */
  readonly note: string;
}

/** A step of the agent's plan. */
export interface PlanStepView {
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'done';
}

/** A message typed while the agent works, which is said at the next opportunity. */
export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
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

/** What a compaction did, for its row to unfold. */
export interface RecordDetails {
  /** Each fate that befell any message, in the order of the view. */
  readonly fates: readonly FateCount[];
  /** `missing` may be cut off: `total − kept` are missing. */
  readonly coverage: Coverage;
  readonly cost: Cost;
  readonly tiers: readonly Tier[];
  /** Label of the model that wrote a summary. */
  readonly summaryModel?: string | undefined;
  readonly durationMs: number;
  readonly warnings: readonly string[];
}

export interface FateCount {
  readonly fate: Fate;
  /** Messages it befell; for `insert`, messages that came in. */
  readonly messages: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
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
  /** What the provider reported for the last request. */
  readonly reported?:
    { readonly inputTokens: number; readonly cachedInputTokens?: number | undefined } | undefined;
}

/** `approval`: nothing goes on until the person has answered. */
export type Activity = 'idle' | 'waiting' | 'streaming' | 'tools' | 'approval' | 'compacting';

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
  /** Oldest first. */
  readonly queue: readonly QueuedMessage[];
  /** Empty where the agent has no plan. */
  readonly plan: readonly PlanStepView[];
  /** False in Restricted Mode: the agent cannot read files. */
  readonly isTrusted: boolean;
  /** In the order people see. */
  readonly commands?: readonly CommandView[] | undefined;
  /** Strategies for "Other strategy…", which is not offered where there are none. */
  readonly strategies?: readonly StrategyChoice[] | undefined;
  /** Ids of the messages that are pinned, oldest first. */
  readonly pins?: readonly string[] | undefined;
}

export type ChatChange =
  | { readonly type: 'row'; readonly row: ChatRow }
  | { readonly type: 'text'; readonly id: string; readonly text: string }
  /** More of what a model thinks before it answers. */
  | { readonly type: 'reasoning'; readonly id: string; readonly text: string }
  /** More of what a running action puts out. */
  | { readonly type: 'output'; readonly id: string; readonly text: string }
  | { readonly type: 'row-removed'; readonly id: string }
  | { readonly type: 'state'; readonly state: Partial<Omit<ChatState, 'rows' | 'draft' | 'sessionId'>> };

/** From the host to the view. */
export type ChatNotification =
  | { readonly type: 'snapshot'; readonly revision: number; readonly state: ChatState }
  | { readonly type: 'changes'; readonly revision: number; readonly changes: readonly ChatChange[] }
  | { readonly type: 'tool-output'; readonly id: string; readonly text: string }
  /** What sending a text would take. */
  | ({ readonly type: 'price' } & Price)
  | {
      readonly type: 'completions';
      readonly trigger: CompletionTrigger;
      /** What was asked for. */
      readonly query: string;
      /** Best first. */
      readonly items: readonly Completion[];
    }
  | { readonly type: 'record'; readonly recordId: string; readonly details: RecordDetails }
  /** A text that could not be sent, to be written on. */
  | { readonly type: 'not-sent'; readonly text: string }
  /** A message is to be looked at. */
  | { readonly type: 'reveal'; readonly messageId: string }
  | { readonly type: 'focus' };

/** From the view to the host. */
export type ChatRequest =
  | { readonly type: 'ready' }
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'stop' }
  | { readonly type: 'retry' }
  /** What the person says to an action that waits. `feedback` goes with `reject`. */
  | {
      readonly type: 'decide';
      readonly id: string;
      readonly choice: 'once' | 'session' | 'always' | 'reject';
      readonly feedback?: string;
    }
  /** Opens what an action that waits or is done would do or did to a file, in the diff editor. */
  | { readonly type: 'review'; readonly id: string; readonly path: string }
  | { readonly type: 'stop-call'; readonly id: string }
  /** Takes a queued message back to the composer. */
  | { readonly type: 'unqueue'; readonly id: string }
  /** Says something else instead of an earlier message, in a new chat that has everything before it. */
  | { readonly type: 'edit-message'; readonly id: string; readonly text: string }
  | { readonly type: 'undo-edits'; readonly id: string }
  | { readonly type: 'open-shard'; readonly sessionId: string }
  /** Asks for a `price`. Only the newest text is of interest. */
  | { readonly type: 'price'; readonly text: string }
  /** Asks for `completions`. `query` is what stands behind the sign; for a command, all that was typed. */
  | { readonly type: 'complete'; readonly trigger: CompletionTrigger; readonly query: string }
  | { readonly type: 'pin'; readonly messageId: string; readonly isPinned: boolean }
  /** Asks for a `record`. */
  | { readonly type: 'record-summary'; readonly recordId: string }
  | { readonly type: 'draft'; readonly sessionId: string; readonly text: string }
  | { readonly type: 'tool-output'; readonly id: string }
  | { readonly type: 'open-inspector'; readonly recordId?: string }
  | { readonly type: 'undo'; readonly recordId: string }
  | { readonly type: 'compact-now' }
  /** Compacts now, once in another way: with attention to something, by another strategy than the one set. */
  | { readonly type: 'compact'; readonly focus?: string; readonly strategy?: string }
  /** The proposed compaction is not wanted now. */
  | { readonly type: 'decline-compaction' }
  | { readonly type: 'select-strategy' }
  | { readonly type: 'set-api-key' }
  | { readonly type: 'open-file'; readonly path: string; readonly line?: number }
  | { readonly type: 'open-link'; readonly url: string };
