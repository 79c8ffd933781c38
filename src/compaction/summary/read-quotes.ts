import { isRecord } from '../../language/is-record.ts';
import type { DropReason } from '../messages/quote.ts';
import { parseShallow } from '../text/parse-json.ts';

export interface ClaimedQuotes {
  readonly quotes: readonly { readonly as: string; readonly id: string; readonly quote: string }[];
  readonly replaced: readonly {
    readonly id: string;
    readonly quote: string;
    readonly newerId: string;
    readonly newerQuote: string;
  }[];
  /** Number of unreadable entries by reason; an unreadable list counts as one entry. */
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
}

export interface SplitReply {
  /** The part with the summary, with or without its tag. In a JSON reply, the value of `summary`. */
  readonly summary: string;
  readonly isWhole: boolean;
  /** True if the reply is JSON, whose field contains only the summary. */
  readonly isJson: boolean;
  readonly list: string | undefined;
}

const listTag = /<quotes>\s*(?:```\w*\s*)?(?=[[{])/iu;
const summaryField = /"summary"\s*:\s*("(?:[^"\\]|\\.)*")/su;

/** Splits a model's answer into summary and quotes: JSON of the schema, or tagged text. */
export function splitReply(answer: string, tag: string): SplitReply {
  const json = answer.trimStart().replace(/^```\w*\s*/u, '');
  if (json.startsWith('{')) {
    const field = summaryField.exec(json);
    const summary: unknown = parseShallow(field?.[1] ?? '')?.value;
    if (field !== null && typeof summary === 'string') {
      return { summary, isWhole: true, isJson: true, list: json.slice(field.index + field[0].length) };
    }
  }
  const closing = new RegExp(`</${tag}>`, 'iu').exec(answer);
  const isClosed = closing !== null && new RegExp(`<${tag}>`, 'iu').test(answer.slice(0, closing.index));
  const from = isClosed ? closing.index + closing[0].length : 0;
  const opening = listTag.exec(answer.slice(from));
  if (opening === null) return { summary: answer, isWhole: isClosed, isJson: false, list: undefined };
  const start = from + opening.index;
  const end = answer.lastIndexOf('</quotes>');
  return {
    summary: answer.slice(0, start),
    isWhole: true,
    isJson: false,
    list: answer.slice(start + opening[0].length, end < start ? undefined : end),
  };
}

const flatObject = /\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}/gsu;

/** Reads the entries of a list of quotes one by one, so that an invalid one does not affect the others. */
export function readQuotes(list: string | undefined): ClaimedQuotes {
  if (list === undefined) return { quotes: [], replaced: [], dropped: { noList: 1 } };
  const quotes: ClaimedQuotes['quotes'][number][] = [];
  const replaced: ClaimedQuotes['replaced'][number][] = [];
  let unreadable = 0;
  for (const [text] of list.matchAll(flatObject)) {
    const entry = parseShallow(text)?.value;
    const fields = isRecord(entry) ? entry : {};
    if (Object.values(fields).some(Array.isArray)) continue;
    const id = idIn(fields['id']);
    const newerId = idIn(fields['newerId']);
    const { as, quote, newerQuote } = fields;
    if (id === undefined || typeof quote !== 'string') unreadable++;
    else if (typeof as === 'string') quotes.push({ as, id, quote });
    else if (newerId !== undefined && typeof newerQuote === 'string')
      replaced.push({ id, quote, newerId, newerQuote });
    else unreadable++;
  }
  const isNothing = quotes.length + replaced.length + unreadable === 0;
  if (isCutOff(list) || (isNothing && /\[\s*[^\s\]]/u.test(list))) unreadable++;
  return { quotes, replaced, dropped: unreadable === 0 ? {} : { unreadable } };
}

/** True for JSON that ends within a string, an object or a list. */
function isCutOff(list: string): boolean {
  const signs = list.replace(/"(?:[^"\\]|\\.)*"/gsu, '');
  const numberOf = (sign: RegExp) => signs.match(sign)?.length ?? 0;
  return signs.includes('"') || numberOf(/[[{]/gu) > numberOf(/[\]}]/gu);
}

/** Accepts numbers as ids, because models write them without quotes. */
function idIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : undefined;
}
