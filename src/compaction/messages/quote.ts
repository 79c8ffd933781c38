/**
 * Kinds of quotes. The user's own words: `rule`, `decision`, `preference`. The assistant's: `choice`, a decision of its
 * own, and `step`, which is left to do. Of either: `question`, which is open.
 */
export const quoteKinds = ['rule', 'decision', 'preference', 'choice', 'question', 'step'] as const;
export type QuoteKind = (typeof quoteKinds)[number];

/** Sentences of a message, as they stand there. */
export interface Quote {
  readonly kind: QuoteKind;
  /** Of the message. */
  readonly id: string;
  readonly text: string;
}

/** A sentence that a later one took the place of. */
export interface QuotedReplacement {
  readonly id: string;
  readonly text: string;
  /** Of the message with the later sentence; the same one if that comes later in it. */
  readonly newerId: string;
  readonly newerText: string;
}

/** Quotes of a model that were found word for word in the messages that they name. */
export interface Quotes {
  readonly found: readonly Quote[];
  readonly replaced: readonly QuotedReplacement[];
}

/**
 * Reasons to drop a quote. `noList`: the reply has none at all. `unreadable`: no entry of the form asked for, or cut
 * off. `unknownMessage`: no message has that id. `notFound`: not word for word in that message. `otherSpeaker`: not the
 * words of the user, or of the assistant, whose words such a quote has to be. `wrongOrder`: what is said to take the
 * place of a sentence does not come after it. `tooMany`: beyond the number that is read.
 */
export const dropReasons = [
  'noList',
  'unreadable',
  'unknownMessage',
  'notFound',
  'otherSpeaker',
  'wrongOrder',
  'tooMany',
] as const;
export type DropReason = (typeof dropReasons)[number];

/** Numbers of quotes of a reply. */
export interface QuoteCounts {
  readonly kept: number;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
}
