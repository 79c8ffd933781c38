import { quoteAround, type Quote } from './quotes.ts';
import { isSameFile, rankPassages, type Passage } from './ranking.ts';
import type { Term, Terms } from './terms.ts';
import { hitsIn, pathsIn, readsIn, type Hit } from './tool-output.ts';
import type { MadeCall } from './turn.ts';

/** Everything that the searches of one turn came to. */
export interface SearchResult {
  readonly files: readonly string[];
  /** Of the files that were named, those that do not exist. */
  readonly missingFiles: readonly string[];
  readonly terms: readonly Term[];
  readonly hits: readonly Hit[];
  /** Whether a search broke off because it found so much. */
  readonly isPartial: boolean;
  readonly passages: readonly Passage[];
  /** What is to be read, most telling first. */
  readonly targets: readonly Target[];
  /** What was read of it. */
  readonly quotes: readonly Quote[];
  /** The top of the workspace, where nothing else was found. */
  readonly listing: string | undefined;
}

/** Lines of a file that are worth reading. */
export type Target = Pick<Passage, 'path' | 'first' | 'last'> & { readonly best?: Passage['best'] };

const mostQuotes = 3;
/** A passage that is longer does not fit into a quote with what belongs to it. */
const longestFocus = 8;

export function searchResult({ files, terms }: Terms, made: readonly MadeCall[]): SearchResult {
  const hits = hitsIn(made);
  const paths = pathsIn(made);
  const passages = rankPassages(hits, terms, files);
  const named = files.flatMap((file) => paths.filter((path) => isSameFile(path, file)).slice(0, 1));
  // A file that was named, or has the name of what was asked for, is shown from its beginning where nothing in it
  // was found.
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
