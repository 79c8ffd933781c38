import path from 'node:path';
import { ellipsised } from '../../compaction/text/clip.ts';
import type { Term, QuestionTerms } from './offline-terms.ts';
import {
  type FoundLine,
  hitsIn,
  type MadeCall,
  foundPaths,
  type ReadLines,
  readsIn,
} from './offline-turn.ts';
import { isProse, isSameFile, type FilePassage, rankPassages } from './ranking.ts';

/** Lines of a file to show. */
export interface FileQuote {
  readonly path: string;
  readonly first: number;
  readonly lines: readonly string[];
}

const longestQuote = 12;
/** Maximum characters of a line, including the ellipsis. */
const longestLine = 201;
/** Maximum number of comment lines quoted above a definition. */
const longestIntroduction = 5;

const comment = /^\s*(?:\/\/|\/?\*|#(?!#|!)|--|"""|@\w)/;

/** Quotes the lines around a hit, from the comment above to the end of the block or paragraph. */
export function quoteAround(read: ReadLines, first: number, last: number, longest = longestQuote): FileQuote {
  const textAt = (line: number) => read.lines.get(line);
  const isBlank = (line: number) => (textAt(line) ?? '').trim() === '';
  const isText = isProse(read.path);
  // Several parts of a file may have been read. Only the part around the hit is used.
  let firstRead = first;
  let lastRead = first;
  while (read.lines.has(firstRead - 1)) firstRead--;
  while (read.lines.has(lastRead + 1)) lastRead++;

  let start = first;
  const highest = Math.max(firstRead, start - longestIntroduction);
  const belongsAbove = (line: number) => (isText ? !isBlank(line) : comment.test(textAt(line) ?? ''));
  while (start > highest && belongsAbove(start - 1)) start--;
  // A paragraph is quoted with its heading.
  if (isText && start - 2 >= highest && isBlank(start - 1) && (textAt(start - 2) ?? '').startsWith('#'))
    start -= 2;

  const indent = indentOf(textAt(first) ?? '');
  const lowest = Math.min(lastRead, start + longest - 1);
  let end = Math.min(Math.max(start, last), lowest);
  while (end < lowest && !isBorder(end)) end++;
  while (end > start && isBlank(end)) end--;
  const lines: string[] = [];
  for (let line = start; line <= end; line++) lines.push(ellipsised(textAt(line) ?? '', longestLine));
  return { path: read.path, first: start, lines };

  function isBorder(line: number): boolean {
    if (line < last) return false;
    const next = textAt(line + 1) ?? '';
    if (isText) return isBlank(line + 1) && line - start >= 2 && !(textAt(line) ?? '').startsWith('#');
    const isClosing = /^\s*[)\]}]/.test(textAt(line) ?? '') && indentOf(textAt(line) ?? '') <= indent;
    return isClosing || (isBlank(line + 1) && line - start >= 3 && indentOf(next) <= indent);
  }
}

/** Writes a quote as Markdown: its place, then the lines. */
export function renderQuote({ path: file, first, lines }: FileQuote): string {
  const last = first + lines.length - 1;
  const where = `\`${file}:${first === last ? first : `${first}-${last}`}\``;
  return `${where}\n\n${fenced(lines.join('\n'), path.extname(file).slice(1))}`;
}

/** Puts a text in a code block with a fence that does not occur in the text. */
export function fenced(text: string, language = ''): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The findings of all searches in one turn. */
export interface SearchResult {
  readonly files: readonly string[];
  readonly missingFiles: readonly string[];
  readonly terms: readonly Term[];
  readonly hits: readonly FoundLine[];
  readonly isPartial: boolean;
  readonly passages: readonly FilePassage[];
  readonly targets: readonly Target[];
  readonly quotes: readonly FileQuote[];
  readonly listing: string | undefined;
}

/** Lines of a file to read for the answer. */
export type Target = Pick<FilePassage, 'path' | 'first' | 'last'> & { readonly best?: FilePassage['best'] };

const mostQuotes = 3;
/** Maximum number of lines of a passage. A quote from a longer passage is cut around its best line. */
const longestFocus = 8;

export function searchResult({ files, terms }: QuestionTerms, made: readonly MadeCall[]): SearchResult {
  const hits = hitsIn(made);
  const paths = foundPaths(made);
  const passages = rankPassages(hits, terms, files);
  const named = files.flatMap((file) => paths.filter((path) => isSameFile(path, file)).slice(0, 1));
  // A file without other hits is shown from its beginning if it was named, or if nothing else was found.
  const heads = [...named, ...(passages.length === 0 ? paths : [])]
    .filter((path) => !passages.some((passage) => passage.path === path))
    .map((path): Target => ({ path, first: 1, last: 4 }));
  const targets = [...heads, ...passages].slice(0, mostQuotes);
  return {
    files,
    missingFiles: files.filter(
      (file) => !file.includes('*') && !paths.some((path) => isSameFile(path, file)),
    ),
    terms,
    hits,
    isPartial: made.some(({ tool, result = '' }) => tool === 'search_text' && /^\[The first /m.test(result)),
    passages,
    targets,
    quotes: targets.flatMap((target) => {
      const read = readsIn(made).find(({ path, lines }) => path === target.path && lines.has(target.first));
      return read === undefined ? [] : [quoteAround(read, ...focusOf(target))];
    }),
    listing: made.find(({ tool }) => tool === 'list_directory')?.result,
  };
}

function focusOf({ first, last, best }: Target): [number, number] {
  return best !== undefined && last - first > longestFocus ? [best.line, best.line] : [first, last];
}
