import { isStopWord, stemOf } from '../text/question-words.ts';
import { withoutClosingPunctuation } from './own-sentences.ts';

/** A sentence that gives a thing a value. */
export interface Setting {
  /** The words before the value, such as "the port =" or "report all sizes in". */
  readonly thing: string;
  readonly value: string;
  /** True if the sentence announces a change of the value. */
  readonly isChange: boolean;
}

const lastingChange =
  /\b(?:from now on|no longer|instead|after all|going forward|ab (?:jetzt|sofort))\b|从现在|改(?:成|为|到)/iu;
const change =
  /\bnow$|\b(?:is|are|be) now\b|^(?:update|correction|change of plans?|korrektur)\b|(?:moved|changed|renamed|bumped|raised|lowered) to\b|\b(?:rebased|switched|migrated|upgraded|moved) (?:on)?to\b|^(?:please )?(?:change|set|make|rename|move|bump|raise|lower|increase|decrease)\b/iu;
const changeWords =
  /\b(?:from now on|going forward|change of plans?|update|correction|now|instead|after all|please|always|actually|the|our|my|a|an)\b[,:]?|^(?:please )?(?:change|set|make|rename|move|bump|raise|lower|increase|decrease)\b/giu;
const settingForm =
  /^(?<thing>\S.{1,60}?) (?<by>is|are|will be|should be|must be|has (?:moved|changed) to|(?:moved|changed) to|to|=|in|with|at|(?=#?[\da-f]+$)) ?(?<value>\S.{0,60})$/iu;
/** A date, a number, a name or an id. Sentences that only describe a state contain no such value. */
const concrete = /\d|["'`“]|\p{Lu}|\w[_/.-]\w/u;

/** Divides a sentence into a thing and a value; undefined without a value. */
export function settingOf(text: string): Setting | undefined {
  const plain = withoutClosingPunctuation(text);
  const found = settingForm.exec(plain.replace(changeWords, ' ').replace(/\s+/gu, ' ').trim())?.groups;
  if (found === undefined) return undefined;
  const { thing = '', by = '', value = '' } = found;
  const isOrder = /^(?:in|with|at)$/iu.test(by);
  if (saidWords(thing).size === 0 || (!isOrder && !concrete.test(value))) return undefined;
  const isChange = lastingChange.test(plain) || (!isOrder && change.test(plain));
  return { thing: `${thing.toLowerCase()} ${isOrder ? by : '='}`, value: value.toLowerCase(), isChange };
}

/**
 * Detects "The port is 9090 now" after "The port is 8080".
 *
 * @param isDecided true if both sentences are decisions; the newer value is then valid
 */
export function isSetAnew(old: Setting | undefined, later: Setting | undefined, isDecided: boolean): boolean {
  if (old === undefined || later === undefined || !(later.isChange || isDecided)) return false;
  return old.thing === later.thing && old.value !== later.value;
}

/** Words that only announce a name or a change. */
const naming = /^(?:call|codenam|nam|renam|rebas|switch|migrat|upgrad|mov|chang|bump)\w*$/u;

/** Detects "We rebased onto rel/4.2 for the branch" after "The branch is rel/4.1": only the value differs. */
export function isNumberedAnew(old: SaidWords, later: SaidWords, laterText: string): boolean {
  if (!change.test(withoutClosingPunctuation(laterText))) return false;
  const [one, other] = [numberedOf(old), numberedOf(later)];
  return (
    one.value !== '' &&
    one.things !== '' &&
    one.value !== other.value &&
    one.things === other.things &&
    one.shape === other.shape
  );
}

function numberedOf(words: SaidWords): {
  readonly things: string;
  readonly value: string;
  readonly shape: string;
} {
  const values = [...words].filter((word) => /\d/u.test(word));
  const things = [...words].filter((word) => !/\d/u.test(word) && !naming.test(word));
  const value = values.length === 1 ? values[0]! : '';
  return {
    things: things.sort().join(' '),
    value,
    shape: value.replace(/\p{L}+/gu, 'a').replace(/\d+/gu, '9'),
  };
}

/** Words that name no subject, such as words that announce a change. */
const stopWords = new Set(
  'decision scratch forget ignore mind thought change plan above actually after again all always because before change doesnt don dont else every fine further get go going good instead just keep let lets make more must need never new note now off ok okay only onto out over per plan please previous rather really same set shouldnt still stop too total under until up update use used using very want well while wont without yes das dass der die den dem ein eine einen es und oder ist sind wir ich du nicht für mit von zu auf im bitte jetzt doch'.split(
    ' ',
  ),
);
const word = /[\p{L}\p{N}$€£][\p{L}\p{N}_]*(?:[./@-][\p{L}\p{N}_]+)*/gu;
const chinese = /\p{Script=Han}{2,}/gu;

/** Stems of the words that describe the subject of a sentence. */
export type SaidWords = ReadonlySet<string>;

export function saidWords(sentence: string): SaidWords {
  const words = new Set<string>();
  for (const [name] of sentence.toLowerCase().replace(/['’]/gu, '').matchAll(word)) {
    if (!isStopWord(name) && !stopWords.has(name) && !/\p{Script=Han}/u.test(name)) words.add(stemOf(name));
  }
  // Chinese has no spaces between words, so pairs of characters are compared.
  for (const [run] of sentence.matchAll(chinese)) {
    for (let at = 0; at + 2 <= run.length; at++) words.add(run.slice(at, at + 2));
  }
  return words;
}

/** Counts the words that two sentences share. */
export function sharedWords(one: SaidWords, other: SaidWords): number {
  let shared = 0;
  for (const name of one) if (other.has(name)) shared++;
  return shared;
}
