import type { Kind } from '../compaction/messages/message.ts';
import type { TriggerSource } from '../compaction/records/record.ts';
import type { CompactionForecast } from '../compaction/service/compaction-forecast.ts';
import {
  type ChatRow,
  shownReaches,
  type PictureView,
  type PlanStepView,
  type QueuedMessage,
  type RecordDetails,
} from './chat-rows.ts';
import {
  count,
  flag,
  fromHost,
  id,
  ifValid,
  line,
  lineNumber,
  listOf,
  oneOf,
  text,
  textUpTo,
} from './field-guards.ts';
import { type MessageOf, messages, parseMessage } from './messages.ts';
import { sharedRequests } from './shared-requests.ts';

/**
 * Messages between the chat page and its host. The host owns the state. The page sends `ready`, receives a snapshot
 * with a revision, then changes with consecutive revisions. If a revision is missing, it requests a snapshot again.
 */

/** An attachment of an unsent message. */
export interface PricedAttachment {
  readonly label: string;
  readonly tokens: number;
  /** The picture; undefined for other attachments. */
  readonly picture?: PictureView | undefined;
  /** The reason why the attachment will not be sent, in one sentence. */
  readonly problem?: string | undefined;
}

/** A command that can be typed. */
export interface CommandView {
  readonly name: string;
  /** A hint about the argument; empty if the command takes none. */
  readonly hint: string;
  readonly sentence: string;
}

/** A strategy that can be chosen for one compaction. */
export interface StrategyChoice {
  readonly id: string;
  readonly title: string;
}

/** `@`: a path. `#`: something in the editor. `/`: a command. */
const completionTriggers = ['@', '#', '/'] as const;
export type CompletionTrigger = (typeof completionTriggers)[number];

/** A completion of the word that the user is typing. */
export interface Completion {
  readonly label: string;
  /** Details of the completion, or an empty text. */
  readonly detail: string;
  /** Text that replaces the word and its sign; for a command, the whole text. Ends with `/` if the path continues. */
  readonly insert: string;
}

/** The size of a message before it is sent, in tokens. */
export interface Price {
  readonly text: string;
  /** Tokens of the message with all its attachments. */
  readonly tokens: number;
  readonly attachments: readonly PricedAttachment[];
  /** Tokens of the next request with this message, before any compaction. */
  readonly total: number;
  readonly window?: number | undefined;
  /** True if sending the message now would start a compaction, or ask whether to compact. */
  readonly compacts: boolean;
}

/** The fill level of the window and the next automatic compaction. Sizes are in tokens. */
export interface Meter extends CompactionForecast {
  readonly tokens: number;
  readonly byKind: Readonly<Record<Kind, number>>;
  readonly window?: number | undefined;
  /** True if automatic summaries are paused after repeated failures. */
  readonly isBreakerOpen: boolean;
  /** True if automatic summaries are paused because the chat has reached its spending limit. */
  readonly isSpendingLimitReached: boolean;
  /** The provider's report for the last request. */
  readonly reported?:
    { readonly inputTokens: number; readonly cachedInputTokens?: number | undefined } | undefined;
}

/** Actions on the focused row; at most one applies. */
const rowActions = ['hide', 'show'] as const;
export type RowAction = (typeof rowActions)[number];

/** `approval`: the agent waits for the user's answer. */
export type ShownActivity = 'idle' | 'waiting' | 'streaming' | 'tools' | 'approval' | 'compacting';

export interface ModelInfo {
  readonly label: string;
  readonly isOffline: boolean;
}

/** The reason why a chat is read-only. */
export interface ReadOnlyView {
  readonly reason: 'other-window' | 'newer-version';
  /** Name of the other window, or empty. */
  readonly window: string;
}

export interface ChatState {
  readonly sessionId: string;
  readonly title: string;
  /** The newest rows. Earlier rows are sent on request. */
  readonly rows: readonly ChatRow[];
  /** Number of rows before `rows`. */
  readonly earlier?: number | undefined;
  readonly activity: ShownActivity;
  readonly meter: Meter;
  /** Tokens of the streamed reply that the meter does not include yet; 0 by default. */
  readonly streamed?: number | undefined;
  /** The trigger of the compaction that waits for the user's approval, or null. */
  readonly proposal: TriggerSource | null;
  readonly model: ModelInfo;
  readonly strategy: string;
  readonly draft: string;
  /** Queued messages, oldest first. */
  readonly queue: readonly QueuedMessage[];
  /** Steps of the agent's plan; empty without a plan. */
  readonly plan: readonly PlanStepView[];
  /** False in Restricted Mode: the agent cannot read files. */
  readonly isTrusted: boolean;
  /** True while the rows are only the end of a chat that is still being read. */
  readonly isLoading?: boolean | undefined;
  /** Commands in the order in which they are listed. */
  readonly commands?: readonly CommandView[] | undefined;
  /** Strategies for "Other strategy…", which is hidden if the list is empty. */
  readonly strategies?: readonly StrategyChoice[] | undefined;
  /** Reason why the chat is read-only; absent if the chat can be continued. */
  readonly readOnly?: ReadOnlyView | undefined;
  /** Ids of the pinned messages, oldest first. */
  readonly pins?: readonly string[] | undefined;
  /** Beginnings of pinned messages that have no row on the page, by their ids. */
  readonly pinTexts?: Readonly<Record<string, string>> | undefined;
  /** Ids of the messages that the user hid or left out and has not shown again. */
  readonly hidden?: readonly string[] | undefined;
  /** Ids of the messages that other compactions removed from the context. */
  readonly absent?: readonly string[] | undefined;
}

export type ChatChange =
  | { readonly type: 'row'; readonly row: ChatRow }
  | { readonly type: 'text'; readonly id: string; readonly text: string }
  /** A further part of the model's reasoning before its answer. */
  | { readonly type: 'reasoning'; readonly id: string; readonly text: string }
  | { readonly type: 'output'; readonly id: string; readonly text: string }
  | { readonly type: 'row-removed'; readonly id: string }
  /** Tokens of the reply so far. */
  | { readonly type: 'streamed'; readonly tokens: number }
  /** Earlier rows, and the number of rows that precede them. */
  | { readonly type: 'earlier'; readonly rows: readonly ChatRow[]; readonly earlier: number }
  | { readonly type: 'state'; readonly state: Partial<Omit<ChatState, 'rows' | 'draft' | 'sessionId'>> };

/** True for a change of streamed content, which can wait for the next frame. */
export function isStreamed(change: ChatChange): boolean {
  return ['text', 'reasoning', 'output', 'streamed'].includes(change.type);
}

/** Messages from the host to the page. */
export const chatNotifications = messages({
  snapshot: { revision: count, state: fromHost<ChatState>() },
  changes: { revision: count, changes: fromHost<readonly ChatChange[]>() },
  'tool-output': { id: fromHost<string>(), text: fromHost<string>() },
  /** The price of sending a message. */
  price: {
    text: fromHost<Price['text']>(),
    tokens: fromHost<Price['tokens']>(),
    attachments: fromHost<Price['attachments']>(),
    total: fromHost<Price['total']>(),
    window: ifValid(fromHost<number>()),
    compacts: flag,
  },
  completions: {
    trigger: oneOf(completionTriggers),
    /** The text for which completions were requested. */
    query: fromHost<string>(),
    /** Completions, best first. */
    items: fromHost<readonly Completion[]>(),
  },
  record: { recordId: fromHost<string>(), details: fromHost<RecordDetails>() },
  /** Unsent text to put back into the composer. */
  'not-sent': { text: fromHost<string>() },
  reveal: { messageId: fromHost<string>() },
  focus: {},
  /** Hides or shows the focused row; with a selection, hides the selected rows. */
  'act-on-row': { action: oneOf(rowActions) },
  /** Inserts text into the composer at the cursor. */
  insert: { text: fromHost<string>() },
  /** A `data:` URL; null if the picture cannot be shown. */
  picture: { key: fromHost<string>(), url: fromHost<string | null>() },
  /** Answers `look-for-sessions`. A sentence about the sessions of other agents on this computer; absent without any. */
  'other-sessions': { found: ifValid(fromHost<string>()) },
});

export type ChatNotification = MessageOf<typeof chatNotifications>;

/** Maximum base64 characters of a picture that a page may send; more than any picture sent to a model has. */
export const longestPicture = 8_000_000;

/** Maximum number of files dropped at once. */
const mostDropped = 50;

/** Messages from the page to the host. */
export const chatRequests = messages({
  ...sharedRequests,
  ready: {},
  /** Requests rows before those on the page: one batch, or all rows from `through` on. */
  'earlier-rows': { through: ifValid(text) },
  /** Requests the row of a message, even if the page does not have it. */
  'show-message': { messageId: id },
  /** Reports that the page has discarded the rows before a row. */
  'rows-let-go': { first: text },
  send: { text },
  stop: {},
  retry: {},
  decide: {
    id: text,
    choice: oneOf(['once', 'session', 'always', 'reject']),
    /** The user's feedback to a rejected action; only sent with `reject`. */
    feedback: ifValid(text),
    /** The place where the command may run; by default the requested place. */
    reach: ifValid(oneOf(shownReaches)),
  },
  /** Opens a proposed or completed file change of an action in the diff editor. */
  review: { id: text, path: text },
  'stop-call': { id: text },
  /** Removes a message from the queue and returns it to the composer. */
  unqueue: { id: text },
  /** Sends a new version of an earlier message in a new chat, which begins with everything before the message. */
  'edit-message': { id: text, text },
  /** Continues a chat that is open in another window, and closes it there. */
  'take-over': {},
  /** Continues with everything so far in a separate chat. */
  fork: {},
  'undo-edits': { id: text },
  'open-sub-agent': { sessionId: text },
  /** Requests a `price`. The host may skip all but the newest text. */
  price: { text },
  /** Requests `completions`. `query` is the text after the sign; for a command, the whole text. */
  complete: { trigger: oneOf(completionTriggers), query: text },
  'record-summary': { recordId: text },
  'copy-message': { messageId: id },
  draft: { sessionId: text, text },
  /** Reports which action is possible on the focused row. No action is possible if no row has the focus. */
  'focused-row': { action: ifValid(oneOf(rowActions)) },
  'tool-output': { id: text },
  'open-inspector': { recordId: ifValid(text) },
  /** Declines the proposed compaction for now. */
  'decline-compaction': {},
  'set-api-key': {},
  'select-model': {},
  /** Asks which sessions of other agents are on this computer. */
  'look-for-sessions': {},
  /** Opens the session that the answer to `look-for-sessions` describes, or lets the user choose among several. */
  'open-found-session': {},
  'open-sample-session': {},
  /** Inserts a block of code at the cursor of the editor. */
  'insert-code': { text },
  /** Shows how a block of code would change the open file, and applies the change if the user agrees. */
  'apply-code': { text },
  /** Attaches dropped files by their addresses, or by name if they have none. */
  'drop-files': { addresses: listOf(text, mostDropped), names: listOf(line, mostDropped) },
  'add-picture': {
    name: line,
    /** Data as base64; empty if it is larger than the limit. */
    data: textUpTo(longestPicture),
    /** Size in bytes. */
    size: count,
  },
  'pick-pictures': {},
  picture: { key: line },
  'open-picture': { key: line },
  'open-transcript': {},
  'open-file': { path: text, line: ifValid(lineNumber) },
  'open-link': { url: text },
});

export type ChatRequest = MessageOf<typeof chatRequests>;

/** Reads a request from the chat page; undefined if it is invalid. */
export function parseChatRequest(value: unknown): ChatRequest | undefined {
  return parseMessage(chatRequests, value);
}
