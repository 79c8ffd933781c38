import { closingOf, type TagSuffix, openingOf } from '../quoting/session-tags.ts';

const tag = 'ledger';

/** Counts the tokens of texts, in the order given. */
export type CountTexts = (texts: readonly string[]) => Promise<readonly number[]>;

interface Section {
  readonly title: string;
  /** Share of the room that a section may take first, before the rest is divided. */
  readonly share: number;
  /** Lines without line feeds and without text that looks like a marker, most important first. */
  readonly lines: readonly string[];
  /** Indices of the lines in the order of writing; by default, the order of `lines`. */
  readonly order?: readonly number[];
}

/** The written sections. */
interface WrittenSections {
  /** Empty if not even one line fits. */
  readonly text: string;
  /** Indices of the lines of each section that are in the text. */
  readonly taken: readonly ReadonlySet<number>[];
}

/**
 * Writes sections between delimiters of the session, within a token limit. Each section first gets its share
 * for its most important lines. The remaining room goes to the sections in turn.
 */
export async function renderSections(
  sections: readonly Section[],
  tokens: number,
  tagSuffix: TagSuffix,
  count: CountTexts,
): Promise<WrittenSections> {
  const titles = sections.filter(({ lines }) => lines.length > 0).map(({ title }) => `## ${title}\n`);
  const frame = [openingOf(tag, tagSuffix), closingOf(tag, tagSuffix), ...titles];
  const written = sections.flatMap(({ lines }) => lines.map((line) => `- ${line}\n`));
  const counted = await count([...frame, ...written]);
  let room = tokens - counted.slice(0, frame.length).reduce((total, size) => total + size, 2);
  const available = room;
  let start = frame.length;
  const sizes = sections.map(({ lines }) => counted.slice(start, (start += lines.length)));
  const taken = sections.map(() => new Set<number>());
  const take = (index: number, most: number): void => {
    let left = Math.min(most, room);
    for (const [line, size] of sizes[index]!.entries()) {
      if (taken[index]!.has(line) || size > left) continue;
      taken[index]!.add(line);
      left -= size;
      room -= size;
    }
  };
  for (const [index, { share }] of sections.entries()) take(index, available * share);
  for (const index of sections.keys()) take(index, room);
  const body = sections.flatMap(({ title, lines, order = [...lines.keys()] }, index) => {
    const chosen = order.filter((line) => taken[index]!.has(line));
    return chosen.length === 0 ? [] : [`## ${title}`, ...chosen.map((line) => `- ${lines[line]!}`)];
  });
  const text =
    body.length === 0 ? '' : [openingOf(tag, tagSuffix), ...body, closingOf(tag, tagSuffix)].join('\n');
  return { text, taken };
}

const block = /<ledger(_[a-z0-9]+)?>\n[\s\S]*?\n<\/ledger\1>/gu;

/** Removes written sections from a text. */
export function withoutLedger(text: string): string {
  const without = text.replace(block, '');
  return without === text ? text : without.trim();
}
