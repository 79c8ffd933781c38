/**
 * Kinds of quotes. `rule`, `decision` and `preference` are the user's words. `choice` (a decision) and `step` (work
 * left to do) are the assistant's. `question` is an open question of either speaker.
 */
export const quoteKinds = ['rule', 'decision', 'preference', 'choice', 'question', 'step'] as const;
export type QuoteKind = (typeof quoteKinds)[number];

export interface Quote {
  readonly kind: QuoteKind;
  readonly id: string;
  readonly text: string;
}

export interface QuotedReplacement {
  readonly id: string;
  readonly text: string;
  readonly newerId: string;
  readonly newerText: string;
}

/** A model's quotes that were found word for word in the messages they name. */
export interface Quotes {
  readonly found: readonly Quote[];
  readonly replaced: readonly QuotedReplacement[];
}

/**
 * Reasons to drop a quote.
 * - `noList`: the reply contains no list.
 * - `unreadable`: not in the requested form, or cut off.
 * - `unknownMessage`: the id belongs to no message.
 * - `notFound`: not word for word in that message.
 * - `otherSpeaker`: the kind requires the words of the other speaker.
 * - `wrongOrder`: the replacement does not come after the replaced sentence.
 * - `tooMany`: beyond the maximum that is read.
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

export interface QuoteCounts {
  readonly kept: number;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
}
