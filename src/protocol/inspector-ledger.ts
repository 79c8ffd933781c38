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

/** Messages of the Facts tab. */

/** Kinds by which facts are listed, in the order of the list. Changed and read files are one kind. */
export const factKinds = [
  'marked',
  'constraints',
  'preferences',
  'decisions',
  'requests',
  'files',
  'commands',
  'notRun',
  'errors',
  'questions',
  'choices',
  'nextSteps',
  'identifiers',
  'replaced',
  'struck',
] as const;
export type FactKind = (typeof factKinds)[number];

/** Sections of the engine's ledger. */
export type FactSectionName = Exclude<FactKind, 'files'> | 'filesModified' | 'filesRead';

/** The kind of the facts in a section. */
export function factKindOf(section: FactSectionName): FactKind {
  return section === 'filesModified' || section === 'filesRead' ? 'files' : section;
}

/** Kinds of facts that no longer hold. They are listed last, and never count as gone. */
export const heldNoLonger: ReadonlySet<FactKind> = new Set(['replaced', 'struck']);

/** Number of facts of a kind, and how many of them are no longer in context. */
export interface FactCount {
  readonly total: number;
  readonly gone: number;
}

/** Ways to mark a sentence. `note`: the sentence only rewords a fact. `struck`: the sentence is not a fact. */
const markNames = ['rule', 'decision', 'done', 'note', 'struck'] as const;
export type MarkName = (typeof markNames)[number];

export const presenceNames = ['verbatim', 'ledger', 'summary', 'archive'] as const;
/** The place of a fact in the context: in the original message, copied, in a summary, or only in the archive. */
export type PresenceName = (typeof presenceNames)[number];

/** A message that contains a fact. */
export interface FactSource {
  readonly messageId: string;
  readonly kind: Kind;
  readonly title: string;
  readonly isInView: boolean;
  readonly isPinned: boolean;
  /** True if the user hid the message and has not shown it again. */
  readonly isHidden?: boolean | undefined;
}

export interface FactView {
  readonly section: FactSectionName;
  readonly text: string;
  /** Exit status of the last run; for commands only. */
  readonly status?: number | undefined;
  /** The way in which the last call ended, unless it completed; for calls only. */
  readonly end?: Exclude<CallEnd, 'ran'> | undefined;
  /** The sentence that replaced this one; for replaced sentences only. */
  readonly replacedBy?: string | undefined;
  /** The mark; for marked and struck sentences only. */
  readonly mark?:
    { readonly as: MarkName; /** The original sentence. */ readonly sentence: string } | undefined;
  readonly presence: PresenceName;
  /** A few sources, newest first. */
  readonly sources: readonly FactSource[];
  readonly sourceCount: number;
}

export type FactFilter = FieldValues<typeof factFilter>;

const factFilter = {
  kind: optional(oneOf(factKinds)),
  presence: optional(oneOf(presenceNames)),
  /** A part of the fact's text, ignoring case; empty for all facts. */
  text: line,
};

/** A message that matches a search. */
export interface ArchiveHit {
  readonly messageId: string;
  readonly kind: Kind;
  readonly title: string;
  readonly excerpt: string;
  /** The matching ranges of the excerpt, in UTF-16 units, in order and without overlaps. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
  readonly tokens: number;
  /** True if the original is in context. */
  readonly isInView: boolean;
  readonly isPinned: boolean;
  /** True if the user hid the message and has not shown it again. */
  readonly isHidden?: boolean | undefined;
}

/** Default and maximum number of search results. */
export const placesAtOnce = 20;
export const mostPlaces = 1_000;

export const ledgerNotifications = messages({
  facts: {
    sessionId: fromHost<string>(),
    filter: fromHost<FactFilter>(),
    from: count,
    facts: fromHost<readonly FactView[]>(),
    total: count,
    /** Counts of all facts, without the filter. */
    byKind: fromHost<Readonly<Partial<Record<FactKind, FactCount>>>>(),
    byPresence: fromHost<Readonly<Partial<Record<PresenceName, number>>>>(),
  },
  'archive-hits': {
    sessionId: fromHost<string>(),
    query: fromHost<string>(),
    hits: fromHost<readonly ArchiveHit[]>(),
    /** True if there are more matches with a lower score; false by default. */
    hasMore: ifValid(flag),
  },
  'archive-text': {
    sessionId: fromHost<string>(),
    messageId: fromHost<string>(),
    text: fromHost<string>(),
    /** True if the text was too long and was cut. */
    isCut: flag,
  },
});

export type LedgerNotification = MessageOf<typeof ledgerNotifications>;

export const ledgerRequests = messages({
  facts: { filter: objectWith(factFilter), from: count },
  /** Requests the best matches; 20 if no number is given. */
  'archive-search': { query: line, most: optional(countUpTo(mostPlaces)) },
  'archive-text': { messageId: id },
  'open-message': { messageId: id },
  /** Marks a sentence. Without `as`, removes the sentence's newest mark. */
  'mark-sentence': {
    messageId: optional(id),
    sentence: textUpTo(longestMarked),
    as: optional(oneOf(markNames)),
    words: optional(textUpTo(longestMarked)),
  },
});
