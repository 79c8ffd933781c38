import { ellipsised } from '../../compaction/text/clip.ts';
import { ModelError, type ModelErrorCode, stoppedCall } from '../model/chat-model.ts';
import { overflowOf } from '../model/overflow.ts';
import { readProviderError, type ProviderError } from '../model/provider-error.ts';
import { AnswerLimitError } from '../network/bounded-body.ts';
import { baseUrlAdvice, baseUrlProblem } from '../network/base-url.ts';
import { redirection } from '../network/guarded-fetch.ts';
import type { KeyForms } from '../network/key-redactor.ts';
import { explainAnswerLimit, explainReplyLimit, ReplyLimitError } from './reply-limits.ts';
import { redirectCode, type OpenaiConnection, type ConnectionOptions } from './connection.ts';
import { modelsSentences } from '../../language/english/models-english.ts';
import type { Sentence } from '../../language/sentence.ts';

/** Maximum characters quoted from a provider's message. */
const longestQuote = 500;

/** Converts errors of a server or of the connection into errors that tell the user what to do. */
export class FailureReader {
  private readonly options: ConnectionOptions;
  private readonly model: string;
  private readonly host: string;
  private readonly key: KeyForms;

  /** @param key the key, which must not appear in an error */
  constructor(options: ConnectionOptions, model: string, key: KeyForms) {
    this.options = options;
    this.key = key;
    this.model = model;
    this.host = URL.canParse(options.baseUrl) ? new URL(options.baseUrl).host : 'the server';
  }

  /** @param hasBegun true if the server had begun its answer */
  read(error: unknown, sdk: OpenaiConnection['sdk'], hasBegun: boolean): ModelError {
    const { host } = this;
    if (error instanceof ModelError) return error;
    const limit = causesOf(error).find((cause) => cause instanceof AnswerLimitError);
    if (limit !== undefined)
      return limit.limit === 'dropped' ? this.cutOff() : explainAnswerLimit(limit, host);
    if (error instanceof ReplyLimitError) return explainReplyLimit(error, host);
    if (error instanceof sdk.APIUserAbortError) return stoppedCall();
    if (error instanceof sdk.APIConnectionTimeoutError) {
      const seconds = Math.round(this.options.timeoutMs / 1000);
      return new ModelError('timeout', modelsSentences.say('noAnswer', { host, seconds }));
    }
    if (error instanceof sdk.APIConnectionError) return this.unreachable(error);
    if (error instanceof sdk.APIError)
      return this.refusal(providerErrorOf(error), retryAfterOf(error.headers));
    // `RangeError` is thrown for values that are nested too deep.
    if (error instanceof SyntaxError || error instanceof RangeError)
      return this.unreadable('hostSentInvalidJson');
    if (hasBegun) return this.cutOff();
    return this.unreachable(error);
  }

  /** Returns the error for an answer with an error status, or for an `error` object in a stream. */
  refusal(error: ProviderError, retryAfter?: string): ModelError {
    const { status } = error;
    if (error.code === redirectCode)
      return new ModelError('rejected', redirection(this.host, this.key.redact(error.message), status ?? 0), {
        status,
      });
    const overflow = overflowOf(error);
    const code = overflow === undefined ? codeOf(error) : 'overflow';
    const message = this.quoting(this.explain(code, error, retryAfter), error.message, 'withServerWords');
    return new ModelError(code, message, { status, ...overflow });
  }

  /** Returns the error for an answer that no model server would send. */
  unreadable(
    key: 'hostSentHtml' | 'hostSentInvalidJson' | 'hostSentNoCompaction' | 'hostSentNoStream',
  ): ModelError {
    const problem = modelsSentences.say(key, { host: this.host });
    return new ModelError('invalid-response', modelsSentences.say('endpointProblem', { problem }));
  }

  /** @throws {ModelError} if the settings make every request impossible */
  checkOptions(): void {
    const { baseUrl, apiKey = '' } = this.options;
    const problem = baseUrlProblem(baseUrl);
    if (problem !== undefined) throw new ModelError('not-found', baseUrlAdvice[problem]);
    if (!/^[!-~]*$/.test(apiKey)) {
      throw new ModelError('unauthorised', modelsSentences.say('keyInvalid'));
    }
  }

  cutOff(): ModelError {
    return new ModelError('cut-off', modelsSentences.say('connectionDropped', { host: this.host }));
  }

  private explain(code: ModelErrorCode, error: ProviderError, retryAfter: string | undefined): Sentence {
    const { host, model } = this;
    const status =
      error.status === undefined ? '' : modelsSentences.say('httpStatus', { status: String(error.status) });
    switch (code) {
      case 'overflow':
        return modelsSentences.say('conversationTooLong', { model });
      case 'unauthorised':
        return this.options.apiKey === undefined
          ? modelsSentences.say('keyMissing', { host, status })
          : modelsSentences.say('keyRefused', { host, status });
      case 'not-found':
        if (isAboutImages(error)) return modelsSentences.say('modelTakesNoPictures', { model });
        return modelsSentences.say('modelNotFound', { host, model, status });
      case 'rate-limited':
        return isQuota(error)
          ? modelsSentences.say('quotaUsedUp', { host, status })
          : modelsSentences.say('hostLimits', { host, status, advice: waitFor(retryAfter) });
      case 'timeout':
        return modelsSentences.say('hostTimedOut', { host, status });
      case 'server':
        return modelsSentences.say('hostHasProblem', { host, status });
      default:
        return isAboutImages(error)
          ? modelsSentences.say('modelTakesNoPictures', { model })
          : modelsSentences.say('requestRejected', { host, status });
    }
  }

  private unreachable(error: unknown): ModelError {
    const code = causesOf(error)
      .map(systemCodeOf)
      .find((found) => found !== undefined);
    const detail = { cause: error };
    const { host } = this;
    switch (code) {
      case 'ECONNREFUSED':
        return new ModelError('network', modelsSentences.say('nothingAnswers', { host }), detail);
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        return new ModelError('network', modelsSentences.say('hostNotFound', { host }), detail);
      case 'UND_ERR_HEADERS_OVERFLOW':
        return new ModelError('invalid-response', modelsSentences.say('tooManyHeaders', { host }), detail);
      default: {
        const reason = causesOf(error).at(-1);
        const words = reason instanceof Error ? reason.message : '';
        const message = modelsSentences.say('connectionFailed', { host });
        return new ModelError('network', this.quoting(message, words, 'withReason'), detail);
      }
    }
  }

  /** Adds the provider's message to a sentence, without the key, which some messages repeat. */
  private quoting(message: Sentence, words: string, key: 'withReason' | 'withServerWords'): Sentence {
    const line = this.key.redact(words).replace(/\s+/g, ' ').trim();
    if (line === '') return message;
    const clipped = ellipsised(line, longestQuote);
    return modelsSentences.say(key, { message, words: clipped });
  }
}

/** Reads the SDK's error, which contains the whole body of the response thanks to our connection. */
export function providerErrorOf(error: { readonly status: unknown; readonly error: unknown }): ProviderError {
  return readProviderError(error.error, typeof error.status === 'number' ? error.status : undefined);
}

function codeOf(error: ProviderError): ModelErrorCode {
  const { status, code = '', message } = error;
  if (status === undefined) return codeWithoutStatus(code, message);
  if (status === 401 || status === 403) return 'unauthorised';
  if (status === 404) return 'not-found';
  if (status === 408) return 'timeout';
  if (status === 429) return 'rate-limited';
  return status >= 500 ? 'server' : 'rejected';
}

/** Returns the code of an error in a stream, which often has a name instead of a status. */
function codeWithoutStatus(code: string, message: string): ModelErrorCode {
  const text = `${code} ${message}`;
  if (/rate.?limit|quota|too many requests/i.test(text)) return 'rate-limited';
  if (/auth|permission|api.?key/i.test(code)) return 'unauthorised';
  if (/\btimed?[ -]?out/i.test(text)) return 'timeout';
  return /invalid|bad_?request|unsupported/i.test(code) ? 'rejected' : 'server';
}

/** True if a provider refuses all images, in the wordings of OpenAI, OpenRouter, strict parsers and vLLM. */
export function isAboutImages({ message }: ProviderError): boolean {
  return imageRefusals.some((pattern) => pattern.test(message));
}

const imageRefusals = [
  /image_url.{0,80}only supported/i,
  /unknown variant\W{1,3}image_url/i,
  /support(?:s|ed|ing)? (?:for )?(?:image|vision)[ _-]?(?:input|url|content)/i,
  /(?:not|n't) support (?:images?|vision)\b/i,
  /\bimages?(?: inputs?| content)? (?:is|are) not (?:supported|accepted|allowed)/i,
  /not a (?:multimodal|vision) model/i,
];

function isQuota({ code = '', message }: ProviderError): boolean {
  return /insufficient_quota/i.test(`${code} ${message}`);
}

/** Maximum wait that is shown, in seconds: one day. A larger number is not a duration. */
const longestWait = 86_400;

function waitFor(retryAfter: string | undefined): Sentence {
  const seconds = Number(retryAfter);
  return retryAfter !== undefined && seconds > 0 && seconds <= longestWait
    ? modelsSentences.say('waitSeconds', { seconds: Math.ceil(seconds) })
    : modelsSentences.say('waitAMoment');
}

function retryAfterOf(headers: unknown): string | undefined {
  return headers instanceof Headers ? (headers.get('retry-after') ?? undefined) : undefined;
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 8; cause = cause.cause)
    causes.push(cause);
  return causes;
}

function systemCodeOf(error: unknown): string | undefined {
  // If a name has several addresses, the connection fails with the errors of all of them.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code: unknown = first instanceof Error ? Reflect.get(first, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}
