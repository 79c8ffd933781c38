/**
 * Finds the subject of a sentence, so that two sentences about the same thing can be told from two about different
 * ones. No model is asked: words are compared by their stems, and a few everyday names of one thing count as the same
 * word.
 */
export interface Subject {
  /** Stems of the words that carry meaning, everyday names of one thing as one. */
  readonly words: ReadonlySet<string>;
  /** Kinds of value that it settles: money, a date, a name. Empty for most sentences. */
  readonly topics: ReadonlySet<string>;
}

const stopWords = new Set(
  'a about above actually after again all also always an and any anymore are as at be because been before being below both but by can cap could current currently did do does doing don done down each every everything exceed explicit fact few final finally first for from further future get goal going got had hard has have having he henceforth her here him his how i if in instead into is it its itself just keep kept later lets let ll make may me might more most must my need never new newest next no nor not note now of off ok okay old on once one only onto or other our out over own per please put quick rather re really same scratch set shall she should so some still stay such sure switch take than that the their them then there these they thing this those to today too total under until up update updated use used user using ve very wait want was way we week well were what when where which while who why will wish with without would yes yet you your'.split(
    ' ',
  ),
);

/** Everyday names of the same thing. The first is the topic's name. */
const topicNames: readonly (readonly string[])[] = [
  ['money', 'budget', 'spend', 'spending', 'cost', 'costs', 'expense', 'expenses', 'price', 'ceiling'],
  [
    'deadline',
    'due',
    'launch date',
    'launch deadline',
    'release date',
    'release target',
    'release timing',
    'target date',
    'ship',
    'ship date',
    'milestone',
    'freeze',
  ],
  [
    'naming',
    'codename',
    'code name',
    'label',
    'called',
    'calling',
    'call',
    'named',
    'designated',
    'renamed',
    'name',
  ],
  ['timezone', 'time zone', 'times', 'timestamp', 'timestamps', 'clock', 'clocks', 'time', 'utc'],
  ['duty', 'on-call', 'oncall', 'pager', 'escalation', 'support duty'],
  ['branch', 'rebased', 'trunk'],
  ['style', 'answers', 'answer', 'replies', 'reply', 'responses', 'response', 'tone', 'terse', 'verbose'],
  ['secret', 'vault', 'access code', 'access-code', 'password', 'passcode', 'vault code'],
  ['port'],
  ['version'],
  ['database', 'db'],
  ['region'],
  ['indentation', 'indent', 'tabs', 'spaces'],
  ['owner', 'owns', 'assignee', 'lead', 'leads'],
  ['language'],
  ['plan', 'approach', 'direction'],
];
const topicOf = new Map(
  topicNames.flatMap((names) => names.map((name) => [name, names[0] ?? name] as const)),
);
const phrases = [...topicOf.keys()].filter((name) => /[ -]/u.test(name));
const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}_]*/gu;
const chinese = /\p{Script=Han}{2,}/gu;

/** The subject of a sentence. */
export function subjectOf(sentence: string): Subject {
  let text = sentence.toLowerCase().replace(/['’]/gu, '');
  const topics = new Set<string>();
  for (const phrase of phrases) {
    if (!text.includes(phrase)) continue;
    topics.add(topicOf.get(phrase) ?? phrase);
    // Its words have no topic of their own: `on-call` is not a call. They still say which one is meant.
    const rest = phrase.split(/[ -]/u).filter((word) => !topicOf.has(word));
    text = text.replaceAll(phrase, ` ${rest.join(' ')} `);
  }
  const words = new Set<string>();
  for (const [word] of text.matchAll(wordPattern)) {
    const topic = topicOf.get(word);
    if (topic !== undefined) topics.add(topic);
    else if (!stopWords.has(word) && !/\p{Script=Han}/u.test(word)) words.add(stemOf(word));
  }
  // Chinese writes no spaces between its words; pairs of characters are compared instead.
  for (const [run] of text.matchAll(chinese)) {
    for (let at = 0; at + 2 <= run.length; at++) words.add(run.slice(at, at + 2));
  }
  return { words, topics };
}

/** The number of words that two sentences share. */
export function sharedWords(one: Subject, other: Subject): number {
  let shared = 0;
  for (const word of one.words) if (other.words.has(word)) shared++;
  return shared;
}

export function sharedTopics(one: Subject, other: Subject): number {
  let shared = 0;
  for (const topic of one.topics) if (other.topics.has(topic)) shared++;
  return shared;
}

/** Cuts the commonest endings off, so that `report` and `reports` are one word. */
function stemOf(word: string): string {
  if (word.length <= 4 || !/^[a-z]+$/u.test(word)) return word;
  return word.replace(/(?:ies|ing|ed|es|s|ly|e)$/u, '');
}
