import { factsToCopy } from '../ledger/coverage.ts';
import { extractLedger } from '../ledger/extract.ts';
import type { Ledger } from '../messages/ledger.ts';
import type { Quotes } from '../messages/quote.ts';
import { laterQuotes, quotesIn, withQuotes } from '../messages/quoted-messages.ts';
import type { SummaryTask } from './write-summary.ts';

/**
 * Facts that a summary has to carry, including its quotes. They are those of all messages that the remaining
 * messages do not contain, or otherwise those of its sources.
 */
export function factsToCarry(
  { sources, staying, history = sources }: Pick<SummaryTask, 'sources' | 'staying' | 'history'>,
  quotes: Quotes | undefined,
): Ledger {
  const earlier = quotesIn(history);
  const all = quotes === undefined ? earlier : laterQuotes(earlier, quotes);
  if (staying === undefined) return extractLedger(withQuotes(sources, all));
  return factsToCopy(extractLedger(withQuotes(history, all)), withQuotes(staying, all));
}
