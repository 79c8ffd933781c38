import {
  type CommandFact,
  type Fact,
  filterLedger,
  type Ledger,
  type LedgerSection,
  textOfFact,
} from '../messages/ledger.ts';
import { isTyped, type Message, textOf, typedText } from '../messages/message.ts';
import type { Coverage, Kept } from '../records/record.ts';
import { extractLedger } from './extract.ts';

/** Missing facts named in a record; the numbers count all of them. */
const namedMissing = 50;

export const coveredKinds = ['files', 'commands', 'errors', 'identifiers', 'userMessages'] as const;
export type CoveredKind = (typeof coveredKinds)[number];

/**
 * The facts that one view holds and another lacks. This is the only rule for what a compaction kept: records,
 * health, the inspector and "bring back" all use it. A fact is kept if a message still holds it in the same field,
 * or if a text that is not in the view before names it as a whole. Messages that a person typed go by their ids.
 *
 * @param after any later view; text it has that `before` lacks counts as written since
 */
export function missingFacts(
  before: readonly Message[],
  after: readonly Message[],
): Readonly<Record<CoveredKind, readonly string[]>> {
  return comparison(before, after).missing;
}

/** Counts the facts of one view that another one still holds, by the rule of `missingFacts`. */
export function coverageOf(before: readonly Message[], after: readonly Message[]): Coverage {
  const { total, missing } = comparison(before, after);
  const kept = (kind: CoveredKind): Kept => ({
    kept: total[kind].length - missing[kind].length,
    total: total[kind].length,
    missing: missing[kind].slice(0, namedMissing),
  });
  return {
    files: kept('files'),
    commands: kept('commands'),
    errors: kept('errors'),
    identifiers: kept('identifiers'),
    userMessages: kept('userMessages'),
  };
}

type Facts = Readonly<Record<CoveredKind, readonly string[]>>;

function comparison(
  before: readonly Message[],
  after: readonly Message[],
): { readonly total: Facts; readonly missing: Facts } {
  const total = factsOf(before);
  const left = factsOf(after);
  const contentBefore = new Map(before.map(({ id, content }) => [id, content]));
  const written = after
    .filter(({ id, content }) => contentBefore.get(id) !== content)
    .map(({ content }) => textOf(content));
  const mentions = mentionsIn(written);
  const missing = (kind: CoveredKind, isNamed: (fact: string) => boolean): readonly string[] => {
    const there = new Set(left[kind]);
    return total[kind].filter((fact) => !there.has(fact) && !isNamed(fact));
  };
  const typedBefore = new Map(before.filter(isTyped).map((message) => [message.id, typedText(message)]));
  const textAfter = new Map(after.map((message) => [message.id, typedText(message)]));
  return {
    total,
    missing: {
      files: missing('files', mentions.has),
      commands: missing('commands', mentions.hasCommand),
      errors: missing('errors', mentions.has),
      identifiers: missing('identifiers', mentions.has),
      userMessages: total.userMessages.filter((id) => {
        const text = typedBefore.get(id) ?? '';
        return textAfter.get(id) !== text && !mentions.has(text.replace(/\s+/gu, ' ').trim());
      }),
    },
  };
}

function factsOf(view: readonly Message[]): Facts {
  const { filesModified, filesRead, commands, errors, identifiers }: Ledger = extractLedger(view);
  return {
    files: [...new Set([...filesModified, ...filesRead])],
    commands: commands.map(({ command }) => command),
    errors: errors.map(({ text }) => text),
    identifiers,
    userMessages: view.filter(isTyped).map(({ id }) => id),
  };
}

/**
 * The facts to copy when messages are removed: all facts of the history that the remaining messages do not hold. A
 * message that only mentions a fact does not hold it, because it may be removed later; a summary that names it does.
 */
export function factsToCopy(history: Ledger, staying: readonly Message[]): Ledger {
  const held = factKeysOf(extractLedger(staying));
  const summaries = mentionsIn(
    staying.filter(({ kind }) => kind === 'summary').map(({ content }) => textOf(content)),
  );
  return filterLedger(history, (section, fact) => {
    if (section === 'replaced') return true;
    if (held.has(factKey(section, fact))) return false;
    return typeof fact === 'object' && 'command' in fact
      ? !summaries.hasWithStatus(fact)
      : !summaries.has(textOfFact(fact));
  });
}

/** Keys under which the facts of a ledger are the same: a file is one fact, whether it was read or changed. */
export function factKeysOf(ledger: Ledger): ReadonlySet<string> {
  const entries = Object.entries(ledger) as readonly [LedgerSection, readonly Fact[]][];
  return new Set(entries.flatMap(([section, facts]) => facts.map((fact) => factKey(section, fact))));
}

/** See `factKeysOf`. A command that ended with another status is another fact. */
export function factKey(section: LedgerSection, fact: Fact): string {
  const status = typeof fact === 'object' && 'command' in fact ? (fact.status ?? '') : '';
  return `${section === 'filesModified' ? 'filesRead' : section}\n${textOfFact(fact)}\n${status}`;
}

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
  const folded = texts.map((text) => text.split('\n').map(foldLine).join('\n'));
  // A fact may span several lines; a command does not continue on the next line of a list.
  const joined = texts.map((text) => foldLine(text)).join('\n');
  const lines = folded.join('\n');
  return {
    has: once((fact) => isNamed(joined, fact, isWhole)),
    hasCommand: once((command) => [lines, joined].some((text) => isNamed(text, command, isWholeCommand))),
    hasWithStatus: ({ command, status }) =>
      [lines, joined].some((text) =>
        isNamed(text, command, (inText, start, end) => {
          if (!isWholeCommand(inText, start, end)) return false;
          return status === undefined || tellsStatus(restOfLine(inText, end), status);
        }),
      ),
  };
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
