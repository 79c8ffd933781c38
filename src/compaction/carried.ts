import type { Ledger } from './ledger/ledger.ts';

/** Facts about one concept, the newest last. */
export interface ConceptFacts {
  readonly concept: { readonly keyword: string; readonly description: string };
  readonly facts: readonly string[];
}

/**
 * What a summary carries, as the program knows it from the messages themselves. It is kept beside the text, which is
 * never read for it: a model wrote parts of the text, and tools what the model read.
 */
export interface Carried {
  /** Facts that were copied into the text. */
  readonly ledger?: Ledger;
  /** Facts that a model found about concepts. */
  readonly concepts?: readonly ConceptFacts[];
  /** The agent's plan, in the words of the call that set it. */
  readonly plan?: string;
  /** State snapshots only: how many messages stood behind it when it was written. */
  readonly followers?: number;
  /** Passages only: names the request that they were chosen for. */
  readonly request?: string;
}

/** Text of a message that takes the place of others, with what it carries. */
export interface CarriedText {
  readonly text: string;
  readonly carried?: Carried | undefined;
}
