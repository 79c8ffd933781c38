/** Words that most texts contain, or that only form a question. They say nothing about a subject. */
const stopWords: ReadonlySet<string> = new Set(
  'a about also an and any are as at be been being but by can could d did do does doing done ever for from had has have having he her here him his how i if in into is it its kind like ll m many may me might much my no not of on or our re s shall she should so some such t than that the their them then there these they this those to type us ve was we were what when where which who whom whose why will with would you your'.split(
    ' ',
  ),
);

/** True for a term that says nothing about the subject of a question. */
export function isStopWord(term: string): boolean {
  return stopWords.has(term);
}

const asking =
  /[?？]|^\s*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\s|(?:什么|怎么|怎样|为何|哪|谁|几时|多少|吗)/iu;

/** True for a query that is a question, instead of search terms. */
export function isQuestion(query: string): boolean {
  return asking.test(query) && /\s|\p{Script=Han}/u.test(query.trim());
}

/** Removes the most common English endings: `painted`, `painting` and `paints` have one stem. */
export function stemOf(term: string): string {
  if (term.length <= 3 || !/^[a-z]+$/u.test(term)) return term;
  return term
    .replace(/ies$/u, 'y')
    .replace(/(?:ing|ed|es|s|ly|er|e)$/u, '')
    .replace(/([^aeiouls])\1$/u, '$1');
}
