import type { Outlook } from '../compaction/service/outlook.ts';
import type { Kind } from '../compaction/messages/message.ts';
import type { TriggerSource } from '../compaction/records/record.ts';
import type { ChatRow, CommandReach, PlanStepView, QueuedMessage, RecordDetails } from './chat-rows.ts';
import type { CommandView, Completion, CompletionTrigger, Price, StrategyChoice } from './composing.ts';

/**
 * What the chat view and its host tell each other. The host owns the state: the view asks `ready`, gets one
 * snapshot with a revision, then changes with the revisions that follow; when a revision is missing it asks again.
 */

/** How full the window is, and what compacts by itself next. Sizes in tokens. */
export interface Meter extends Outlook {
  readonly tokens: number;
  readonly byKind: Readonly<Record<Kind, number>>;
  readonly window?: number | undefined;
  readonly reserved: number;
  /** Automatic summaries are paused after repeated failures. */
  readonly isBreakerOpen: boolean;
  /** Automatic summaries are paused because this chat has spent on them what it may. */
  readonly isSpendingLimitReached: boolean;
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

/** Why a chat can only be looked at. */
export interface ReadOnlyView {
  readonly reason: 'other-window' | 'newer-version';
  /** What the other window is called; empty where it has no name. */
  readonly window: string;
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
  /** Absent where the chat can be carried on. */
  readonly readOnly?: ReadOnlyView | undefined;
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
      /** How far a command may get; as far as it asks where it is left out. */
      readonly reach?: CommandReach;
    }
  /** Opens what an action that waits or is done would do or did to a file, in the diff editor. */
  | { readonly type: 'review'; readonly id: string; readonly path: string }
  | { readonly type: 'stop-call'; readonly id: string }
  /** Takes a queued message back to the composer. */
  | { readonly type: 'unqueue'; readonly id: string }
  /** Says something else instead of an earlier message, in a new chat that has everything before it. */
  | { readonly type: 'edit-message'; readonly id: string; readonly text: string }
  /** Goes on with a chat that is open in another window, which lets go of it. */
  | { readonly type: 'take-over' }
  /** Goes on with everything so far in a chat of its own. */
  | { readonly type: 'fork' }
  | { readonly type: 'undo-edits'; readonly id: string }
  | { readonly type: 'open-sub-agent'; readonly sessionId: string }
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
