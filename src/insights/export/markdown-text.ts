import { escapeHtml } from './html-page.ts';

/**
 * Writes plain text on one line of Markdown. Brackets become entities, because a backslash before a bracket could
 * become part of a preceding URL.
 */
export function inlineMarkdown(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/[&<>[\]]/gu, entityOf)
    .replace(/[\\`*_#|~!]/gu, '\\$&');
}

function entityOf(sign: string): string {
  return `&#${sign.charCodeAt(0)};`;
}

/** Writes text as a block of code, even if the text contains fences. */
export function codeBlock(text: string, language = ''): string {
  const runs = text.match(/`{3,}/gu) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, { length }) => Math.max(longest, length + 1), 3));
  return `${fence}${language}\n${text.replace(/\r\n?/gu, '\n').replace(/\n$/u, '')}\n${fence}`;
}

/**
 * Rewrites foreign Markdown so that it cannot affect the rest of the document. Fences are closed, tags and pictures
 * become text, headings are smaller than the document's, and links show their URLs.
 */
export function foreignMarkdown(text: string): string {
  return fenceSegments(text)
    .map(({ type, text: part, language }) => (type === 'code' ? codeBlock(part, language) : prose(part)))
    .join('\n\n');
}

const codeSpan = /(?<!`)(`+)(?!`)[^`\n]+(?:(?!\1(?!`))`+[^`\n]+)*(?<!`)\1(?!`)/gu;
const headingLevels = 2;
/** Markers of quotes and lists. A heading may follow them. */
const containers = String.raw`(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*`;
const heading = new RegExp(String.raw`^(${containers})(#{1,6})(?=\s|$)`, 'u');
/** A line of `=` or `-` that turns the line above it into a heading. */
const underline = /^([ \t>]*)([-=])(?=\2*[ \t]*$)/u;

function prose(text: string): string {
  const lines = text.split('\n');
  const demoted = lines.map((line, index) => withoutHeading(line, lines[index - 1] ?? '')).join('\n');
  // Code spans keep their characters only if all spans are unambiguous. The end of a table cell also ends a span.
  const spans = demoted.match(codeSpan) ?? [];
  const isCertain =
    !demoted.includes('\\`') &&
    !demoted.replace(codeSpan, '').includes('`') &&
    !spans.some((span) => span.includes('|'));
  if (!isCertain) return asText(demoted);
  let written = '';
  let behind = 0;
  for (const { 0: span, index } of demoted.matchAll(codeSpan)) {
    written += asText(demoted.slice(behind, index)) + span;
    behind = index + span.length;
  }
  return written + asText(demoted.slice(behind));
}

function withoutHeading(line: string, before: string): string {
  const smaller = line.replace(heading, (_, space: string, signs: string) => {
    return `${space}${'#'.repeat(Math.min(6, signs.length + headingLevels))}`;
  });
  const isBelowText = /[^ \t>]/u.test(before);
  return isBelowText
    ? smaller.replace(underline, (_, space: string, sign: string) => `${space}${entityOf(sign)}`)
    : smaller;
}

/** Turns characters that form tags, or separate the text of a link or picture from its URL, into entities. */
function asText(text: string): string {
  return text.replace(/\\([<\]])|\\[^]|<(?=[a-z/!?])|\](?=[(:])/giu, (found, escaped?: string) => {
    return found.startsWith('\\') && escaped === undefined ? found : entityOf(escaped ?? found);
  });
}

/**
 * Returns a collapsed part of a Markdown document.
 *
 * @param title plain text; it is put on one line
 * @param blocks Markdown without tags
 */
export function folded(title: string, blocks: readonly string[]): string {
  const summary = escapeHtml(title.replace(/\s+/gu, ' '));
  return [`<details><summary>${summary}</summary>`, ...blocks, '</details>'].join('\n\n');
}

/** A part of a Markdown text. */
interface TextSegment {
  readonly type: 'prose' | 'code';
  readonly text: string;
  /** The language after a code block's fence: letters, digits, `_` and `+ - #`. Empty for prose. */
  readonly language: string;
}

const opening = /^ {0,3}(?<fence>`{3,}(?!`)|~{3,}(?!~))(?<info>[^]*)$/u;

/** Splits a string at its code fences. As in Markdown, a block without a closing fence extends to the end. */
export function fenceSegments(text: string): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  let lines: string[] = [];
  let fence: { readonly marker: string; readonly language: string } | undefined;
  const finish = () => {
    const segment = { text: lines.join('\n'), language: fence?.language ?? '' };
    if (fence !== undefined) segments.push({ type: 'code', ...segment });
    else if (segment.text.trim() !== '') segments.push({ type: 'prose', ...segment });
    lines = [];
  };
  for (const line of text.split(/\r\n|\r|\n/u)) {
    const { fence: marker, info = '' } = opening.exec(line)?.groups ?? {};
    const closes =
      fence !== undefined && marker !== undefined && marker.startsWith(fence.marker) && info.trim() === '';
    const opens =
      fence === undefined && marker !== undefined && !(marker.startsWith('`') && info.includes('`'));
    if (!closes && !opens) {
      lines.push(line);
      continue;
    }
    finish();
    fence = opens ? { marker, language: /^[\w+#-]*/u.exec(info.trim())?.[0] ?? '' } : undefined;
  }
  finish();
  return segments;
}
