import { longestMarked } from '../compaction/messages/sentence-marks.ts';
import type { CallEnd } from '../compaction/ledger/call-ends.ts';
import type { Kind } from '../compaction/messages/message.ts';
import {
  count,
  countUpTo,
  flag,
  fromHost,
  id,
  ifValid,
  line,
  objectWith,
  oneOf,
  optional,
  textUpTo,
} from './field-guards.ts';
import { type MessageOf, messages, type FieldValues } from './messages.ts';

/** Messages of the Ledger tab. */

export const factSectionNames = [
  'marked',
  'requests',
  'constraints',
  'decisions',
  'preferences',
  'questions',
  'choices',
  'nextSteps',
  'filesModified',
  'filesRead',
  'commands',
  'notRun',
  'errors',
  'identifiers',
  'replaced',
  'struck',
] as const;
export type FactSectionName = (typeof factSectionNames)[number];

/** Ways to mark a sentence. `note`: only reworded. `struck`: it is no fact. */
const markNames = ['rule', 'decision', 'done', 'note', 'struck'] as const;
export type MarkName = (typeof markNames)[number];

export const presenceNames = ['verbatim', 'ledger', 'summary', 'archive'] as const;
/**
 * The place of a fact in the view: as it was said, copied, in the words of a summary, or nowhere: then only the
 * archive has it.
 */
export type PresenceName = (typeof presenceNames)[number];

/** A message that says a fact. */
export interface FactSource {
  readonly messageId: string;
  readonly kind: Kind;
  readonly title: string;
  readonly isInView: boolean;
  readonly isPinned: boolean;
  /** A person hid it, and did not show it again. */
  readonly isHidden?: boolean | undefined;
}

export interface FactView {
  readonly section: FactSectionName;
  readonly text: string;
  /** Commands only: exit status of the last run. */
  readonly status?: number | undefined;
  /** Calls only: how the last call ended, unless it completed. */
  readonly end?: Exclude<CallEnd, 'ran'> | undefined;
  /** Replaced sentences only: the sentence that holds instead. */
  readonly replacedBy?: string | undefined;
  /** Marked and struck sentences only. */
  readonly mark?: { readonly as: MarkName; /** As it was said. */ readonly sentence: string } | undefined;
  readonly presence: PresenceName;
  /** Newest first, no more than a few. */
  readonly sources: readonly FactSource[];
  readonly sourceCount: number;
}

/** A choice of facts. */
export type FactFilter = FieldValues<typeof factFilter>;

const factFilter = {
  section: optional(oneOf(factSectionNames)),
  presence: optional(oneOf(presenceNames)),
  /** A part of the fact, in any case; empty for all. */
  text: line,
};

/** A place where something was said. */
export interface ArchiveHit {
  readonly messageId: string;
  readonly kind: Kind;
  readonly title: string;
  readonly excerpt: string;
  /** The matching ranges of the excerpt, in UTF-16 units, in order and without overlaps. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
  readonly tokens: number;
  /** The view holds it as it was said. */
  readonly isInView: boolean;
  readonly isPinned: boolean;
  /** A person hid it, and did not show it again. */
  readonly isHidden?: boolean | undefined;
}

/** Places of a search that are sent if no number is asked for, and the most that can be asked for. */
export const placesAtOnce = 20;
export const mostPlaces = 1_000;

export const ledgerNotifications = messages({
  facts: {
    sessionId: fromHost<string>(),
    filter: fromHost<FactFilter>(),
    /** Position of the first one among those that match. */
    from: count,
    facts: fromHost<readonly FactView[]>(),
    /** Number of facts that match. */
    total: count,
    /** Of all facts, for the filters. */
    bySection: fromHost<Readonly<Partial<Record<FactSectionName, number>>>>(),
    byPresence: fromHost<Readonly<Partial<Record<PresenceName, number>>>>(),
  },
  'archive-hits': {
    sessionId: fromHost<string>(),
    query: fromHost<string>(),
    hits: fromHost<readonly ArchiveHit[]>(),
    /** There are others that match less well; false if left out. */
    hasMore: ifValid(flag),
  },
  'archive-text': {
    sessionId: fromHost<string>(),
    messageId: fromHost<string>(),
    text: fromHost<string>(),
    /** There is more of it than a page should hold. */
    isCut: flag,
  },
});

export type LedgerNotification = MessageOf<typeof ledgerNotifications>;

export const ledgerRequests = messages({
  facts: { filter: objectWith(factFilter), from: count },
  /** Asks for the first places, or for as many as given. */
  'archive-search': { query: line, most: optional(countUpTo(mostPlaces)) },
  'archive-text': { messageId: id },
  'open-message': { messageId: id },
  /** Marks a sentence; without a way to mark it, takes its newest mark back. */
  'mark-sentence': {
    messageId: optional(id),
    sentence: textUpTo(longestMarked),
    as: optional(oneOf(markNames)),
    words: optional(textUpTo(longestMarked)),
  },
});
