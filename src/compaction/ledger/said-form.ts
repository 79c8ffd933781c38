/**
 * An explicit form in which users state a rule, make a decision or take something back, in English, Chinese
 * and German. Only a model finds other wordings and languages. The examples of each form are its tests.
 */
export interface SaidForm {
  readonly kind: 'rule' | 'decision' | 'retraction';
  /** Tested on each clause without introductory words ("and", "please", "ok"). `^` is the beginning of a clause. */
  readonly pattern: RegExp;
  /** True if the pattern has to match the whole sentence. */
  readonly isWhole?: true;
  /** True if the sentence depends on the previous reply, which lists the chosen option. */
  readonly isChoice?: true;
  /** True for a rule that is limited to its own request, unless the message has no other text. */
  readonly isOfRequest?: true;
  /** Sentences that have the form. */
  readonly examples: readonly string[];
}
