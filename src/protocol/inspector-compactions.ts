import type { MessageView } from './inspector-records.ts';

/** What the Compactions tab and its host tell each other beside what every tab does. */

/** A message whose text holds what was searched for. */
export interface DiffMatch {
  /** Row of the diff. */
  readonly index: number;
  readonly messageId: string;
  /** A message that was kept is on both sides, and found once. */
  readonly side: 'before' | 'after' | 'both';
  /** Times that it stands in the text. */
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
export interface BroughtBack {
  readonly message: MessageView;
  /** Facts that only it, or it first, brings back. */
  readonly facts: readonly string[];
}

/** What it takes to bring back what a compaction lost. Nothing is changed yet. */
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

export type ExportFormat = 'html' | 'markdown';

export type CompactionsNotification =
  | {
      readonly type: 'diff-matches';
      readonly recordId: string;
      readonly query: string;
      /** In the order of the view; no more than are sent at once. */
      readonly matches: readonly DiffMatch[];
      /** Messages that match, also those that are not sent. */
      readonly total: number;
    }
  /** Names of what is missing after a compaction, all of them. */
  | {
      readonly type: 'missing';
      readonly recordId: string;
      readonly kind: MissingKind;
      readonly names: readonly string[];
    }
  | { readonly type: 'bring-back-plan'; readonly recordId: string; readonly plan: BringBackPlan };

export type CompactionsRequest =
  | { readonly type: 'search-diff'; readonly recordId: string; readonly query: string }
  | { readonly type: 'missing'; readonly recordId: string; readonly kind: MissingKind }
  | { readonly type: 'pin'; readonly messageId: string; readonly pinned: boolean }
  | { readonly type: 'plan-bring-back'; readonly recordId: string }
  | { readonly type: 'bring-back'; readonly recordId: string; readonly messageIds: readonly string[] }
  | { readonly type: 'rerun'; readonly recordId: string }
  | { readonly type: 'export-record'; readonly recordId: string; readonly format: ExportFormat };

/** What coverage counts. */
export const missingKinds = ['files', 'commands', 'errors', 'identifiers', 'userMessages'] as const;
export type MissingKind = (typeof missingKinds)[number];

/** Longest thing that can be searched for, in characters. */
export const longestQuery = 1_000;
/** Messages that can be brought back at once. */
const mostBroughtBack = 1_000;

/** @returns undefined for what is no request of this tab */
export function parseCompactionsRequest(
  fields: Readonly<Record<string, unknown>>,
): CompactionsRequest | undefined {
  const { type, query, pinned, format, kind, messageIds } = fields;
  const recordId = idIn(fields, 'recordId');
  const messageId = idIn(fields, 'messageId');
  switch (type) {
    case 'search-diff':
      if (recordId === undefined || typeof query !== 'string' || query.length > longestQuery)
        return undefined;
      return { type, recordId, query };
    case 'missing': {
      const known = missingKinds.find((name) => name === kind);
      return recordId === undefined || known === undefined ? undefined : { type, recordId, kind: known };
    }
    case 'pin':
      if (messageId === undefined || typeof pinned !== 'boolean') return undefined;
      return { type, messageId, pinned };
    case 'plan-bring-back':
    case 'rerun':
      return recordId === undefined ? undefined : { type, recordId };
    case 'bring-back':
      if (recordId === undefined || !isIdList(messageIds)) return undefined;
      return { type, recordId, messageIds };
    case 'export-record':
      if (recordId === undefined || (format !== 'html' && format !== 'markdown')) return undefined;
      return { type, recordId, format };
    default:
      return undefined;
  }
}

/** Longest id, in characters. */
const longestId = 1_000;

function idIn(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name];
  return isId(value) ? value : undefined;
}

function isIdList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= mostBroughtBack && value.every(isId);
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestId;
}
