import type { Outlook } from '../compaction/service/outlook.ts';
import type { Kind } from '../compaction/messages/message.ts';
import type { BudgetNotification, BudgetRequest, TriggerRange } from './inspector-budget.ts';
import type { CompactionsNotification, CompactionsRequest } from './inspector-compactions.ts';
import type { LedgerNotification, LedgerRequest } from './inspector-ledger.ts';
import type { DiffRowView, MessageView, RecordView } from './inspector-records.ts';
import type { TimelineNotification, TimelineRequest } from './inspector-timeline.ts';
import type { WhatIfNotification, WhatIfRequest } from './inspector-what-if.ts';

/** What the inspector and its host tell each other; snapshots and revisions as in the chat protocol. */

/** How full the window is, and what compacts by itself next. */
export interface UsageView extends Outlook {
  readonly tokens: number;
  readonly byKind: Readonly<Record<Kind, number>>;
  readonly window?: number | undefined;
  /** Where a person can put the trigger; undefined where no window is known. */
  readonly triggerRange?: TriggerRange | undefined;
  readonly target?: number | undefined;
  readonly reserved: number;
  /** The model has a tokenizer of its own, and another one stands in for it. */
  readonly isApproximate: boolean;
  /** What the provider last reported, and how many messages were added since. */
  readonly reported?: { readonly tokens: number; readonly messagesSince: number } | undefined;
}

/** What providers reported of a session that was opened from a file, beside our count. */
export interface ReportView {
  /** The last request that was reported on, in tokens of its input. */
  readonly counted: number;
  readonly reported: number;
  /** What every request carries and the file does not hold: the reason for the difference. */
  readonly missing: readonly ('system' | 'tools')[];
  /** Of the reported input, the share that came from the provider's cache, 0 to 1. */
  readonly cachedShare?: number | undefined;
  /** Dollars, of the requests whose cost is known. */
  readonly dollars?: number | undefined;
  /** There are requests whose cost nobody knows. */
  readonly isPartOfCost: boolean;
}

/** Something else to look at in the picker: a sub-agent of the chat, or a transcript that was opened. */
export interface SessionChoice {
  readonly sessionId: string;
  readonly name: string;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  /** Tokens of its view; undefined for a conversation of a file that was not looked at yet. */
  readonly tokens?: number | undefined;
  /** Of a conversation beside the one in force in the file of another agent: what it is. */
  readonly kind?: 'branch' | 'sub-agent' | undefined;
}

export interface InspectorState {
  /** What is shown: the chat, or one of its sub-agents. */
  readonly sessionId: string;
  readonly chatId: string;
  /** Oldest first. */
  readonly otherSessions: readonly SessionChoice[];
  /** Messages of the sub-agent that is shown. A chat's own are in the chat. */
  readonly messageCount?: number | undefined;
  readonly title: string;
  /** Empty where nobody knows it. */
  readonly model: string;
  readonly strategy: string;
  /** A compaction is running now. */
  readonly isCompacting: boolean;
  readonly usage: UsageView;
  /** Sessions that were opened from a file only. */
  readonly report?: ReportView | undefined;
  /** Newest first. */
  readonly records: readonly RecordView[];
}

/** From the host to the inspector. */
export type InspectorNotification =
  | { readonly type: 'snapshot'; readonly revision: number; readonly state: InspectorState }
  | { readonly type: 'diff'; readonly recordId: string; readonly rows: readonly DiffRowView[] }
  | {
      readonly type: 'sources';
      readonly recordId: string;
      readonly index: number;
      readonly sources: readonly MessageView[];
    }
  | {
      readonly type: 'texts';
      readonly recordId: string;
      readonly messageId: string;
      readonly before: string;
      /** Undefined where nothing stands for the message any more. */
      readonly after?: string | undefined;
    }
  /** Some messages of a sub-agent, as many as go at once. */
  | {
      readonly type: 'messages';
      readonly sessionId: string;
      /** Position of the first one. */
      readonly from: number;
      readonly messages: readonly MessageView[];
    }
  | {
      readonly type: 'message-text';
      readonly sessionId: string;
      readonly messageId: string;
      readonly text: string;
    }
  | { readonly type: 'select'; readonly recordId: string }
  | BudgetNotification
  | TimelineNotification
  | CompactionsNotification
  | WhatIfNotification
  | LedgerNotification;

/** From the inspector to the host. */
export type InspectorRequest =
  | { readonly type: 'ready'; readonly sessionId?: string }
  /** Shows the chat, or one of its sub-agents. */
  | { readonly type: 'show-session'; readonly sessionId: string }
  | { readonly type: 'messages'; readonly sessionId: string; readonly from: number }
  | { readonly type: 'message-text'; readonly sessionId: string; readonly messageId: string }
  | { readonly type: 'diff'; readonly recordId: string }
  | { readonly type: 'sources'; readonly recordId: string; readonly index: number }
  | { readonly type: 'texts'; readonly recordId: string; readonly messageId: string }
  | { readonly type: 'undo'; readonly recordId: string }
  | { readonly type: 'restore'; readonly messageId: string }
  | { readonly type: 'open-diff-editor'; readonly recordId: string; readonly messageId: string }
  | { readonly type: 'compact-now' }
  | { readonly type: 'select-strategy' }
  | BudgetRequest
  | TimelineRequest
  | CompactionsRequest
  | WhatIfRequest
  | LedgerRequest;
