import { ModelError } from '../model/chat-model.ts';
import type { AnswerLimitError } from '../network/bounded-body.ts';
import { modelsSentences } from '../../language/english/models-english.ts';

/**
 * Limits of a reply, in characters unless noted otherwise. No model writes more than a quarter of a million tokens in
 * one reply, which are a million characters: each limit is far above that, and far below what hurts.
 */
const replyLimits = {
  text: 4_000_000,
  reasoning: 4_000_000,
  /** Data that a provider wants back with the reply, as JSON. */
  returned: 8_000_000,
  /** Of one call, and of all calls together. */
  argumentsOfCall: 2_000_000,
  arguments: 4_000_000,
  /** Tool calls of one reply. Models make a few dozen at most. */
  calls: 500,
  /** Of a tool's name, or of a call's id. Providers take 64 for a name. */
  name: 1_000,
} as const;

type ReplyPart = keyof typeof replyLimits;

/** A reply has more of something than any reply has. */
export class ReplyLimitError extends Error {
  override readonly name = 'ReplyLimitError';
  readonly part: ReplyPart;

  constructor(part: ReplyPart) {
    super(`More ${part} than a reply can have: ${replyLimits[part]}.`);
    this.part = part;
  }
}

/** @throws {ReplyLimitError} if a part of a reply is larger than it can be */
export function checkReply(part: ReplyPart, size: number): void {
  if (size > replyLimits[part]) throw new ReplyLimitError(part);
}

/** An answer that took too long, or had too many bytes, as an error that says what was done about it. */
export function explainAnswerLimit({ limit, value }: AnswerLimitError, host: string): ModelError {
  const seconds = Math.round(value / 1000);
  switch (limit) {
    case 'silence':
      return new ModelError('timeout', modelsSentences.say('stoppedAnswering', { host, seconds }));
    case 'standstill':
      return new ModelError('timeout', modelsSentences.say('connectionSilent', { host, seconds }));
    case 'duration': {
      const minutes = Math.round(value / 60_000);
      return new ModelError('timeout', modelsSentences.say('replyTooSlow', { host, minutes }));
    }
    case 'line':
      return tooLong('replyEventBytes', host, value);
    case 'lines':
      return tooLong('replyLines', host, value);
    default:
      return tooLong('replyBytes', host, value);
  }
}

/** A reply that had more of something than any reply has. */
export function explainReplyLimit({ part }: ReplyLimitError, host: string): ModelError {
  return tooLong(sentences[part], host, replyLimits[part]);
}

const sentences = {
  text: 'replyText',
  reasoning: 'replyReasoning',
  returned: 'replyReasoning',
  argumentsOfCall: 'replyCallArguments',
  arguments: 'replyCallsArguments',
  calls: 'replyCalls',
  name: 'replyCallName',
} as const satisfies Readonly<Record<ReplyPart, string>>;

type LimitKey = (typeof sentences)[ReplyPart] | 'replyBytes' | 'replyEventBytes' | 'replyLines';

function tooLong(key: LimitKey, host: string, limit: number): ModelError {
  return new ModelError('invalid-response', modelsSentences.say(key, { host, limit }));
}
