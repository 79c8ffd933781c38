import type { ReplacedFact } from '../messages/ledger.ts';
import { memoisedByText } from '../messages/memoise.ts';
import { clausesOf, isAskingSentence } from './own-sentences.ts';
import {
  isNumberedAnew,
  isSetAnew,
  type SaidWords,
  saidWords,
  type Setting,
  settingOf,
  sharedWords,
} from './said-settings.ts';
import type { Retraction, Statement, Statements } from './statements.ts';

/** All statements, divided into valid statements and replaced statements. */
interface DividedStatements {
  /** Statements in the order of their last mention. */
  readonly statements: readonly Statement[];
  readonly replaced: readonly ReplacedFact[];
}

/** A sentence of the user, or several sentences that belong together. */
interface Entry {
  readonly text: string;
  readonly words: SaidWords;
  readonly setting: Setting | undefined;
  /** Undefined without an explicit form: the sentence is neither rule nor decision, but can be replaced. */
  kind: Statement['kind'] | undefined;
  replacedBy?: string;
}

/** Minimum share of the shorter sentence's words that two sentences on the same subject have in common. */
const sameShare = 0.6;

/**
 * Follows the user's statements through all typed messages. A later sentence replaces an earlier one only if
 * it announces a change and names the new content. The replacement is a decision. In doubt, both stay valid.
 *
 * @param messages the statements of each typed message, oldest first
 */
export function validStatements(messages: readonly Statements[]): DividedStatements {
  const entries: Entry[] = [];
  const byWord = new Map<string, Entry[]>();
  /** Entries of the last message that contains more than questions. */
  let newest: readonly Entry[] = [];
  for (const said of messages) {
    const fresh = entriesOf(said);
    const { retraction } = said;
    if (retraction !== undefined) {
      for (const old of takenBack(retraction, entries, newest))
        replace(old, retraction.instead?.text ?? retraction.sentence);
    }
    for (const entry of fresh) {
      const alike = new Set([...entry.words].flatMap((word) => byWord.get(word) ?? []));
      for (const old of [...alike, ...newest]) {
        if (!isReplaced(old, entry, newest)) continue;
        replace(old, entry.text);
        entry.kind ??= 'decision';
      }
    }
    for (const entry of fresh) {
      entries.push(entry);
      for (const word of entry.words) {
        const others = byWord.get(word);
        if (others === undefined) byWord.set(word, [entry]);
        else others.push(entry);
      }
    }
    if (fresh.length > 0) newest = fresh;
  }
  return divided(entries);
}

function entriesOf({ sentences, statements, retraction }: Statements): readonly Entry[] {
  const listed = statements.map(({ text }) => text);
  const others = sentences.filter(
    (sentence) =>
      sentence !== retraction?.sentence &&
      !isAskingSentence(sentence) &&
      !listed.some((text) => text.includes(sentence)),
  );
  return [
    ...statements.map(({ text, kind }) => entryOf(text, kind)),
    ...others.map((text) => entryOf(text, undefined)),
  ];
}

function entryOf(text: string, kind: Statement['kind'] | undefined): Entry {
  return { text, ...subjectOf(text), kind };
}

const subjectOf = memoisedByText((text) => ({ words: saidWords(text), setting: settingOf(text) }));

function replace(old: Entry, by: string): void {
  if (old.text !== by) old.replacedBy ??= by;
}

const everything = /\b(?:everything|all)\b|全部|之前的/iu;

/**
 * Finds the statement that "scratch that" takes back: a statement on the same subject, or else the only
 * statement of the last message. If the last message has several statements, none is taken back.
 */
function takenBack(
  { sentence, instead }: Retraction,
  entries: readonly Entry[],
  newest: readonly Entry[],
): readonly Entry[] {
  const stating = entries.filter(({ replacedBy, kind }) => replacedBy === undefined && kind !== undefined);
  if (everything.test(sentence)) return [...stating.filter(({ kind }) => kind === 'decision'), ...newest];
  const words = saidWords(`${sentence} ${instead?.text ?? ''}`);
  const near = newest.filter((entry) => sharedWords(entry.words, words) > 0);
  if (near.length === 1) return near;
  const alike = stating.findLast((entry) => shareOf(entry.words, words) >= sameShare);
  if (alike !== undefined) return [alike];
  const stated = newest.filter(({ kind }) => kind !== undefined);
  if (stated.length === 1) return stated;
  return newest.length === 1 ? newest : [];
}

/** True if a later sentence certainly replaces an earlier one. */
function isReplaced(old: Entry, later: Entry, newest: readonly Entry[]): boolean {
  if (old.replacedBy !== undefined || old.text === later.text) return false;
  return (
    isNamed(old, later) ||
    isNumberedAnew(old.words, later.words, later.text) ||
    isSetAnew(old.setting, later.setting, old.kind === 'decision' && later.kind === 'decision') ||
    isAllowed(old, later) ||
    isTurned(old, later, newest)
  );
}

const over =
  /\b(?:instead of|rather than|no longer (?:use|using|support)?|(?:switch|move|migrate)\w* (?:\w+ ){0,3}?from|statt|anstatt|nicht mehr) ([^,.;:!?]{2,60}?)(?= (?:with|to|by|anymore|any more|and|for)\b|[,.;:!?]|$)|(?:不再(?:使用|用|支持)|而不是|代替)([^，。；,.;]{1,20})/giu;

/** True if a sentence names the choice that it ends: "Use Vitest instead of Jest". */
function isNamed(old: Entry, later: Entry): boolean {
  if (later.kind === undefined || !(old.kind !== undefined || /^use\b/iu.test(old.text))) return false;
  return Array.from(later.text.matchAll(over), (found) => saidWords(found.slice(1).join(' '))).some(
    (named) => named.size > 0 && sharedWords(named, old.words) === named.size,
  );
}

const forbidding = /\b(?:never|not|don['’]?t|no|nie|niemals|nicht)\b|不要|不准|禁止/iu;
const allowing =
  /^(?:you (?:may|can)|it(?:['’]s| is) (?:ok|okay|fine|allowed)(?: now)? to|feel free to|du (?:darfst|kannst))\b.*\b(?:now|again|after all|from now on|jetzt|wieder|doch)\b/iu;

/** True if a sentence contradicts a rule: "You may push to main now" ends "Never push to main". */
function isAllowed(old: Entry, later: Entry): boolean {
  if (old.kind !== 'rule') return false;
  const share = shareOf(old.words, later.words);
  if (forbidding.test(old.text) && allowing.test(later.text)) return share >= sameShare;
  const isContrary = later.kind === 'rule' && forbidding.test(old.text) !== forbidding.test(later.text);
  return isContrary && share === 1 && old.words.size === later.words.size;
}

const turning = /\b(?:after all|instead)[.!]?$|^(?:on second thou?ghts?|doch lieber)\b/iu;

/** "Use Vitest instead" replaces "Use Jest" if "Use Jest" is the only decision before it, or has the same subject. */
function isTurned(old: Entry, later: Entry, newest: readonly Entry[]): boolean {
  if (later.kind === undefined) return false;
  if (!clausesOf(later.text).some((clause) => turning.test(clause)) && !turning.test(later.text))
    return false;
  const isAlike = sharedWords(old.words, later.words) >= 2 && shareOf(old.words, later.words) >= sameShare;
  if (isAlike && (old.kind !== undefined || newest.includes(old))) return true;
  const decisions = newest.filter(({ kind }) => kind === 'decision');
  return later.kind === 'decision' && decisions.length === 1 && decisions[0] === old;
}

/** Returns the share of the shorter sentence's words that the other sentence also contains. */
function shareOf(one: SaidWords, other: SaidWords): number {
  const fewer = Math.min(one.size, other.size);
  return fewer === 0 ? 0 : sharedWords(one, other) / fewer;
}

/** Divides all statements into valid statements and replaced statements. */
function divided(entries: readonly Entry[]): DividedStatements {
  const statements = new Map<string, Statement>();
  for (const { text, kind, replacedBy } of entries) {
    if (kind === undefined || replacedBy !== undefined) continue;
    statements.delete(text);
    statements.set(text, { text, kind });
  }
  // A replaced sentence that the user repeats later is valid again.
  const gone = entries.filter(({ text, replacedBy }) => replacedBy !== undefined && !statements.has(text));
  return {
    statements: [...statements.values()],
    replaced: gone.map(({ text, replacedBy }) => ({ text, by: lastOf(replacedBy!, gone) })),
  };
}

/** Returns the last sentence of a chain of replacements. Each replacement is later than the previous one. */
function lastOf(by: string, gone: readonly Entry[]): string {
  let last = by;
  for (let after = -1; ;) {
    const place = gone.findIndex(({ text }, index) => index > after && text === last);
    if (place < 0) return last;
    [last, after] = [gone[place]!.replacedBy!, place];
  }
}
