import { headOf, tailOf } from '../compaction/text/clip.ts';

/** The form of the text that differs, or what happened to the end of the text. */
export type ChangeForm = 'date' | 'time' | 'id' | 'path' | 'number' | 'appended' | 'shortened' | 'text';

/** The first difference of two texts. The texts are untrusted. */
export interface ChangedText {
  /** The nearest heading or tag before the difference that is still open. */
  readonly section?: string;
  readonly form: ChangeForm;
  /** Excerpts around the first character that differs. */
  readonly before: string;
  readonly after: string;
}

/** Maximum characters of an excerpt before and after the difference, and of a section's name. */
const lead = 30;
const rest = 60;
const longestSection = 60;

/** Finds the first difference of two texts that differ. */
export function changedText(before: string, after: string): ChangedText {
  let at = 0;
  while (at < before.length && at < after.length && before[at] === after[at]) at++;
  const section = sectionAt(before, at);
  return {
    ...(section === undefined ? {} : { section }),
    form: formAt(before, after, at),
    before: excerpt(before, at),
    after: excerpt(after, at),
  };
}

function excerpt(text: string, at: number): string {
  const head = headOf(text, at);
  return tailOf(head, lead) + headOf(text.slice(head.length), rest);
}

/** Characters on each side in which a form is recognised. Longer values are text. */
const reach = 80;

const month = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?';
/** Forms in order of precedence: a date contains numbers, and an id may contain a number. */
const forms: readonly (readonly [ChangeForm, RegExp])[] = [
  ['date', /\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d{1,2}:\d{2}[\d:.]*(?:Z|[+-]\d{2}:?\d{2})?)?/giu],
  ['date', /\b\d{1,2}[-/.]\d{1,2}[-/.]\d{4}\b/giu],
  ['date', new RegExp(`\\b(?:${month} \\d{1,2}|\\d{1,2} ${month})(?:,? \\d{4})?`, 'giu')],
  ['date', /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b/giu],
  ['time', /\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?: ?[ap]m)?\b/giu],
  ['id', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu],
  ['path', /(?:[a-z]:|~|\.{1,2})?(?:[\\/][\w.@+-]+){2,}[\\/]?/giu],
  ['path', /\b[\w.@+-]+(?:[\\/][\w.@+-]+)+/giu],
  ['id', /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{7,}/giu],
  ['number', /\d[\d.,]*/gu],
];

function formAt(before: string, after: string, at: number): ChangeForm {
  const start = Math.max(0, at - reach);
  const [one, other] = [before, after].map((text) => text.slice(start, at + reach));
  for (const [form, pattern] of forms) {
    if (covers(pattern, one!, at - start) && covers(pattern, other!, at - start)) return form;
  }
  if (at === before.length) return 'appended';
  return at === after.length ? 'shortened' : 'text';
}

/** True if a match includes a position, or ends there: the longer of two numbers may only add a digit. */
function covers(pattern: RegExp, text: string, at: number): boolean {
  return [...text.matchAll(pattern)].some(({ index, 0: match }) => index <= at && at <= index + match.length);
}

/** Headings, fences of code, and tags at the start of a line; closing tags anywhere. */
const marks =
  /^ {0,3}#{1,6}[ \t](?<heading>.+)$|^[ \t]*(?<fence>```|~~~)|^[ \t]*<(?<opened>[A-Za-z][\w.:-]{0,60})(?:[ \t][^<>\n]{0,200})?>|<\/(?<closed>[A-Za-z][\w.:-]{0,60})>/gmu;

/** Finds the heading or tag that a position is under. The line of the position itself does not name a section. */
function sectionAt(text: string, at: number): string | undefined {
  const open: { readonly name: string; readonly isTag: boolean }[] = [];
  let isCode = false;
  const above = text.slice(0, text.lastIndexOf('\n', at - 1) + 1);
  for (const { groups = {} } of above.matchAll(marks)) {
    const { heading, fence, opened, closed } = groups;
    if (fence !== undefined) isCode = !isCode;
    if (isCode) continue;
    if (heading !== undefined) {
      if (open.at(-1)?.isTag === false) open.pop();
      open.push({ name: heading.trim(), isTag: false });
    } else if (opened !== undefined) open.push({ name: opened, isTag: true });
    else if (closed !== undefined) {
      const place = open.findLastIndex(({ name, isTag }) => isTag && name === closed);
      if (place >= 0) open.length = place;
    }
  }
  const name = open.at(-1)?.name;
  return name === undefined ? undefined : headOf(name, longestSection);
}
