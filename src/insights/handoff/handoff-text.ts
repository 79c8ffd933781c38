import type { CountTexts } from '../../compaction/ledger/render-sections.ts';
import { cutToTokens, headAndTail, headOf } from '../../compaction/text/clip.ts';
import { codeBlock } from '../export/markdown-text.ts';

export interface HandoffSection {
  readonly title: string;
  /** Non-empty items, oldest first. */
  readonly items: readonly string[];
  /** Number of older items that the caller left out because they cannot fit. */
  readonly left?: number;
  /** True if all items are in one block of code; false for a list. */
  readonly isCode: boolean;
  /** Relative share of the space if not everything fits; 1 by default. */
  readonly weight?: number;
}

/** A section with its sizes in tokens. */
interface SizedSection {
  readonly section: HandoffSection;
  /** Tokens of the heading and the fences. */
  readonly frame: number;
  /** Tokens of each item. */
  readonly sizes: readonly number[];
  readonly total: number;
}

/** Maximum number of tokens of a note about omitted items. */
const noteTokens = 12;
/** Minimum number of tokens for the items of a section. A section with less space is omitted. */
const leastTokens = 8;

/**
 * Writes a handoff within a token limit. The largest sections are shortened until all fit. Each section keeps its
 * newest items.
 *
 * @param head Markdown before the first section
 * @returns text of at most `limit` tokens; empty if not even the beginning of the head fits
 */
export async function writeHandoff(
  head: string,
  sections: readonly HandoffSection[],
  limit: number,
  count: CountTexts,
): Promise<string> {
  const countText = async (text: string) => (await count([text]))[0] ?? 0;
  const sized = await sizedSections(sections, count);
  const headTokens = await countText(head);
  for (let room = limit; room > headTokens;) {
    const share = largestShare(sized, room - headTokens);
    const parts = sized.flatMap((one) => shortened(one, share * weightOf(one)) ?? []).map(sectionText);
    const text = `${[head, ...parts].join('\n\n')}\n`;
    const tokens = await countText(text);
    if (tokens <= limit) return text;
    // Joined texts take a different number of tokens than the separate texts.
    room = Math.min(room - 1, Math.floor(room * 0.98), room - (tokens - limit));
  }
  return cutToTokens(head, limit, countText, (longest) => headOf(head, longest));
}

async function sizedSections(
  sections: readonly HandoffSection[],
  count: CountTexts,
): Promise<readonly SizedSection[]> {
  const texts = sections.map((section) => [
    sectionText({ ...section, items: [] }),
    ...section.items.map((item) => itemText(item, section.isCode)),
  ]);
  const counted = await count(texts.flat().map((text) => `${text}\n`));
  let position = 0;
  return sections.map((section, index): SizedSection => {
    const [frame = 0, ...sizes] = counted.slice(position, (position += texts[index]!.length));
    return { section, frame, sizes, total: sizes.reduce((sum, size) => sum + size, frame) };
  });
}

/** Returns the largest share per section at which all sections fit in the space. Small sections stay whole. */
function largestShare(sections: readonly SizedSection[], room: number): number {
  const needs = sections
    .map((section) => ({ total: section.total, weight: weightOf(section) }))
    .sort((one, other) => one.total / one.weight - other.total / other.weight);
  let left = room;
  let weights = needs.reduce((sum, { weight }) => sum + weight, 0);
  for (const { total, weight } of needs) {
    const share = left / weights;
    if (total > share * weight) return share;
    left -= total;
    weights -= weight;
  }
  return Infinity;
}

function weightOf({ section: { weight = 1 } }: SizedSection): number {
  return weight;
}

/**
 * Returns a section with its newest items. If not even the newest item fits, it is clipped. Undefined if nothing
 * fits.
 */
function shortened(
  { section, frame, sizes, total }: SizedSection,
  share: number,
): HandoffSection | undefined {
  if (total <= share && section.left === undefined) return section;
  let room = share - frame - noteTokens;
  if (room < leastTokens) return undefined;
  const kept: string[] = [];
  for (const [index, item] of [...section.items.entries()].toReversed()) {
    const size = sizes[index] ?? 0;
    if (size > room) {
      if (kept.length === 0) kept.push(headAndTail(item, Math.floor((item.length * room) / size)));
      break;
    }
    kept.unshift(item);
    room -= size;
  }
  const missing = section.items.length - kept.length + (section.left ?? 0);
  return { ...section, items: missing === 0 ? kept : [`[… ${missing} earlier left out]`, ...kept] };
}

export function sectionText({ title, items, isCode }: HandoffSection): string {
  const body = isCode
    ? codeBlock(items.join('\n'), 'text')
    : items.map((item) => itemText(item, false)).join('\n');
  return `## ${title}\n\n${body}`;
}

/** Writes an item of a list, with its later lines indented so that they stay in the item. */
function itemText(item: string, isCode: boolean): string {
  if (isCode) return item;
  const text = /^[ \t]*(?:`{3}|~{3})/mu.test(item) ? codeBlock(item) : item;
  return `- ${text.replace(/\n/gu, '\n  ')}`;
}
