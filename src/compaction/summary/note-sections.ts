import { type CountTexts, withoutLedger } from '../ledger/render-sections.ts';
import { longestBeginning } from '../ledger/request-lines.ts';
import { requestIn } from '../ledger/request-state.ts';
import { withoutState } from '../ledger/state-lines.ts';
import { isTyped, type Message, textOf } from '../messages/message.ts';
import { ownWords } from '../messages/typed-parts.ts';
import { inQuotes } from '../quoting/quoted.ts';
import { ellipsised } from '../text/clip.ts';
import { withoutSummaryTags } from './summary-form.ts';

/** Headings of the two parts of the notes in every summary, and of notes before the first compaction. */
export const soFarTitle = 'So far';
export const sinceTitle = 'Since the last compaction';
export const repliesTitle = 'From the replies';
export const soFarGuide =
  'from an <earlier_summary> only, merged, in at most a quarter of the length, the older the shorter: first the goal that it all began with, then choices that still hold and why, what was done, what was tried and did not work';

/** Share of the notes that notes of earlier compactions may take. */
export const soFarShare = 1 / 4;
const leastOld = 200;
const lasting: ReadonlySet<string> = new Set(['Goal', 'Rules', 'Rules and choices']);

interface Notes {
  readonly soFar: readonly string[];
  /** Notes of the last compaction, in the order in which they were written. */
  readonly since: readonly string[];
}

/** Lines around notes that are written again for each summary. */
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
const plain: ReadonlySet<string> = new Set(['', repliesTitle, 'Notes', 'Earlier', 'Earlier notes (data)']);
const nothing = /^nothing of note\.?$/iu;

/** Reads the notes of any summary. Notes without our headings count as notes of the last compaction. */
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

/** Removes the oldest lines that a model repeated from earlier notes, until earlier lines keep to their share. */
export async function agedNotes(notes: string, sources: readonly Message[], count: CountTexts) {
  const earlier = sources.filter(({ kind }) => kind === 'summary');
  const known = new Set(earlier.flatMap(({ content }) => withoutSummaryTags(textOf(content)).split('\n')));
  const lines = notes.split('\n');
  const sizes = await count(lines.map((line) => `${line}\n`));
  const sum = (places: readonly number[]) => places.reduce((total, place) => total + (sizes[place] ?? 0), 0);
  const sections = sectionsIn(lines);
  const soFar = sections.get(soFarTitle) ?? [];
  const carried = [...sections]
    .filter(([title]) => title !== soFarTitle && !lasting.has(title))
    // In every section, the first line is the oldest.
    .flatMap(([, places]) => places.map((place, index) => ({ place, age: index / places.length })))
    .filter(({ place }) => known.has(lines[place]!))
    .toSorted((one, other) => one.age - other.age)
    .map(({ place }) => place);
  const total = sum([...lines.keys()]);
  const gone = new Set([
    ...beyond(soFar, sizes, Math.max(leastOld, total * soFarShare)),
    ...beyond(carried, sizes, Math.max(leastOld, total - sum(carried))),
  ]);
  return gone.size === 0 ? notes : lines.filter((_line, place) => !gone.has(place)).join('\n');
}

/** Heading → indices of the lines below it, without the first line. */
function sectionsIn(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const sections = new Map<string, number[]>();
  let title = '';
  let isFirst = true;
  for (const [place, line] of lines.entries()) {
    const heading = /^#{1,3} (.*)$/u.exec(line)?.[1]?.trim();
    if (heading !== undefined) [title, isFirst] = [heading, true];
    else if (isFirst) isFirst = line.trim() === '';
    else if (!sections.get(title)?.push(place)) sections.set(title, [place]);
  }
  return sections;
}

function beyond(places: readonly number[], sizes: readonly number[], room: number): readonly number[] {
  let left = room;
  const first = places.findLastIndex((place) => (left -= sizes[place] ?? 0) < 0);
  return places.slice(0, first + 1);
}

/** Takes the first line, and then the newest lines until one is refused. Keeps the order. */
export function newestLines(
  lines: readonly string[],
  most: number,
  take: (line: string) => boolean,
): readonly string[] {
  const [first, ...later] = lines;
  if (first === undefined || !take(first)) return [];
  const newest: string[] = [];
  for (const line of later.toReversed()) {
    if (newest.length + 1 >= most || !take(line)) break;
    newest.unshift(line);
  }
  return [first, ...newest];
}

export function noteSection(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, ...lines.map((line) => `- ${line}`)];
}

/**
 * Writes a sentence of a reply as a line of notes.
 *
 * @param asked the request that the reply answers
 */
export function noteOn(asked: Message | undefined, said: string): string {
  if (asked === undefined) return said;
  return `On ${isTyped(asked) ? '' : 'the task '}${inQuotes(ellipsised(requestIn(ownWords(asked)), longestBeginning))}: ${said}`;
}

const onRequest = /^(?:- )?On (?:the task )?“[^“”]*”: /u;

/** Returns the sentences in a line of notes, without the request that they answer. */
export function saidIn(note: string): string {
  return note.replace(onRequest, '');
}

/** Removes sentences that appear elsewhere, and headings without lines. */
export function withoutSentencesSaid(notes: string, told: readonly string[]): string {
  const left = notes.split('\n').flatMap((line) => {
    const [start = '- '] = onRequest.exec(line) ?? [];
    if (!line.startsWith(start)) return [line];
    const said = line.slice(start.length);
    const untold = told.reduce((text, sentence) => text.replace(sentence, ''), said);
    if (untold === said) return [line];
    return untold.trim() === '' ? [] : [`${start}${untold.replace(/ {2,}/gu, ' ').trim()}`];
  });
  const isHeading = (line: string | undefined) => line === undefined || line.startsWith('## ');
  return left.filter((line, index) => !isHeading(line) || !isHeading(left[index + 1])).join('\n');
}

/** Tag of a plan. The strategy copies the plan separately, word for word. */
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
