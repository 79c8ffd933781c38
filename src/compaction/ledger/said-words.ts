/** Words that say nothing of what a sentence is about: function words, and those by which a change is told. */
const stopWords = new Set(
  'decision scratch forget ignore mind thought change plan a about above actually after again all also always an and any are as at be because been before being but by can change could did do does doesnt doing don done dont else every fine for from further get go going good had has have he her his how i if in instead into is it its just keep let lets ll make may me might more must my need never new no not note now of off ok okay on only onto or our out over per plan please previous rather re really s same set shall she should shouldnt so some still stop such t than that the their them then there these they this those to too total under until up update us use used using ve very want was we well were what when where which while will wont with without would yes you your das dass der die den dem ein eine einen es und oder ist sind wir ich du nicht für mit von zu auf im in an bitte jetzt doch'.split(
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
    if (!stopWords.has(name) && !/\p{Script=Han}/u.test(name)) words.add(stemOf(name));
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

/** Cuts the commonest endings off, so that `report` and `reports` are one word. */
function stemOf(name: string): string {
  if (name.length <= 4 || !/^[a-z]+$/u.test(name)) return name;
  return name.replace(/(?:ies|ing|ed|es|s|ly|e)$/u, '');
}
