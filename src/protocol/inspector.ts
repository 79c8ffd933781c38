import type { Outlook } from '../compaction/service/outlook.ts';
import type { Kind } from '../compaction/messages/message.ts';
import { count, fromHost, ifValid, integer, text } from './field-guards.ts';
import { budgetNotifications, budgetRequests, type TriggerRange } from './inspector-budget.ts';
import { compactionsRequests, coverageNotifications, diffNotifications } from './inspector-compactions.ts';
import { ledgerNotifications, ledgerRequests } from './inspector-ledger.ts';
import { previewRequests, type PreviewView } from './inspector-preview.ts';
import type { MessageView, RecordView } from './inspector-records.ts';
import { timelineNotifications, timelineRequests } from './inspector-timeline.ts';
import { viewsNotifications, viewsRequests } from './inspector-views.ts';
import { whatIfNotifications, whatIfRequests } from './inspector-what-if.ts';
import { type MessageOf, messages, parseMessage } from './messages.ts';
import { sharedRequests } from './shared-requests.ts';

/** Messages between the inspector and its host, tab by tab; snapshots and revisions as in the chat. */

/** The fill level of the window and the next automatic compaction. */
export interface UsageView extends Outlook {
  readonly tokens: number;
  readonly byKind: Readonly<Record<Kind, number>>;
  /** The share of the window that each kind is allotted, 0 to 1. */
  readonly allotted: Readonly<Record<Kind, number>>;
  readonly window?: number | undefined;
  /** The range of the trigger; undefined if no window is known. */
  readonly triggerRange?: TriggerRange | undefined;
  readonly target?: number | undefined;
  readonly reserved: number;
  /** The model has a tokenizer of its own, and another one stands in for it. */
  readonly isApproximate: boolean;
  /** The provider's last report, and the number of messages added since. */
  readonly reported?: { readonly tokens: number; readonly messagesSince: number } | undefined;
  /** For a session of another agent: its fill, including tokens that are not in its file. */
  readonly fullness?: FullnessView | undefined;
}

/** The fill of another agent's context, in tokens. */
export interface FullnessView {
  readonly tokens: number;
  /** From the provider's report on the last request, or from our count. */
  readonly basis: 'reported' | 'counted';
  /** Larger windows that also fit the session. */
  readonly alternatives: readonly number[];
  /** Size at which the agent compacts automatically. */
  readonly compactsAt?: number | undefined;
  /** Tokens that are not in the file, and the agent version of the measurement if the session does not provide them. */
  readonly unseen?: { readonly tokens: number; readonly measuredWith?: string | undefined } | undefined;
}

/** Counts that providers reported for a session opened from a file, next to ours. */
export interface ReportView {
  /** The last request that was reported on, in tokens of its input. */
  readonly counted: number;
  readonly reported: number;
  /** Parts of every request that the file lacks: the reason for the difference. */
  readonly missing: readonly ('system' | 'tools')[];
  /** Of the reported input, the share that came from the provider's cache, 0 to 1. */
  readonly cachedShare?: number | undefined;
  /** Dollars, of the requests whose cost is known. */
  readonly dollars?: number | undefined;
  /** The cost of some requests is unknown. */
  readonly isPartOfCost: boolean;
}

/** Dollars spent on a chat so far, where prices are known; `total` is the sum of the others. */
export interface CostView {
  readonly total: number;
  readonly requests: number;
  readonly summaries: number;
  readonly subAgents: number;
  /** The cost of something is unknown, or a cache may have cost more. */
  readonly isAtLeast: boolean;
}

/** Something else to look at in the picker: a sub-agent of the chat, or a transcript that was opened. */
export interface SessionChoice {
  readonly sessionId: string;
  readonly name: string;
  /** Undefined for a session of another agent that is not live. */
  readonly state?: 'running' | 'done' | 'failed' | 'stopped' | 'live' | undefined;
  /** Tokens of its context; undefined for a conversation in a file that has not been read. */
  readonly tokens?: number | undefined;
  /** Of a conversation other than the one in force in the file of another agent: what it is. */
  readonly kind?: 'branch' | 'sub-agent' | undefined;
}

export interface InspectorState {
  /** The session that is shown: the chat, or one of its sub-agents. */
  readonly sessionId: string;
  readonly chatId: string;
  /** Oldest first. */
  readonly otherSessions: readonly SessionChoice[];
  /** Messages of the sub-agent that is shown. A chat's own are in the chat. */
  readonly messageCount?: number | undefined;
  readonly title: string;
  /** Empty if it is unknown. */
  readonly model: string;
  readonly strategy: string;
  /** A compaction is running now. */
  readonly isCompacting: boolean;
  readonly usage: UsageView;
  /** Undefined if no price is known. */
  readonly cost?: CostView | undefined;
  /** Sessions that were opened from a file only. */
  readonly report?: ReportView | undefined;
  /** Newest first. */
  readonly records: readonly RecordView[];
  /** A compaction that is looked at before it counts. */
  readonly preview?: PreviewView | undefined;
  /** Sentences of the session can be marked; false if left out. */
  readonly canMark?: boolean | undefined;
}

/** Messages of a sub-agent, or one whole text. */
export const messagesNotifications = messages({
  messages: {
    sessionId: fromHost<string>(),
    /** Position of the first one. */
    from: count,
    /** As many as are sent at once. */
    messages: fromHost<readonly MessageView[]>(),
  },
  'message-text': {
    sessionId: fromHost<string>(),
    messageId: fromHost<string>(),
    text: fromHost<string>(),
  },
});

export type MessagesNotification = MessageOf<typeof messagesNotifications>;

/** Notifications of the tabs that do not show a record. */
const tabsNotifications = messages({
  ...budgetNotifications,
  ...timelineNotifications,
  ...ledgerNotifications,
  ...viewsNotifications,
});

export type TabsNotification = MessageOf<typeof tabsNotifications>;

/** From the host to the page. */
export const inspectorNotifications = messages({
  snapshot: { revision: count, state: fromHost<InspectorState>() },
  select: { recordId: fromHost<string>() },
  /** Goes to the next change of the diff, or to the previous one. */
  step: { by: fromHost<1 | -1>() },
  ...messagesNotifications,
  ...diffNotifications,
  ...coverageNotifications,
  ...whatIfNotifications,
  ...tabsNotifications,
});

export type InspectorNotification = MessageOf<typeof inspectorNotifications>;

/** Requests about the session that is shown. */
export const sessionRequests = messages({
  ready: { sessionId: ifValid(text) },
  /** Shows the chat, or one of its sub-agents. */
  'show-session': { sessionId: text },
  messages: { sessionId: text, from: count },
  'message-text': { sessionId: text, messageId: text },
  compact: sharedRequests.compact,
  preview: sharedRequests.preview,
  hide: sharedRequests.hide,
  show: sharedRequests.show,
  'compact-part': sharedRequests['compact-part'],
  rewind: sharedRequests.rewind,
  'select-strategy': sharedRequests['select-strategy'],
});

/** Requests about a diff, by the id of its record, or of two views. */
export const diffRequests = messages({
  diff: { recordId: text },
  sources: { recordId: text, index: integer },
  texts: { recordId: text, messageId: text },
  'open-diff-editor': { recordId: text, messageId: text },
  undo: sharedRequests.undo,
  restore: { messageId: text },
});

/** Requests of the tabs about compactions, made or tried. One host answers them. */
export const recordsRequests = messages({ ...compactionsRequests, ...whatIfRequests, ...previewRequests });

export type RecordsRequest = MessageOf<typeof recordsRequests>;

/** Requests of the other tabs. One host answers them. */
export const tabsRequests = messages({
  ...budgetRequests,
  ...timelineRequests,
  ...ledgerRequests,
  ...viewsRequests,
});

export type TabsRequest = MessageOf<typeof tabsRequests>;

/** From the page to the host. */
export const inspectorRequests = messages({
  ...sessionRequests,
  ...diffRequests,
  ...recordsRequests,
  ...tabsRequests,
});

export type InspectorRequest = MessageOf<typeof inspectorRequests>;

/** Reads a request from the inspector; undefined if it is none. */
export function parseInspectorRequest(value: unknown): InspectorRequest | undefined {
  return parseMessage(inspectorRequests, value);
}
