/**
 * An explicit form in which users state a rule, make a decision or take something back, in English, Chinese and German.
 * Sentences in other words, or in other languages, are found by a model only. Each form stands with examples, which are
 * its tests.
 */
export interface SaidForm {
  readonly kind: 'rule' | 'decision' | 'retraction';
  /** Searched in each clause, so `^` is the beginning of a clause: "and", "please", "ok" and the like are cut off. */
  readonly pattern: RegExp;
  /** The whole sentence has to be of the form: with another clause it is more than that. */
  readonly isWhole?: true;
  /** It says nothing without the reply before it: an option that it chooses, or the subject of a bare value. */
  readonly lacks?: 'option' | 'subject';
  /** A rule for the request in whose message it stands, and no longer, unless nothing else stands there. */
  readonly isOfRequest?: true;
  /** Sentences that have the form. */
  readonly examples: readonly string[];
}
