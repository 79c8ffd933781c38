/** Data about a message while it is being written. */

/** An attachment that was not sent yet. */
export interface PricedAttachment {
  /** As it stands in the text. */
  readonly label: string;
  readonly tokens: number;
  /** The reason why it will not be sent, in one sentence. */
  readonly problem?: string | undefined;
}

/** A command that can be typed. */
export interface CommandView {
  /** Without the slash. */
  readonly name: string;
  /** A hint at the argument; empty if it takes none. */
  readonly hint: string;
  /** Its effect, in one sentence. */
  readonly sentence: string;
}

/** A strategy that can be chosen for one compaction. */
export interface StrategyChoice {
  readonly id: string;
  readonly title: string;
}

/** `@`: a path. `#`: something that the editor knows. `/`: a command. */
export const completionTriggers = ['@', '#', '/'] as const;
export type CompletionTrigger = (typeof completionTriggers)[number];

/** One way to go on with a word that is being typed. */
export interface Completion {
  readonly label: string;
  /** More about it, or empty. */
  readonly detail: string;
  /**
   * The text that replaces the word and its sign. Ends with `/` if more is to be typed, as after a folder; for a
   * command it replaces the whole text.
   */
  readonly insert: string;
}

/** The price of sending a message, in tokens. */
export interface Price {
  /** The text that was asked about. */
  readonly text: string;
  /** Of the message with everything attached to it. */
  readonly tokens: number;
  readonly attachments: readonly PricedAttachment[];
  /** Of the next request with this message in it, before any compaction. */
  readonly total: number;
  readonly window?: number | undefined;
  /** Sending it now would set off a compaction, or the question whether to compact. */
  readonly compacts: boolean;
}
