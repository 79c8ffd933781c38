import type { CutOf } from '../text/known-cuts.ts';
import { soughtFile } from '../text/file-names.ts';
import { continuesAfter, continuesBefore, isWordOrPath } from '../text/boundaries.ts';
import { shownCommand } from './call-words.ts';
import { lengthOfCut, textOfCut } from '../text/clip.ts';
import { wordsInCut, wordsInEach, wordHashes, type WordSet } from './word-set.ts';

/**
 * Decides whether a text names a fact as a whole, and not as part of another fact. `old-store.ts` does not
 * name `store.ts`, and `npm test -- --watch` does not name `npm test`.
 */
interface Mentions {
  /** True if one of the texts names an identifier, an error or a sentence. */
  readonly has: (fact: string) => boolean;
  /** True if one of the texts names a file, by any path that leads to it. */
  readonly hasFile: (path: string) => boolean;
  /** True if one of the texts names a command line as the whole command. */
  readonly hasCommand: (command: string) => boolean;
}

/**
 * Searches texts for facts. White space is folded, as in facts.
 *
 * @param folder absolute folder against which file names are resolved
 */
export function mentionsIn(texts: readonly (string | CutOf)[], folder?: string): Mentions {
  const searched = lazy(() => searchedTexts(texts));
  const longest = texts.reduce((most, text) => Math.max(most, lengthOf(text)), 0);
  const isNamedIn = (fact: string, forms: readonly ('raw' | 'joined' | 'lines')[], test: Test): boolean => {
    if (fact === '' || fact.length > longest) return false;
    const words = wordHashes(fact);
    const { written, cuts } = searched();
    const isThere = (text: SearchedText) =>
      text.mayName(fact, words) && forms.some((form) => isNamed(text[form], fact, test));
    return (written.words.hasAll(words) && written.texts.some(isThere)) || cuts.some(isThere);
  };
  return {
    has: once((fact) => isNamedIn(fact, ['joined'], isWhole)),
    hasFile: once((path) => {
      const { names, isNamedAt } = soughtFile(path, folder);
      // White space within a name is rare, and folding it in all texts is slow.
      return names.some((name) => isNamedIn(name, [/\s/u.test(name) ? 'joined' : 'raw'], isNamedAt));
    }),
    hasCommand: once((command) =>
      formsOf(command).some((form) => isNamedIn(form, ['lines', 'joined'], isWholeCommand)),
    ),
  };
}

/** Returns the forms of a command: as written, and as shown in lists if lists show the whole command. */
function formsOf(command: string): readonly string[] {
  const written = foldLine(command);
  const shown = foldLine(shownCommand(command));
  return shown === written || / …|\+\d+ lines?\)$/u.test(shown) ? [written] : [written, shown];
}

/** Returns the length of a text, or of a cut that is not written yet. Folding never makes a text longer. */
function lengthOf(text: string | CutOf): number {
  return typeof text === 'string' ? text.length : lengthOfCut(text);
}

/**
 * A text with its words. Searching each text for each fact would be slow, and most facts occur in none. A
 * text that names a fact contains all words of the fact as whole words.
 */
class SearchedText {
  private readonly words: WordSet;
  private readonly length: number;
  private readonly text: () => string;
  private asOneLine: string | undefined;
  private asLines: string | undefined;

  constructor(words: WordSet, length: number, text: () => string) {
    this.words = words;
    this.length = length;
    this.text = text;
  }

  mayName(fact: string, words: readonly number[]): boolean {
    return fact.length <= this.length && this.words.hasAll(words);
  }

  get raw(): string {
    return this.text();
  }

  /** The text with its white space folded, on one line, because a fact may span several lines. */
  get joined(): string {
    return (this.asOneLine ??= foldLine(this.text()));
  }

  /** The text folded line by line, because a command does not continue on the next line of a list. */
  get lines(): string {
    return (this.asLines ??= foldedLines(this.text()));
  }
}

function searchedTexts(texts: readonly (string | CutOf)[]) {
  const strings = texts.filter((text) => typeof text === 'string');
  const { each, all } = wordsInEach(strings);
  const written = strings.map((text, index) => new SearchedText(each[index]!, text.length, () => text));
  const cuts = texts
    .filter((text) => typeof text !== 'string')
    .map((cut) => new SearchedText(wordsInCut(cut), lengthOfCut(cut), () => textOfCut(cut)));
  return { written: { texts: written, words: all }, cuts };
}

function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Caches the search for each fact, because a long conversation may repeat a fact thousands of times. */
function once(isThere: (fact: string) => boolean): (fact: string) => boolean {
  const known = new Map<string, boolean>();
  return (fact) => {
    const found = known.get(fact) ?? isThere(fact);
    known.set(fact, found);
    return found;
  };
}

type Test = (text: string, start: number, end: number) => boolean;

function isNamed(text: string, fact: string, test: Test): boolean {
  for (let start = text.indexOf(fact); start >= 0; start = text.indexOf(fact, start + 1)) {
    if (test(text, start, start + fact.length)) return true;
  }
  return false;
}

function isWhole(text: string, start: number, end: number): boolean {
  return !continuesBefore(text, start) && !continuesAfter(text, end);
}

/** Matches the end of a command on its line: a quote, a shell operator or punctuation. */
const endOfCommand =
  /^(?:$|\n|["'`”’»)\]}|;,&<>\\]|[.:!?](?:$|[\s"'`)])| (?:&&|\|\|?|;|→|—|–|->|=>|\(|\d?>))/u;
/** Words with which a sentence continues after a command. */
const proseAfter =
  /^ (?:and|again|as|at|because|but|by|exit(?:ed|s)?|ended|errors?|fail(?:ed|s)?|for|from|gave|had|has|in|is|now|on|or|pass(?:ed|es)?|print(?:ed|s)?|report(?:ed|s)?|return(?:ed|s)?|ran|show(?:ed|s)?|still|succeed(?:ed|s)?|so|then|to|twice|was|were|when|which|with|works?)\b/u;
const startOfCommand = /(?:^|\n|["'`“‘«([{|;&]|[$%#>] |(?:&&|\|\||\||;|:|-|\*|•|\d[.)]) )$/u;

function isWholeCommand(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 4), start);
  const after = text.slice(end, end + 16);
  const isMarked = startOfCommand.test(before);
  const isEnded = endOfCommand.test(after);
  // A single word (`make`) may be an ordinary word, so it has to be set apart on both sides.
  if (!/\s/u.test(text.slice(start, end))) return isMarked && isEnded;
  const isBegun = isMarked || /[\s,]$/u.test(before) || !isWordOrPath(text[start]);
  return isBegun && !continuesBefore(text, start) && (isEnded || proseAfter.test(after));
}

/** Folds white space to single blanks. Does not replace the many blanks that are already single. */
function foldLine(text: string): string {
  return text.replace(/[^\S ]\s*| \s+/gu, ' ').trim();
}

/** Folds white space in each line. */
function foldedLines(text: string): string {
  return text
    .replace(/[^\S\n ][^\S\n]*| [^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/gu, '\n')
    .replace(/^ | $/gu, '');
}
