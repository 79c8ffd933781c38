import type { Message } from './message.ts';
import type { Quote, QuotedReplacement, Quotes } from './quote.ts';

export const noQuotes: Quotes = { found: [], replaced: [] };

const passing: ReadonlySet<Quote['kind']> = new Set(['question', 'step']);

/** Merges quotes with quotes of a later compaction. Questions and steps remain open only if quoted again. */
export function laterQuotes(earlier: Quotes, later: Quotes): Quotes {
  return allQuotes([{ ...earlier, found: earlier.found.filter(({ kind }) => !passing.has(kind)) }, later]);
}

export function allQuotes(quotes: readonly Quotes[]): Quotes {
  return {
    found: distinct(quotes.flatMap(({ found }) => found)),
    replaced: distinct(quotes.flatMap(({ replaced }) => replaced)),
  };
}

function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

export function quotesIn(messages: readonly Message[]): Quotes {
  return allQuotes(messages.flatMap(({ quotes }) => quotes ?? []));
}

export function withQuotes(messages: readonly Message[], { found, replaced }: Quotes): readonly Message[] {
  const quotes = new Map<string, { readonly found: Quote[]; readonly replaced: QuotedReplacement[] }>();
  const of = (id: string) => {
    const known = quotes.get(id) ?? { found: [], replaced: [] };
    quotes.set(id, known);
    return known;
  };
  for (const quote of found) of(quote.id).found.push(quote);
  for (const pair of replaced) of(pair.newerId).replaced.push(pair);
  return messages.map((message) => quoted(message, quotes.get(message.id)));
}

/** The newest quoted copy of each message, kept so that results cached for the copy remain usable. */
const forms = new WeakMap<Message, { readonly key: string; readonly form: Message }>();
const originals = new WeakMap<Message, Message>();

function quoted(message: Message, quotes: Quotes | undefined): Message {
  const original = originals.get(message) ?? message;
  if (quotes === undefined) return original;
  const key = JSON.stringify(quotes);
  const known = forms.get(original);
  if (known?.key === key) return known.form;
  const form = { ...original, quotes };
  forms.set(original, { key, form });
  originals.set(form, original);
  return form;
}
