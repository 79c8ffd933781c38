import { ModelError } from '../model/chat-model.ts';
import type { AnswerLimitError } from '../network/bounded-body.ts';
import { modelsSentences } from '../../language/english/models-english.ts';

/** Limits of a reply, in characters unless stated otherwise. No model writes more than a million. */
const replyLimits = {
  text: 4_000_000,
  reasoning: 4_000_000,
  /** Data, as JSON, that must be sent back to the provider with the reply. */
  returned: 8_000_000,
  /** Arguments of one call, and of all calls together. */
  argumentsOfCall: 2_000_000,
  arguments: 4_000_000,
  /** Number of tool calls in one reply. Models make a few dozen at most. */
  calls: 500,
  /** Name of a tool, or id of a call. Providers accept names of up to 64 characters. */
  name: 1_000,
} as const;

type ReplyPart = keyof typeof replyLimits;

/** Error for a reply that exceeds a limit. */
export class ReplyLimitError extends Error {
  override readonly name = 'ReplyLimitError';
  readonly part: ReplyPart;

  constructor(part: ReplyPart) {
    super(`More ${part} than a reply can have: ${replyLimits[part]}.`);
    this.part = part;
  }
}

/** @throws {ReplyLimitError} if a part of a reply exceeds its limit */
export function checkReply(part: ReplyPart, size: number): void {
  if (size > replyLimits[part]) throw new ReplyLimitError(part);
}

/** Explains an answer that took too long or had too many bytes. */
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

/** Explains a reply that exceeds a limit. */
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
