import type { Kind } from '../compaction/messages/message.ts';
import type { TriggerSource } from '../compaction/records/record.ts';
import type { Outlook } from '../compaction/service/outlook.ts';
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
 * Messages between the chat page and its host. The host owns the state: the page sends `ready`, gets a snapshot with a
 * revision, then changes with the revisions that follow. If a revision is missing, it asks again.
 */

/** An attachment that was not sent yet. */
export interface PricedAttachment {
  /** As it occurs in the text. */
  readonly label: string;
  readonly tokens: number;
  /** Undefined if it is none. */
  readonly picture?: PictureView | undefined;
  /** The reason why it will not be sent, in one sentence. */
  readonly problem?: string | undefined;
}

/** A command that can be typed. */
export interface CommandView {
  /** Without the slash. */
  readonly name: string;
  /** A hint at the argument; empty if it takes none. */
  readonly hint: string;
  /** Its effect, in one sentence. */
  readonly sentence: string;
}

/** A strategy that can be chosen for one compaction. */
export interface StrategyChoice {
  readonly id: string;
  readonly title: string;
}

/** `@`: a path. `#`: something that the editor knows. `/`: a command. */
const completionTriggers = ['@', '#', '/'] as const;
export type CompletionTrigger = (typeof completionTriggers)[number];

/** One way to go on with a word that is being typed. */
export interface Completion {
  readonly label: string;
  /** More about it, or empty. */
  readonly detail: string;
  /**
   * The text that replaces the word and its sign. Ends with `/` if more is to be typed, as after a folder; for a
   * command it replaces the whole text.
   */
  readonly insert: string;
}

/** The price of sending a message, in tokens. */
export interface Price {
  /** The text that was asked about. */
  readonly text: string;
  /** Of the message with everything attached to it. */
  readonly tokens: number;
  readonly attachments: readonly PricedAttachment[];
  /** Of the next request with this message in it, before any compaction. */
  readonly total: number;
  readonly window?: number | undefined;
  /** Sending it now would set off a compaction, or the question whether to compact. */
  readonly compacts: boolean;
}

/** The fill level of the window and the next automatic compaction. Sizes in tokens. */
export interface Meter extends Outlook {
  readonly tokens: number;
  readonly byKind: Readonly<Record<Kind, number>>;
  readonly window?: number | undefined;
  readonly reserved: number;
  /** Automatic summaries are paused after repeated failures. */
  readonly isBreakerOpen: boolean;
  /** Automatic summaries are paused because this chat has spent on them what it may. */
  readonly isSpendingLimitReached: boolean;
  /** The provider's report for the last request. */
  readonly reported?:
    { readonly inputTokens: number; readonly cachedInputTokens?: number | undefined } | undefined;
}

/** Actions on the row that has the focus, one of which applies to a row. */
const rowActions = ['hide', 'show'] as const;
export type RowAction = (typeof rowActions)[number];

/** `approval`: nothing goes on until the person has answered. */
export type ShownActivity = 'idle' | 'waiting' | 'streaming' | 'tools' | 'approval' | 'compacting';

export interface ModelInfo {
  readonly label: string;
  readonly isOffline: boolean;
}

/** The reason why a chat is read-only. */
export interface ReadOnlyView {
  readonly reason: 'other-window' | 'newer-version';
  /** Name of the other window; empty if it has none. */
  readonly window: string;
}

export interface ChatState {
  readonly sessionId: string;
  readonly title: string;
  /** The newest. Earlier ones are sent when the page asks for them. */
  readonly rows: readonly ChatRow[];
  /** Number of rows before them. */
  readonly earlier?: number | undefined;
  readonly activity: ShownActivity;
  readonly meter: Meter;
  /** Tokens of the reply that is being streamed, which the meter does not have yet; none if left out. */
  readonly streamed?: number | undefined;
  /** The trigger of the compaction the person is asked about; null if there is no question. */
  readonly proposal: TriggerSource | null;
  readonly model: ModelInfo;
  /** Id of the strategy that is set. */
  readonly strategy: string;
  readonly draft: string;
  /** Oldest first. */
  readonly queue: readonly QueuedMessage[];
  /** Empty if the agent has no plan. */
  readonly plan: readonly PlanStepView[];
  /** False in Restricted Mode: the agent cannot read files. */
  readonly isTrusted: boolean;
  /** True if the rows are the end of a chat that is still being read: nothing else of it is known, or can be done. */
  readonly isLoading?: boolean | undefined;
  /** In the order people see. */
  readonly commands?: readonly CommandView[] | undefined;
  /** Strategies for "Other strategy…", which is not offered if there are none. */
  readonly strategies?: readonly StrategyChoice[] | undefined;
  /** Absent if the chat can be carried on. */
  readonly readOnly?: ReadOnlyView | undefined;
  /** Ids of the messages that are pinned, oldest first. */
  readonly pins?: readonly string[] | undefined;
  /** Beginnings of those that no row of the page shows, by their ids. */
  readonly pinTexts?: Readonly<Record<string, string>> | undefined;
  /** Ids of the messages that a person hid or left out, and did not show again. */
  readonly hidden?: readonly string[] | undefined;
  /** Ids of the messages that another compaction took out of the context. */
  readonly absent?: readonly string[] | undefined;
}

export type ChatChange =
  | { readonly type: 'row'; readonly row: ChatRow }
  | { readonly type: 'text'; readonly id: string; readonly text: string }
  /** More of what a model thinks before it answers. */
  | { readonly type: 'reasoning'; readonly id: string; readonly text: string }
  /** More of what a running action puts out. */
  | { readonly type: 'output'; readonly id: string; readonly text: string }
  | { readonly type: 'row-removed'; readonly id: string }
  /** Tokens of the reply so far. */
  | { readonly type: 'streamed'; readonly tokens: number }
  /** Rows that stand before the others, and how many there are before them. */
  | { readonly type: 'earlier'; readonly rows: readonly ChatRow[]; readonly earlier: number }
  | { readonly type: 'state'; readonly state: Partial<Omit<ChatState, 'rows' | 'draft' | 'sessionId'>> };

/** More of something that is being written: it can wait for the next frame. */
export function isStreamed(change: ChatChange): boolean {
  return ['text', 'reasoning', 'output', 'streamed'].includes(change.type);
}

/** From the host to the page. */
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
    /** The text that was asked about. */
    query: fromHost<string>(),
    /** Best first. */
    items: fromHost<readonly Completion[]>(),
  },
  record: { recordId: fromHost<string>(), details: fromHost<RecordDetails>() },
  /** Text that could not be sent, given back to the composer. */
  'not-sent': { text: fromHost<string>() },
  /** Brings a message into sight. */
  reveal: { messageId: fromHost<string>() },
  focus: {},
  /** Hides or shows the row that has the focus; with rows selected, hides those. */
  'act-on-row': { action: oneOf(rowActions) },
  /** Puts a word into the message that is being written, where the cursor is. */
  insert: { text: fromHost<string>() },
  /** A `data:` URL; null if there is nothing to show. */
  picture: { key: fromHost<string>(), url: fromHost<string | null>() },
  /** Answers `look-for-sessions`. */
  'other-sessions': { isFound: flag },
});

export type ChatNotification = MessageOf<typeof chatNotifications>;

/** Characters of a picture in base64: more than any that is sent. */
export const longestPicture = 8_000_000;

/** Most files that are dropped at once. */
const mostDropped = 50;

/** From the page to the host. */
export const chatRequests = messages({
  ...sharedRequests,
  ready: {},
  /** Asks for rows before those that the page has, up to one of them if it is named. */
  'earlier-rows': { through: ifValid(text) },
  /** Asks for the row of a message to be shown, whether or not the page has it. */
  'show-message': { messageId: id },
  /** The page has let go of the rows before one. */
  'rows-let-go': { first: text },
  send: { text },
  stop: {},
  retry: {},
  /** The person's answer to an action that waits. */
  decide: {
    id: text,
    choice: oneOf(['once', 'session', 'always', 'reject']),
    /** Goes with `reject`. */
    feedback: ifValid(text),
    /** The reach of a command; the one it asks for if left out. */
    reach: ifValid(oneOf(shownReaches)),
  },
  /** Opens in the diff editor what an action does to a file, before or after it is done. */
  review: { id: text, path: text },
  'stop-call': { id: text },
  /** Takes a queued message back to the composer. */
  unqueue: { id: text },
  /** Sends a new version of an earlier message, in a new chat that has everything before it. */
  'edit-message': { id: text, text },
  /** Continues a chat that is open in another window, which lets go of it. */
  'take-over': {},
  /** Continues with everything so far in a chat of its own. */
  fork: {},
  'undo-edits': { id: text },
  'open-sub-agent': { sessionId: text },
  /** Asks for a `price`. Only the newest text is of interest. */
  price: { text },
  /** Asks for `completions`. `query` is what follows the sign; for a command, everything typed. */
  complete: { trigger: oneOf(completionTriggers), query: text },
  /** Asks for a `record`. */
  'record-summary': { recordId: text },
  /** Copies all that a message says. */
  'copy-message': { messageId: id },
  draft: { sessionId: text, text },
  /** The action that applies to the row that has the focus; none without such a row. */
  'focused-row': { action: ifValid(oneOf(rowActions)) },
  'tool-output': { id: text },
  'open-inspector': { recordId: ifValid(text) },
  /** Declines the proposed compaction for now. */
  'decline-compaction': {},
  'set-api-key': {},
  'select-model': {},
  /** Asks whether another agent has left a session on this computer. */
  'look-for-sessions': {},
  'open-sample-session': {},
  /** Puts a block of code where the cursor of the editor is. */
  'insert-code': { text },
  /** Shows the change of the open file by a block of code, and makes it if the person agrees. */
  'apply-code': { text },
  /** Attaches files that were dropped, by their addresses; of files without one, only names are known. */
  'drop-files': { addresses: listOf(text, mostDropped), names: listOf(line, mostDropped) },
  /** Attaches a picture that was pasted or dropped. */
  'add-picture': {
    name: line,
    /** Base64; empty if it is larger than any that is taken. */
    data: textUpTo(longestPicture),
    /** Bytes. */
    size: count,
  },
  /** Lets the person choose pictures to attach. */
  'pick-pictures': {},
  /** Asks for a `picture`. */
  picture: { key: line },
  'open-picture': { key: line },
  'open-transcript': {},
  'open-file': { path: text, line: ifValid(lineNumber) },
  'open-link': { url: text },
});

export type ChatRequest = MessageOf<typeof chatRequests>;

/** Reads a request from the chat page; undefined if it is none. */
export function parseChatRequest(value: unknown): ChatRequest | undefined {
  return parseMessage(chatRequests, value);
}
