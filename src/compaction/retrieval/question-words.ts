/** Words that most texts have, and those that only make a sentence a question. They tell nothing of what is asked. */
const stopWords: ReadonlySet<string> = new Set(
  'a about also an and any are as at be been being but by can could d did do does doing done ever for from had has have having he her here him his how i if in into is it its kind like ll m many may me might much my no not of on or our re s shall she should so some such t than that the their them then there these they this those to type us ve was we were what when where which who whom whose why will with would you your'.split(
    ' ',
  ),
);

/** True for a term that tells nothing of what is asked. */
export function isStopWord(term: string): boolean {
  return stopWords.has(term);
}

const asking =
  /[?？]|^\s*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\s|(?:什么|怎么|怎样|为何|哪|谁|几时|多少|吗)/iu;

/** True for a query that asks something in words, rather than naming what is to be found. */
export function isQuestion(query: string): boolean {
  return asking.test(query) && /\s|\p{Script=Han}/u.test(query.trim());
}

/** Cuts the commonest endings of English words off: `painted`, `painting` and `paints` are one word. */
export function stemOf(term: string): string {
  if (term.length <= 3 || !/^[a-z]+$/u.test(term)) return term;
  return term
    .replace(/ies$/u, 'y')
    .replace(/(?:ing|ed|es|s|ly|er|e)$/u, '')
    .replace(/([^aeiouls])\1$/u, '$1');
}
