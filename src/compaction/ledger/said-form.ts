/**
 * An explicit form in which users state a rule, make a decision or take something back, in English, Chinese and German.
 * Only a model finds sentences in other words or languages. The examples of each form are its tests.
 */
export interface SaidForm {
  readonly kind: 'rule' | 'decision' | 'retraction';
  /**
   * Searched in each clause without introductory words ("and", "please", "ok"), so `^` is the beginning of a clause.
   */
  readonly pattern: RegExp;
  /** True if the whole sentence has to match, without further clauses. */
  readonly isWhole?: true;
  /** True if it needs the reply before it, with the chosen option. */
  readonly isChoice?: true;
  /** True for a rule that is limited to the request in its message, unless the message has no other text. */
  readonly isOfRequest?: true;
  /** Sentences that have the form. */
  readonly examples: readonly string[];
}
