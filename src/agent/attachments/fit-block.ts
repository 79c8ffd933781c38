import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { numberLines, type NumberedText } from '../ingest/numbered-text.ts';
import { shorten } from '../ingest/shorten.ts';
import { writeWithin } from '../ingest/write-within.ts';

/** Where an attachment stands in the whole text of its message, so that `recall` finds its lines by their numbers. */
export interface Surroundings {
  /** Lines in front of it. */
  readonly linesBefore: number;
  /** Lines of the whole text. */
  readonly lines: number;
  readonly messageId: string;
}

/** An attachment is what somebody wrote down: no line of it tells how a command went. */
const nothingTelling = { failures: [], warnings: [] };

/**
 * Beginning and end of a text, around what says how the rest is recalled, in so many tokens. Where not even that fits,
 * it is what there is at least.
 *
 * @param tokens of the whole text
 * @param limit tokens
 */
export async function fitBlock(
  text: string,
  tokens: number,
  limit: number,
  { linesBefore, lines, messageId }: Surroundings,
  meter: UsageMeter,
): Promise<string> {
  const own = numberLines(text);
  const shortening = {
    numbered: within(own, linesBefore, lines),
    telling: nothingTelling,
    messageId,
    headline: `${own.count} ${own.count === 1 ? 'line' : 'lines'}, ${tokens} tokens`,
  };
  const room = Math.min(text.length - 1, Math.floor((text.length * limit) / tokens));
  const write = (characters: number) => shorten(shortening, characters);
  return (await writeWithin(write, room, limit, meter)) ?? write(0);
}

/** The same lines by the numbers that they have in a longer text. */
function within(own: NumberedText, linesBefore: number, lines: number): NumberedText {
  return {
    text: own.text,
    count: lines,
    startOf: (number) => own.startOf(number - linesBefore),
    line: (number) => own.line(number - linesBefore),
    between: (first, last) => own.between(first - linesBefore, last - linesBefore),
    numberAt: (position) => own.numberAt(position) + linesBefore,
  };
}
