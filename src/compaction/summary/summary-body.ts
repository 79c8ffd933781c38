import { mentionsIn } from '../ledger/mentions.ts';
import { extractLedger } from '../ledger/extract.ts';
import { personTitles, type RenderedLedger, renderLedger } from '../ledger/render.ts';
import { emptyLedger, filterLedger, isCommandFact, type Ledger, textOfFact } from '../messages/ledger.ts';
import type { Message } from '../messages/message.ts';
import type { Mark } from '../quoting/mark.ts';
import { withoutHeadings } from '../quoting/neutralise.ts';
import { cleanText } from '../quoting/quoted.ts';
import type { UsageMeter } from '../tokens/usage.ts';

/**
 * Most tokens that the facts a model left out may take after its summary, and the share of the sources they may be.
 */
const largestLedger = 1_500;
const largestLedgerShare = 0.25;
/** A ledger with less room than this, in tokens, would hold next to nothing. */
const smallestLedger = 60;

export interface FactRepair {
  /** The text that a model wrote. */
  readonly body: string;
  readonly sources: readonly Message[];
  /** Facts that should not be lost. Those of the sources if not given. */
  readonly ledger?: Ledger;
  readonly mark: Mark;
  /** Most tokens for body and facts together, if there is a limit. */
  readonly room?: number;
}

/** A summary followed by the facts that it does not name itself, and these facts. */
export async function withMissingFacts(
  { body, sources, mark, ledger = extractLedger(sources), room = Number.POSITIVE_INFINITY }: FactRepair,
  meter: UsageMeter,
): Promise<RenderedLedger> {
  const named = mentionsIn([body]);
  const missing = filterLedger(ledger, (section, fact) => {
    if (section === 'marked') return true;
    if (isCommandFact(fact)) return !named.hasWithStatus(fact);
    // That something was replaced is said even if the words of both are in the summary.
    return (typeof fact === 'object' && 'by' in fact) || !named.has(textOfFact(fact));
  });
  const { total } = await meter.measure(sources);
  const left = Math.min(total, room) - (await meter.countText(body)) - smallestLedger;
  const tokens = Math.floor(Math.min(largestLedger, total * largestLedgerShare, left));
  if (tokens < smallestLedger) return { text: body, ledger: emptyLedger };
  const facts = await renderLedger(missing, tokens, mark, (texts) => meter.countTexts(texts));
  return facts.text === '' ? { ...facts, text: body } : { ...facts, text: `${body}\n${facts.text}` };
}

/**
 * Notes that a model wrote, or anybody else: nothing in them can pass for a marker, for a delimiter of ours, or for a
 * section of the facts that the program copies.
 */
export function cleanBody(body: string, mark: Mark): string {
  return withoutHeadings(cleanText(body, mark), personTitles);
}
