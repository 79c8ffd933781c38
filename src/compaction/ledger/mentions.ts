import type { CommandFact } from '../messages/ledger.ts';

/**
 * Decides whether a text names a fact: only as a whole, never as part of another. `old-store.ts` does not name
 * `store.ts`, and `npm test -- --watch` does not name `npm test`.
 */
export interface Mentions {
  /** True if one of the texts names a path, an identifier, an error or a sentence. */
  readonly has: (fact: string) => boolean;
  /** True if one of the texts names a command line as the whole command. */
  readonly hasCommand: (command: string) => boolean;
  /** The same, with the exit status if the fact has one. */
  readonly hasWithStatus: (fact: CommandFact) => boolean;
}

/** Looks for facts in texts. White space is folded, as it is in facts. */
export function mentionsIn(texts: readonly string[]): Mentions {
  const mayName = wordsIn(texts);
  // A fact may span several lines; a command does not continue on the next line of a list.
  const joined = lazy(() => texts.map((text) => foldLine(text)).join('\n'));
  const lines = lazy(() => texts.map((text) => text.split('\n').map(foldLine).join('\n')).join('\n'));
  const isStated =
    ({ status }: CommandFact): Test =>
    (text, start, end) =>
      isWholeCommand(text, start, end) &&
      (status === undefined || tellsStatus(restOfLine(text, end), status));
  return {
    has: once((fact) => mayName(fact) && isNamed(joined(), fact, isWhole)),
    hasCommand: once(
      (command) =>
        mayName(command) && [lines, joined].some((text) => isNamed(text(), command, isWholeCommand)),
    ),
    hasWithStatus: (fact) =>
      mayName(fact.command) && [lines, joined].some((text) => isNamed(text(), fact.command, isStated(fact))),
  };
}

/** Bits of the set of words. With the words of a megabyte in it, one word in ten passes that is not there. */
const bits = 1 << 20;

/**
 * False for a fact of which a word is in none of the texts. Most facts are not there at all, and looking through all
 * texts for each of them would take long. A word is a run of ASCII letters, digits, `_` and `$`, which nothing continues
 * in a text that names the fact. The set may hold words that are in no text, and lacks none that is in one.
 */
function wordsIn(texts: readonly string[]): (fact: string) => boolean {
  const words = lazy(() => {
    const set = new Uint8Array(bits / 8);
    for (const text of texts) {
      everyWord(text, (hash) => {
        set[hash >>> 3]! |= 1 << (hash & 7);
        return true;
      });
    }
    return set;
  });
  return (fact) => everyWord(fact, (hash) => (words()[hash >>> 3]! & (1 << (hash & 7))) !== 0);
}

/** Classes of ASCII characters: 1 for those of a word. */
const isWordCharacter = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w$]/u.test(String.fromCharCode(code)) ? 1 : 0,
);

/** True if a test holds for the hash of each word of a text, FNV-1a below the number of bits. */
function everyWord(text: string, test: (hash: number) => boolean): boolean {
  let hash = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : 128;
    if (code < 128 && isWordCharacter[code] === 1) {
      hash = Math.imul((hash === 0 ? 0x811c9dc5 : hash) ^ code, 0x01000193);
    } else if (hash !== 0) {
      if (!test((hash ^ (hash >>> 15)) & (bits - 1))) return false;
      hash = 0;
    }
  }
  return true;
}

function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Each fact is looked for once: of a long conversation thousands can be the same word. */
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
  if (fact === '') return false;
  for (let start = text.indexOf(fact); start >= 0; start = text.indexOf(fact, start + 1)) {
    if (test(text, start, start + fact.length)) return true;
  }
  return false;
}

/** A letter or digit that continues a word. Scripts without spaces between words do not. */
const wordCharacter =
  /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}_$]/u;

function isWhole(text: string, start: number, end: number): boolean {
  return !continuesBefore(text, start) && !continuesAfter(text, end);
}

function continuesBefore(text: string, start: number): boolean {
  if (!isWordOrPath(text[start])) return false;
  const before = text[start - 1];
  if (before === undefined) return false;
  if (wordCharacter.test(before)) return isWordOrPath(text[start]);
  // `./store.ts` is `store.ts`; `src/store.ts` is another file.
  if (before === '/') return !/(?:^|[^\w./~@-])(?:\.\/)+$/u.test(text.slice(Math.max(0, start - 9), start));
  if (before === '\\' || before === '~') return true;
  if (before === '-' || before === '.' || before === '@' || before === '+') {
    const joined = text[start - 2];
    // A dash or a dot joins only where a word is on its other side: `- store.ts` is an item of a list.
    return joined !== undefined ? !/\s/u.test(joined) || before === '.' : before === '.';
  }
  return false;
}

function continuesAfter(text: string, end: number): boolean {
  const last = text[end - 1];
  const after = text[end];
  if (after === undefined || !isWordOrPath(last)) return false;
  if (wordCharacter.test(after)) return true;
  const next = text[end + 1];
  if (after === '/' || after === '\\') return next !== undefined && isWordOrPath(next);
  if (after === '-' || after === '.' || after === '@' || after === '+') {
    return next !== undefined && wordCharacter.test(next);
  }
  return false;
}

function isWordOrPath(character: string | undefined): boolean {
  return character !== undefined && (wordCharacter.test(character) || /[./~@-]/u.test(character));
}

/** Matches the end of a command on its line: a quote, a shell operator or punctuation. */
const endOfCommand =
  /^(?:$|\n|["'`”’»)\]}|;,&<>\\]|[.:!?](?:$|[\s"'`)])| (?:&&|\|\|?|;|→|—|–|->|=>|\(|\d?>))/u;
/** Words with which sentences go on after a command. */
const proseAfter =
  /^ (?:and|again|as|at|because|but|by|exit(?:ed|s)?|ended|errors?|fail(?:ed|s)?|for|from|gave|had|has|in|is|now|on|or|pass(?:ed|es)?|print(?:ed|s)?|report(?:ed|s)?|return(?:ed|s)?|ran|show(?:ed|s)?|still|succeed(?:ed|s)?|so|then|to|twice|was|were|when|which|with|works?)\b/u;
const startOfCommand = /(?:^|\n|["'`“‘«([{|;&]|[$%#>] |(?:&&|\|\||\||;|:|-|\*|•|\d[.)]) )$/u;

function isWholeCommand(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 4), start);
  const after = text.slice(end, end + 16);
  const isMarked = startOfCommand.test(before);
  const isEnded = endOfCommand.test(after);
  // A single word (`make`) is an ordinary one, too: it has to be set apart on both sides.
  if (!/\s/u.test(text.slice(start, end))) return isMarked && isEnded;
  const isBegun = isMarked || /[\s,]$/u.test(before) || !isWordOrPath(text[start]);
  return isBegun && !continuesBefore(text, start) && (isEnded || proseAfter.test(after));
}

function restOfLine(text: string, end: number): string {
  const lineEnd = text.indexOf('\n', end);
  return text.slice(end, lineEnd < 0 ? end + 200 : Math.min(lineEnd, end + 200));
}

function tellsStatus(text: string, status: number): boolean {
  const told = /\b(?:exit(?:ed|s)?|status|code|returned)\b[^\d\n-]{0,24}(-?\d{1,3})\b/iu.exec(text)?.[1];
  return told !== undefined && Number(told) === status;
}

function foldLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
