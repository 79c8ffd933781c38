import type { Question } from './question.ts';
import { fenced, type FileQuote, renderQuote, type SearchResult } from './quotes.ts';
import type { FilePassage } from './ranking.ts';
import type { Term } from './offline-terms.ts';
import type { FoundLine, ReadLines } from './offline-turn.ts';

const setKey = 'run "Context Budget: Set API Key"';
const longestRecalled = 60;
const longestListing = 60;
const longestRead = 40;
const mostMentions = 6;

export const smallTalk = `This is the offline model. It needs no network and no key, and it cannot converse: it searches the open folder and quotes what it finds.

Ask with a word that stands in the files, for example "Where is \`createServer\` defined?", "read README.md" or "list the files in src".

To talk to a language model, ${setKey}.`;

export function answerToSearch(result: SearchResult): string {
  const { quotes, passages, hits, isPartial, files, missingFiles } = result;
  if (quotes.length === 0 && hits.length === 0) {
    return notFound(missingFiles.length > 0 ? missingFiles : files, result.terms, undefined, result.listing);
  }
  const found =
    hits.length === 0
      ? ''
      : ` and found ${isPartial ? 'more than ' : ''}${counted(hits.length, 'line')} in ${counted(new Set(hits.map(({ path }) => path)).size, 'file')}`;
  const missing = missingFiles.length === 0 ? '' : ` There is no file ${inCode(missingFiles)}.`;
  const searched = inCode([...files, ...result.terms.map(({ text }) => text)].slice(0, 8));
  const shown = distinct(quotes);
  const parts = [
    `I searched for ${searched}${found}.${missing}`,
    ...(shown.length > 0 ? shown.map(renderQuote) : [linesOf(passages)]),
    mentions(passages, shown),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

export function notFound(
  files: readonly string[],
  terms: readonly Term[],
  refusal?: string,
  listing?: string,
): string {
  const searched = inCode([...files, ...terms.map(({ text }) => text)]);
  const parts = [
    `I searched for ${searched} and found nothing.`,
    refusal === undefined ? '' : `The tool said: ${refusal.split('\n')[0] ?? ''}`,
    'Try a name as it is written in the code, a shorter part of it, or the path of a file.',
    listing === undefined ? '' : `The folder holds:\n\n${clippedBlock(listing, 20)}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Returns the answer if the necessary tools are missing. */
export function unavailable(question: Question): string {
  const reason =
    question.kind === 'recall'
      ? 'Nothing can be recalled here.'
      : 'There is nothing to search: no folder is open, or it is not trusted.';
  return reason;
}

export function quoteRecalled(id: string, text: string): string {
  return `The original of \`${id}\`:\n\n${clippedBlock(text, longestRecalled)}`;
}

export function quoteListing(what: string, listing: string): string {
  return `\`${what}\`:\n\n${clippedBlock(listing, longestListing)}`;
}

export function quoteOverview(listing: string | undefined, readme: FileQuote | undefined): string {
  const parts = [
    readme === undefined ? 'There is no README to quote.' : `What the README says:\n\n${renderQuote(readme)}`,
    listing === undefined ? '' : `The folder holds:\n\n${clippedBlock(listing, longestListing)}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Quotes a file that was requested by name. Without a range, it quotes the beginning. */
export function quoteRead(
  read: ReadLines,
  range: { readonly start: number; readonly end: number | undefined },
): string {
  const first = Math.max(range.start, Math.min(...read.lines.keys()));
  const last = Math.min(
    range.end ?? Number.POSITIVE_INFINITY,
    first + longestRead - 1,
    Math.max(...read.lines.keys()),
  );
  const lines: string[] = [];
  for (let line = first; line <= last; line++) lines.push(read.lines.get(line) ?? '');
  const { path, total = last } = read;
  const more =
    total > last
      ? `\n\nThe file has ${total} lines. To see more, ask for \`${path}:${last + 1}-${last + longestRead}\`.`
      : '';
  return `${renderQuote({ path, first, lines })}${more}`;
}

/** Removes the lower-ranked of two overlapping quotes, because both show the same lines. */
function distinct(quotes: readonly FileQuote[]): readonly FileQuote[] {
  return quotes.filter(
    (quote, index) =>
      !quotes
        .slice(0, index)
        .some(
          (earlier) =>
            earlier.path === quote.path &&
            quote.first < earlier.first + earlier.lines.length &&
            earlier.first < quote.first + quote.lines.length,
        ),
  );
}

/** Quotes lines from the search results if no file could be read. */
function linesOf(passages: readonly FilePassage[]): string {
  return passages
    .slice(0, 3)
    .map(({ best }) => renderQuote({ path: best.path, first: best.line, lines: [best.text] }))
    .join('\n\n');
}

function mentions(passages: readonly FilePassage[], quotes: readonly FileQuote[]): string {
  const isQuoted = ({ path, line }: FoundLine) =>
    quotes.some(
      (quote) => quote.path === path && line >= quote.first && line < quote.first + quote.lines.length,
    );
  const places = passages
    .filter(({ best }) => !isQuoted(best))
    .slice(0, mostMentions)
    .map(({ path, best }) => `\`${path}:${best.line}\``);
  return places.length === 0 ? '' : `Also in ${places.join(', ')}.`;
}

function clippedBlock(text: string, longest: number): string {
  const lines = text.split('\n');
  const left = lines.length - longest;
  const note = left > 0 ? `\n\n${counted(left, 'more line')}.` : '';
  return `${fenced(lines.slice(0, longest).join('\n'))}${note}`;
}

function inCode(names: readonly string[]): string {
  return names.map((name) => `\`${name.replaceAll('`', "'")}\``).join(', ');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
