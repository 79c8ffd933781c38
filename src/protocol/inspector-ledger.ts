import type { Kind } from '../compaction/messages/message.ts';

/** What the Ledger tab and its host tell each other. */

export const factSectionNames = [
  'requests',
  'constraints',
  'decisions',
  'choices',
  'values',
  'nextSteps',
  'filesModified',
  'filesRead',
  'commands',
  'errors',
  'identifiers',
  'replaced',
] as const;
export type FactSectionName = (typeof factSectionNames)[number];

export const presenceNames = ['verbatim', 'ledger', 'summary', 'archive'] as const;
/**
 * Where the view still says a fact: as it was said, copied, in the words of a summary, or nowhere: then only the
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
}

export interface FactView {
  readonly section: FactSectionName;
  readonly text: string;
  /** Commands only: exit status of the last run. */
  readonly status?: number | undefined;
  /** Replaced sentences only: the sentence that holds instead. */
  readonly replacedBy?: string | undefined;
  readonly presence: PresenceName;
  /** Newest first, no more than a few. */
  readonly sources: readonly FactSource[];
  readonly sourceCount: number;
}

/** Which facts are asked for. */
export interface FactFilter {
  readonly section?: FactSectionName | undefined;
  readonly presence?: PresenceName | undefined;
  /** A part of the fact, in any case; empty for all. */
  readonly text: string;
}

/** A place where something was said. */
export interface ArchiveHit {
  readonly messageId: string;
  readonly kind: Kind;
  readonly title: string;
  readonly excerpt: string;
  /** What of the excerpt matches, in UTF-16 units, in order and without overlaps. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
  readonly tokens: number;
  /** The view holds it as it was said. */
  readonly isInView: boolean;
  readonly isPinned: boolean;
}

export type LedgerNotification =
  | {
      readonly type: 'facts';
      readonly sessionId: string;
      readonly filter: FactFilter;
      /** Position of the first one among those that match. */
      readonly from: number;
      readonly facts: readonly FactView[];
      /** That match. */
      readonly total: number;
      /** Of all facts, for the filters. */
      readonly bySection: Readonly<Partial<Record<FactSectionName, number>>>;
      readonly byPresence: Readonly<Partial<Record<PresenceName, number>>>;
    }
  | {
      readonly type: 'archive-hits';
      readonly sessionId: string;
      readonly query: string;
      readonly hits: readonly ArchiveHit[];
      /** There are others that match less well; not so where not given. */
      readonly hasMore?: boolean;
    }
  | {
      readonly type: 'archive-text';
      readonly sessionId: string;
      readonly messageId: string;
      readonly text: string;
      /** There is more of it than a page should hold. */
      readonly isCut: boolean;
    };

export type LedgerRequest =
  | { readonly type: 'facts'; readonly filter: FactFilter; readonly from: number }
  /** As many places as there is room for at first, or more of them. */
  | { readonly type: 'archive-search'; readonly query: string; readonly most?: number }
  | { readonly type: 'archive-text'; readonly messageId: string }
  | { readonly type: 'open-message'; readonly messageId: string };

/** Longest filter, query and id, in characters. */
const longestText = 1_000;
/** Places of a search that come at once when nobody has asked for more, and the most that one can ask for. */
export const placesAtOnce = 20;
export const mostPlaces = 1_000;

/** Takes a request apart; undefined for one that is none of this tab's. */
export function parseLedgerRequest(fields: Readonly<Record<string, unknown>>): LedgerRequest | undefined {
  const { type } = fields;
  const { query, messageId, from, filter, most } = fields;
  switch (type) {
    case 'facts': {
      const parsed = parseFilter(filter);
      if (parsed === undefined || !isCount(from)) return undefined;
      return { type, filter: parsed, from };
    }
    case 'archive-search':
      if (!isText(query)) return undefined;
      if (most === undefined) return { type, query };
      return isCount(most) && most <= mostPlaces ? { type, query, most } : undefined;
    case 'archive-text':
    case 'open-message':
      return isText(messageId) ? { type, messageId } : undefined;
    default:
      return undefined;
  }
}

function parseFilter(value: unknown): FactFilter | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { section, presence, text } = value as Readonly<Record<string, unknown>>;
  if (!isText(text)) return undefined;
  const knownSection = factSectionNames.find((name) => name === section);
  const knownPresence = presenceNames.find((name) => name === presence);
  if (section !== undefined && knownSection === undefined) return undefined;
  if (presence !== undefined && knownPresence === undefined) return undefined;
  return {
    text,
    ...(knownSection === undefined ? {} : { section: knownSection }),
    ...(knownPresence === undefined ? {} : { presence: knownPresence }),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestText;
}
