import type { CompactionForecast } from '../compaction/service/compaction-forecast.ts';
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

/** Messages between the inspector and its host, by tab. Snapshots and revisions work as in the chat. */

/** The fill level of the window and the next automatic compaction. */
export interface UsageView extends CompactionForecast {
  readonly tokens: number;
  readonly byKind: Readonly<Record<Kind, number>>;
  /** The share of the window that each kind may take, 0 to 1. */
  readonly allotted: Readonly<Record<Kind, number>>;
  readonly window?: number | undefined;
  /** The range in which the trigger can be set; undefined if the window is unknown. */
  readonly triggerRange?: TriggerRange | undefined;
  readonly target?: number | undefined;
  readonly reserved: number;
  /** True if the model has its own tokenizer but tokens are counted with another tokenizer. */
  readonly isApproximate: boolean;
  /** The tokens in the provider's last report, and the number of messages added since then. */
  readonly reported?: { readonly tokens: number; readonly messagesSince: number } | undefined;
  /** Fill of another agent's context, including tokens that are not in its file. */
  readonly fullness?: FullnessView | undefined;
}

/** The fill of another agent's context, in tokens. */
export interface FullnessView {
  readonly tokens: number;
  /** Source of the tokens: the provider's report on the last request, or our count. */
  readonly basis: 'reported' | 'counted';
  /** Larger windows that also fit the session. */
  readonly alternatives: readonly number[];
  /** Size at which the agent compacts automatically, in tokens. */
  readonly compactsAt?: number | undefined;
  /** Tokens that are not in the file. `measuredWith` is the agent version if we measured them ourselves. */
  readonly unseen?: { readonly tokens: number; readonly measuredWith?: string | undefined } | undefined;
}

/** Provider reports and our counts for a session opened from a file. */
export interface ReportView {
  /** Our count of the input tokens of the last request that has a report. */
  readonly counted: number;
  readonly reported: number;
  /** Parts that every request contains but the file does not, which explain the difference. */
  readonly missing: readonly ('system' | 'tools')[];
  /** Share of the reported input that came from the provider's cache, from 0 to 1. */
  readonly cachedShare?: number | undefined;
  /** Dollars for the requests whose cost is known. */
  readonly dollars?: number | undefined;
  /** True if the cost of some requests is unknown. */
  readonly isPartOfCost: boolean;
}

/** Dollars that a chat has cost so far, where prices are known. `total` is the sum of the other fields. */
export interface CostView {
  readonly total: number;
  readonly requests: number;
  readonly summaries: number;
  readonly subAgents: number;
  /** True if some costs are unknown, or the cache may have cost more. */
  readonly isAtLeast: boolean;
}

/** A choice in the picker: a sub-agent of the chat, or an opened transcript. */
export interface SessionChoice {
  readonly sessionId: string;
  readonly name: string;
  /** State of the session; undefined for another agent's session that is not live. */
  readonly state?: 'running' | 'done' | 'failed' | 'stopped' | 'live' | undefined;
  /** Tokens of the session's context; undefined for a conversation that was not read from its file. */
  readonly tokens?: number | undefined;
  /** Kind of another agent's conversation; undefined for the active conversation of a file. */
  readonly kind?: 'branch' | 'sub-agent' | undefined;
}

export interface InspectorState {
  /** Id of the displayed session: the chat, or one of its sub-agents. */
  readonly sessionId: string;
  readonly chatId: string;
  /** Sessions that the picker offers, oldest first. */
  readonly otherSessions: readonly SessionChoice[];
  /** Number of messages of the displayed sub-agent; absent for the chat, which shows its own messages. */
  readonly messageCount?: number | undefined;
  readonly title: string;
  /** Product name of the agent; undefined for our own chats and for a file of no agent. */
  readonly agent?: string | undefined;
  /** Name of the model; empty if unknown. */
  readonly model: string;
  readonly strategy: string;
  readonly isCompacting: boolean;
  readonly usage: UsageView;
  /** Cost of the chat; undefined if no price is known. */
  readonly cost?: CostView | undefined;
  /** Counts and costs of a session opened from a file. */
  readonly report?: ReportView | undefined;
  /** Compactions, newest first. */
  readonly records: readonly RecordView[];
  /** A compaction that is previewed before it is applied. */
  readonly preview?: PreviewView | undefined;
  /** True if sentences of the session can be marked; false by default. */
  readonly canMark?: boolean | undefined;
}

/** Messages of a sub-agent, or the whole text of one message. */
export const messagesNotifications = messages({
  messages: {
    sessionId: fromHost<string>(),
    /** Position of the first message. */
    from: count,
    messages: fromHost<readonly MessageView[]>(),
  },
  'message-text': {
    sessionId: fromHost<string>(),
    messageId: fromHost<string>(),
    text: fromHost<string>(),
  },
});

export type MessagesNotification = MessageOf<typeof messagesNotifications>;

/** Notifications of the tabs that show no compactions. */
const tabsNotifications = messages({
  ...budgetNotifications,
  ...timelineNotifications,
  ...ledgerNotifications,
  ...viewsNotifications,
});

export type TabsNotification = MessageOf<typeof tabsNotifications>;

/** Messages from the host to the page. */
export const inspectorNotifications = messages({
  snapshot: { revision: count, state: fromHost<InspectorState>() },
  select: { recordId: fromHost<string>() },
  /** Moves to the next change in the diff, or to the previous change. */
  step: { by: fromHost<1 | -1>() },
  ...messagesNotifications,
  ...diffNotifications,
  ...coverageNotifications,
  ...whatIfNotifications,
  ...tabsNotifications,
});

export type InspectorNotification = MessageOf<typeof inspectorNotifications>;

const { undo, pin: _pin, ...ofContext } = sharedRequests;

/** Requests about the displayed session. */
export const sessionRequests = messages({
  ready: { sessionId: ifValid(text) },
  'show-session': { sessionId: text },
  messages: { sessionId: text, from: count },
  'message-text': { sessionId: text, messageId: text },
  ...ofContext,
});

/** Requests about a diff. `recordId` is the id of a record, or an id of `viewDiffId`. */
export const diffRequests = messages({
  diff: { recordId: text },
  sources: { recordId: text, index: integer },
  texts: { recordId: text, messageId: text },
  'open-diff-editor': { recordId: text, messageId: text },
  undo,
  restore: { messageId: text },
});

/** Requests of the tabs about applied or tried compactions, answered by one host. */
export const recordsRequests = messages({ ...compactionsRequests, ...whatIfRequests, ...previewRequests });

export type RecordsRequest = MessageOf<typeof recordsRequests>;

/** Requests of the other tabs, answered by one host. */
export const tabsRequests = messages({
  ...budgetRequests,
  ...timelineRequests,
  ...ledgerRequests,
  ...viewsRequests,
});

export type TabsRequest = MessageOf<typeof tabsRequests>;

/** Messages from the page to the host. */
export const inspectorRequests = messages({
  ...sessionRequests,
  ...diffRequests,
  ...recordsRequests,
  ...tabsRequests,
});

export type InspectorRequest = MessageOf<typeof inspectorRequests>;

/** Reads a request from the inspector; undefined if it is invalid. */
export function parseInspectorRequest(value: unknown): InspectorRequest | undefined {
  return parseMessage(inspectorRequests, value);
}
