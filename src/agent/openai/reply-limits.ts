import { ModelError } from '../model/chat-model.ts';
import type { AnswerLimitError } from '../network/bounded-body.ts';

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

/** An answer that took too long, or had too many bytes, as an error that says what was done about it. */
export function explainAnswerLimit({ limit, value }: AnswerLimitError, host: string): ModelError {
  switch (limit) {
    case 'silence':
      return new ModelError(
        'timeout',
        `${host} stopped answering: nothing came for ${seconds(value)} s. Try again.`,
      );
    case 'standstill':
      return new ModelError(
        'timeout',
        `${host} kept the connection open, but said nothing for ${seconds(value)} s. Try again.`,
      );
    case 'duration':
      return new ModelError(
        'timeout',
        `${host} did not end its reply within ${Math.round(value / 60_000)} minutes, so it was ended here.`,
      );
    case 'line':
      return tooLong(`${host} sent an event of more than ${value} bytes, so the connection was closed.`);
    case 'lines':
      return tooLong(`${host} sent more than ${value} lines, so the connection was closed.`);
    default:
      return tooLong(`${host} sent more than ${value} bytes, so the connection was closed.`);
  }
}

/** A reply that had more of something than any reply has. */
export function explainReplyLimit({ part }: ReplyLimitError, host: string): ModelError {
  return tooLong(sentences[part](host, replyLimits[part]));
}

const sentences: Readonly<Record<ReplyPart, (host: string, limit: number) => string>> = {
  text: (host, limit) =>
    `${host} sent a reply of more than ${limit} characters, so the connection was closed.`,
  reasoning: (host, limit) =>
    `${host} sent reasoning of more than ${limit} characters, so the connection was closed.`,
  returned: (host, limit) =>
    `${host} sent reasoning of more than ${limit} characters, so the connection was closed.`,
  argumentsOfCall: (host, limit) =>
    `${host} sent a tool call with arguments of more than ${limit} characters, so the connection was closed.`,
  arguments: (host, limit) =>
    `${host} sent tool calls with arguments of more than ${limit} characters, so the connection was closed.`,
  calls: (host, limit) =>
    `${host} sent more than ${limit} tool calls in one reply, so the connection was closed.`,
  name: (host, limit) =>
    `${host} sent a tool call with a name of more than ${limit} characters, so the connection was closed.`,
};

function tooLong(what: string): ModelError {
  return new ModelError('invalid-response', what);
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 1000);
}
