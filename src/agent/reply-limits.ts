/**
 * How much a reply may hold, in characters where nothing else is said. No model writes more than a quarter of a million
 * tokens in one reply, which are a million characters: each limit is far above that, and far below what hurts.
 */
export const replyLimits = {
  text: 4_000_000,
  reasoning: 4_000_000,
  /** What a provider wants back with the reply, as JSON. */
  returned: 8_000_000,
  /** Of one call, and of all calls together. */
  argumentsOfCall: 2_000_000,
  arguments: 4_000_000,
  /** Tool calls of one reply. Models make a few dozen at most. */
  calls: 500,
  /** Of a tool's name, or of a call's id. Providers take 64 for a name. */
  name: 1_000,
} as const;

export type ReplyPart = keyof typeof replyLimits;

/** A reply has more of something than any reply has. */
export class ReplyLimitError extends Error {
  override readonly name = 'ReplyLimitError';
  readonly part: ReplyPart;

  constructor(part: ReplyPart) {
    super(`More ${part} than a reply can have: ${replyLimits[part]}.`);
    this.part = part;
  }
}

/** @throws {ReplyLimitError} where a part of a reply is larger than it can be */
export function checkReply(part: ReplyPart, size: number): void {
  if (size > replyLimits[part]) throw new ReplyLimitError(part);
}
