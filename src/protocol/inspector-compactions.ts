import type { Kind } from '../compaction/messages/message.ts';
import { count, fromHost, id, ifValid, integer, listOf, oneOf, textUpTo } from './field-guards.ts';
import type { DiffRowView, MessageView } from './inspector-records.ts';
import { type MessageOf, messages } from './messages.ts';
import { sharedRequests } from './shared-requests.ts';

/** Messages of the Compactions tab. */

/** A message that contains the searched text. */
export interface DiffMatch {
  readonly index: number;
  readonly messageId: string;
  /** Sides of the diff on which the message appears. A kept message is on both sides and counts as one match. */
  readonly side: 'before' | 'after' | 'both';
  readonly count: number;
  /** The first match and the text around it. */
  readonly excerpt: Excerpt;
}

export interface Excerpt {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** A message to restore. The messages that it needs are restored with it. */
interface BroughtBack {
  readonly message: MessageView;
  /** Facts in this message that no previous message of the plan restores. */
  readonly facts: readonly string[];
}

/** A proposal to restore the facts lost by a compaction. Nothing is changed yet. */
export interface BringBackPlan {
  readonly messages: readonly BroughtBack[];
  /** Number of facts that are missing now. */
  readonly missing: number;
  /** Facts that no single message of the session contains, such as facts of an earlier summary. */
  readonly unreachable: readonly string[];
  /** Size of the next request before and after the change, in tokens. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Size at which the session would be compacted again. */
  readonly trigger?: number | undefined;
}

/** Tokens of one kind before a compaction, by what happened to them. */
export interface KindFlow {
  readonly kept: number;
  /** Tokens of messages that a shorter text replaced. */
  readonly shortened: number;
  readonly summarised: number;
  /** Tokens of messages that nothing replaced. */
  readonly gone: number;
}

/** The ways that the tokens of a context went in a compaction. Kinds without tokens are left out. */
export interface FlowView {
  readonly kinds: Readonly<Partial<Record<Kind, KindFlow>>>;
  /** Tokens of what replaced shortened messages, of the summaries, and of messages that were added. */
  readonly after: { readonly shortened: number; readonly summarised: number; readonly added: number };
}

const exportFormats = ['html', 'markdown'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Kinds of facts for which the coverage is counted. */
export const missingKinds = ['files', 'commands', 'errors', 'identifiers', 'userMessages'] as const;
export type MissingKind = (typeof missingKinds)[number];

/** Maximum characters of a search. */
export const longestQuery = 1_000;
/** Maximum number of messages that can be restored at once. */
const mostBroughtBack = 1_000;

/** Answers about the diff of an applied or tried compaction. */
export const diffNotifications = messages({
  diff: { recordId: fromHost<string>(), rows: fromHost<readonly DiffRowView[]>() },
  sources: {
    recordId: fromHost<string>(),
    index: integer,
    sources: fromHost<readonly MessageView[]>(),
  },
  texts: {
    recordId: fromHost<string>(),
    messageId: fromHost<string>(),
    before: fromHost<string>(),
    /** Text of the replacement; absent if the current view has no replacement for the message. */
    after: ifValid(fromHost<string>()),
  },
  'diff-matches': {
    recordId: fromHost<string>(),
    query: fromHost<string>(),
    /** A batch of matches in the order of the view. */
    matches: fromHost<readonly DiffMatch[]>(),
    total: count,
  },
});

export type DiffNotification = MessageOf<typeof diffNotifications>;

/** Answers about the effect of a compaction: where tokens went, and the facts that it lost. */
export const coverageNotifications = messages({
  /** Names of all facts of one kind that a compaction lost. */
  missing: {
    recordId: fromHost<string>(),
    kind: oneOf(missingKinds),
    names: fromHost<readonly string[]>(),
  },
  'bring-back-plan': { recordId: fromHost<string>(), plan: fromHost<BringBackPlan>() },
  flow: { recordId: fromHost<string>(), flow: fromHost<FlowView>() },
});

export type CoverageNotification = MessageOf<typeof coverageNotifications>;

export type CompactionsNotification = DiffNotification | CoverageNotification;

export const compactionsRequests = messages({
  'search-diff': { recordId: id, query: textUpTo(longestQuery) },
  missing: { recordId: id, kind: oneOf(missingKinds) },
  pin: sharedRequests.pin,
  'plan-bring-back': { recordId: id },
  'bring-back': { recordId: id, messageIds: listOf(id, mostBroughtBack) },
  rerun: { recordId: id },
  flow: { recordId: id },
  /** Copies the facts that a compaction lost, for pasting into the context that it left. */
  'copy-missing': { recordId: id },
  /** Writes a handoff of the displayed session. */
  'hand-off': {},
  'export-record': { recordId: id, format: oneOf(exportFormats) },
});

export type CompactionsRequest = MessageOf<typeof compactionsRequests>;
