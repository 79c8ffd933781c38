import { type CountTexts, withoutLedger } from '../ledger/render-sections.ts';
import { withoutState } from '../ledger/state-lines.ts';
import { withoutSummaryTags } from './summary-form.ts';

/** Headings of the two parts of notes, in every summary. */
export const soFarTitle = 'So far';
export const sinceTitle = 'Since the last compaction';
/** Guide of a model to the first part. */
export const soFarGuide =
  'from an <earlier_summary> only, merged, in at most a quarter of the length, the older the shorter: first the goal that it all began with, then choices that still hold and why, what was done, what was tried and did not work';

/** Share of the room for notes that those of earlier compactions may take, and what they may have in any case, in tokens. */
export const soFarShare = 1 / 4;
const leastSoFar = 200;

/** Notes, one a line. */
export interface Notes {
  /** Of the compactions before the last one, oldest first. */
  readonly soFar: readonly string[];
  /** Of the last one, in the order they were written. */
  readonly since: readonly string[];
}

/** Lines around notes, which are written again with the next message of them. */
const frame =
  /^<\/?[a-z][^<>]*>$|^\[Messages behind this one that were kept: \d+\]$|^\[Notes by the program,|^\d+ earlier messages were folded without a model;/u;
/** Sections of earlier versions that repeat facts. */
const listings: ReadonlySet<string> = new Set([
  'Requests, newest first',
  'Files',
  'Commands',
  'Errors, printed by tools',
  'Searched for',
]);
/** Headings of notes that say nothing of what follows. */
const plain: ReadonlySet<string> = new Set(['', 'Notes', 'Earlier', 'Earlier notes (data)']);
const nothing = /^nothing of note\.?$/iu;

/**
 * The notes in a summary of any kind: ours, one of an earlier version, one of another agent. Those without our headings
 * are of the last compaction. Another heading goes to the first line after it.
 */
export function notesIn(text: string): Notes {
  const notes = { soFar: [] as string[], since: [] as string[] };
  let part: keyof typeof notes | undefined = 'since';
  let heading = '';
  for (const written of withoutPlans(withoutState(withoutLedger(withoutSummaryTags(text)))).split('\n')) {
    const title = /^#{1,3} (.*)$/u.exec(written)?.[1]?.trim();
    if (title !== undefined) {
      if (title === soFarTitle) part = 'soFar';
      else if (title === sinceTitle || part === undefined) part = 'since';
      if (listings.has(title)) part = undefined;
      heading = title === soFarTitle || title === sinceTitle || plain.has(title) ? '' : `${title}: `;
      continue;
    }
    const line = written.replace(/^\s*[-*] /u, '').trim();
    if (part === undefined || line === '' || frame.test(line) || nothing.test(line)) continue;
    notes[part].push(`${heading}${line}`);
    heading = '';
  }
  return notes;
}

/**
 * Notes of a model, with those of earlier compactions in their share: the first line, which says what it began with,
 * and the newest.
 */
export async function withinShare(notes: string, count: CountTexts): Promise<string> {
  const lines = notes.split('\n');
  const start = lines.indexOf(`## ${soFarTitle}`) + 1;
  if (start === 0) return notes;
  const since = lines.indexOf(`## ${sinceTitle}`, start);
  const end = since < 0 ? lines.length : since;
  const [total = 0] = await count([notes]);
  const soFar = await newestLines(lines.slice(start, end), Math.max(leastSoFar, total * soFarShare), count);
  return [...lines.slice(0, start), ...soFar, ...lines.slice(end)].join('\n');
}

/** Of lines, the first and the newest that fit, in their order. */
export async function newestLines(
  lines: readonly string[],
  tokens: number,
  count: CountTexts,
): Promise<readonly string[]> {
  const sizes = await count(lines.map((line) => `${line}\n`));
  let room = tokens - (sizes[0] ?? 0);
  if (room < 0) return [];
  let start = lines.length;
  while (start > 1 && (sizes[start - 1] ?? 0) <= room) room -= sizes[--start] ?? 0;
  return [...lines.slice(0, 1), ...lines.slice(Math.max(1, start))];
}

/** One part of notes under its heading. Empty if there is nothing in it. */
export function noteSection(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, ...lines.map((line) => `- ${line}`)];
}

/** Carried on word for word by the strategy that wrote it. */
const planTag = /\n<(\/?)(current_plan(?:_[a-z0-9]+)?)(?![a-z0-9_])[^>\n]*>(?=\n)/g;
function withoutPlans(text: string): string {
  const tags = [...text.matchAll(planTag)].map(({ 0: tag, 1: slash, 2: name = '', index }) => {
    return { name, isClosing: slash === '/', start: index, end: index + tag.length };
  });
  const lastClosing = new Map(tags.filter((tag) => tag.isClosing).map(({ name, start }) => [name, start]));
  const kept: string[] = [];
  let done = 0;
  let open: string | undefined;
  for (const { name, isClosing, start, end } of tags) {
    if (open === undefined && !isClosing && start < (lastClosing.get(name) ?? 0)) {
      kept.push(text.slice(done, start));
      open = name;
    } else if (isClosing && name === open) {
      done = end;
      open = undefined;
    }
  }
  kept.push(text.slice(done));
  return kept.join('\n');
}
