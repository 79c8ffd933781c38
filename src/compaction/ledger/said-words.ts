import { isStopWord, stemOf } from '../text/question-words.ts';

/** Further words that say nothing of what a sentence is about, such as those by which a change is told. */
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
  // Chinese writes no spaces between its words; pairs of characters are compared instead.
  for (const [run] of sentence.matchAll(chinese)) {
    for (let at = 0; at + 2 <= run.length; at++) words.add(run.slice(at, at + 2));
  }
  return words;
}

/** Number of words that two sentences share. */
export function sharedWords(one: SaidWords, other: SaidWords): number {
  let shared = 0;
  for (const name of one) if (other.has(name)) shared++;
  return shared;
}
