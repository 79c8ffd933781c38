import { type Message, textOf } from '../compaction/messages/message.ts';
import { notesIn, saidIn } from '../compaction/summary/note-sections.ts';
import { proseSentences } from '../compaction/ledger/own-sentences.ts';

/**
 * Ages of the notes in a view. A line of a summary's notes that repeats words of a removed message has the
 * relative position of the newest such message among all removed ones: 0 for the oldest, 1 for the newest.
 * Other lines have none.
 *
 * @param messages all original messages
 */
export function noteAges(messages: readonly Message[], view: readonly Message[]): readonly number[] {
  const left = new Set(view.map(({ id }) => id));
  const texts = messages.filter(({ id }) => !left.has(id)).map(({ content }) => foldedText(textOf(content)));
  const ends: number[] = [];
  for (const { length } of texts) ends.push((ends.at(-1) ?? 0) + length);
  const whole = ends.at(-1) ?? 0;
  return view
    .filter(({ kind }) => kind === 'summary')
    .map(({ content }) => notesIn(textOf(content)))
    .flatMap(({ soFar, since }) => [...soFar, ...since])
    .map((line) => foldedText(proseSentences(saidIn(line))[0] ?? line))
    .map((said) => texts.findLastIndex((text) => text.includes(said)))
    .filter((index) => index >= 0)
    .map((index) => (ends[index] ?? 0) / whole);
}

/**
 * Compacts a growing transcript at the ends of parts of equal text length.
 *
 * @param compactView returns the smaller view, or the same one; `history` is all original messages so far
 */
export async function viewAfterRounds(
  messages: readonly Message[],
  rounds: number,
  compactView: (view: readonly Message[], history: readonly Message[]) => Promise<readonly Message[]>,
): Promise<readonly Message[]> {
  let view: readonly Message[] = [];
  let start = 0;
  for (const end of endsOfParts(messages, rounds)) {
    view = await compactView([...view, ...messages.slice(start, end)], messages.slice(0, end));
    start = end;
  }
  return view;
}

/** Ends of equal parts, ascending; none within an exchange. */
function endsOfParts(messages: readonly Message[], parts: number): readonly number[] {
  const sizes = messages.map(({ content, tool_calls: calls = [] }) =>
    calls.reduce((sum, { function: called }) => sum + called.arguments.length, textOf(content).length),
  );
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const ends: number[] = [];
  let said = 0;
  for (const [index, size] of sizes.entries()) {
    said += size;
    const isDue = said >= (whole * (ends.length + 1)) / parts;
    if (isDue && messages[index + 1]?.role !== 'tool') ends.push(index + 1);
  }
  if (ends.at(-1) !== messages.length) ends.splice(Math.min(ends.length, parts - 1), 1, messages.length);
  return ends;
}

function foldedText(text: string): string {
  return text
    .replace(/\[([^[\]\n]+)\]\([^()\n]+\)/gu, '$1')
    .replace(/[\s*#>-]+/gu, ' ')
    .trim();
}
