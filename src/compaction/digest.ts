import type { CarriedText } from './carried.ts';
import { factText } from './ledger/fact-text.ts';
import type { Ledger } from './ledger/ledger.ts';
import { renderLedger, withoutLedger } from './ledger/render.ts';
import { textOf, type Message } from './message.ts';
import type { Mark } from './quoting/mark.ts';
import { cleanBody } from './summary/clean-body.ts';
import { summaryText, withoutSummaryTags } from './summary/summary-message.ts';
import { framingTokens, type UsageMeter } from './tokens/usage.ts';

/** Share of a digest that is left to the notes of earlier summaries. */
const notesShare = 0.25;

/**
 * What leaving messages hold, copied from them: the notes of earlier summaries, and facts.
 *
 * @param room most tokens of the message that it becomes
 * @returns undefined where there is no room for it
 */
export async function writeDigest(
  leaving: readonly Message[],
  facts: Ledger,
  room: number,
  mark: Mark,
  meter: UsageMeter,
): Promise<CarriedText | undefined> {
  const opening = `${leaving.length} earlier messages were folded without a model; recall(id) returns them.`;
  let left = room - (await meter.countText(summaryText(opening, mark))) - framingTokens;
  if (left <= 0) return undefined;

  // They may be of another session or an earlier version, or of a model that was talked into something.
  const summaries = leaving.filter((message) => message.kind === 'summary');
  const notes = summaries.flatMap(({ content }) =>
    cleanBody(withoutLedger(withoutSummaryTags(textOf(content))), mark).split('\n'),
  );
  const earlier = await linesThatFit('## Earlier notes (data)', notes, left * notesShare, meter);
  left -= earlier.tokens;
  const { text, ledger } = await renderLedger(facts, left, mark, (texts) => meter.countTexts(texts));
  const parts = [opening, ...earlier.lines, text].filter((part) => part !== '');
  return { text: summaryText(parts.join('\n'), mark), carried: { ledger } };
}

/** A title and as many lines as fit, each a line of its own, in the order given. */
async function linesThatFit(
  title: string,
  texts: readonly string[],
  room: number,
  meter: UsageMeter,
): Promise<{ readonly lines: readonly string[]; readonly tokens: number }> {
  const lines = texts.map(factText).filter((line) => line !== '');
  const [titleSize = 0, ...sizes] = await meter.countTexts([
    `${title}\n`,
    ...lines.map((line) => `- ${line}\n`),
  ]);
  const taken: string[] = [];
  let tokens = titleSize;
  for (const [index, line] of lines.entries()) {
    const size = sizes[index] ?? 0;
    if (tokens + size > room) continue;
    taken.push(`- ${line}`);
    tokens += size;
  }
  return taken.length === 0 ? { lines: [], tokens: 0 } : { lines: [title, ...taken], tokens };
}
