import { count, fromHost, id, ifValid, integer, listOf, oneOf, textUpTo } from './field-guards.ts';
import type { DiffRowView, MessageView } from './inspector-records.ts';
import { type MessageOf, messages } from './messages.ts';
import { sharedRequests } from './shared-requests.ts';

/** Messages of the Compactions tab. */

/** A message whose text holds what was searched for. */
export interface DiffMatch {
  /** Row of the diff. */
  readonly index: number;
  readonly messageId: string;
  /** A message that was kept is on both sides, and found once. */
  readonly side: 'before' | 'after' | 'both';
  /** Number of times that it occurs in the text. */
  readonly count: number;
  /** The first place, with what is around it. */
  readonly excerpt: Excerpt;
}

export interface Excerpt {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** One message that would come back, and what with it. */
interface BroughtBack {
  readonly message: MessageView;
  /** Facts that only it, or it first, brings back. */
  readonly facts: readonly string[];
}

/** A plan that brings back the facts a compaction lost. Nothing is changed yet. */
export interface BringBackPlan {
  readonly messages: readonly BroughtBack[];
  /** Facts that are missing now. */
  readonly missing: number;
  /** Facts that no message of the session holds by itself, such as those of an earlier summary. */
  readonly unreachable: readonly string[];
  /** Size of the next request now and afterwards, in tokens. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Size at which the session would be compacted again. */
  readonly trigger?: number | undefined;
}

const exportFormats = ['html', 'markdown'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Facts that coverage counts. */
export const missingKinds = ['files', 'commands', 'errors', 'identifiers', 'userMessages'] as const;
export type MissingKind = (typeof missingKinds)[number];

/** Longest search, in characters. */
export const longestQuery = 1_000;
/** Messages that can be brought back at once. */
const mostBroughtBack = 1_000;

/** Answers about the diff of a record, made or tried. */
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
    /** Left out if the message has no replacement in the current view. */
    after: ifValid(fromHost<string>()),
  },
  'diff-matches': {
    recordId: fromHost<string>(),
    query: fromHost<string>(),
    /** In the order of the view; no more than are sent at once. */
    matches: fromHost<readonly DiffMatch[]>(),
    /** Messages that match, also those that are not sent. */
    total: count,
  },
});

export type DiffNotification = MessageOf<typeof diffNotifications>;

/** Answers about what a record lost. */
export const coverageNotifications = messages({
  /** Names of everything that is missing after a compaction. */
  missing: {
    recordId: fromHost<string>(),
    kind: oneOf(missingKinds),
    names: fromHost<readonly string[]>(),
  },
  'bring-back-plan': { recordId: fromHost<string>(), plan: fromHost<BringBackPlan>() },
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
  'export-record': { recordId: id, format: oneOf(exportFormats) },
});

export type CompactionsRequest = MessageOf<typeof compactionsRequests>;
