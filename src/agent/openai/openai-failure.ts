import { headOf } from '../../compaction/text/clip.ts';
import { ModelError, type ModelErrorCode } from '../model/chat-model.ts';
import { overflowOf } from '../model/overflow.ts';
import { readProviderError, type ProviderError } from '../model/provider-error.ts';
import { AnswerLimitError } from '../network/bounded-body.ts';
import { baseUrlAdvice, baseUrlProblem } from '../network/base-url.ts';
import type { KeyForms } from '../network/key-redactor.ts';
import { explainAnswerLimit, explainReplyLimit, ReplyLimitError } from './reply-limits.ts';
import { redirectCode, type Connection, type ConnectionOptions } from './connection.ts';

/** Most characters of a provider's own words in a message. */
const longestQuote = 500;

/** Turns whatever went wrong between us and one server into an error that tells a person what to do. */
export class FailureReader {
  private readonly options: ConnectionOptions;
  private readonly model: string;
  private readonly host: string;
  private readonly key: KeyForms;

  /** @param key what no error may show */
  constructor(options: ConnectionOptions, model: string, key: KeyForms) {
    this.options = options;
    this.key = key;
    this.model = model;
    this.host = hostOf(options.baseUrl);
  }

  /** @param hasBegun whether the server had begun its answer */
  read(error: unknown, sdk: Connection['sdk'], hasBegun: boolean): ModelError {
    const { host } = this;
    if (error instanceof ModelError) return error;
    const limit = causesOf(error).find((cause) => cause instanceof AnswerLimitError);
    if (limit !== undefined)
      return limit.limit === 'dropped' ? this.cutOff() : explainAnswerLimit(limit, host);
    if (error instanceof ReplyLimitError) return explainReplyLimit(error, host);
    if (error instanceof sdk.APIUserAbortError) return cancelled();
    if (error instanceof sdk.APIConnectionTimeoutError) {
      const seconds = Math.round(this.options.timeoutMs / 1000);
      const advice = 'Try again, or check that the server is not overloaded.';
      return new ModelError('timeout', `${host} did not answer within ${seconds} s. ${advice}`);
    }
    if (error instanceof sdk.APIConnectionError) return this.unreachable(error);
    if (error instanceof sdk.APIError)
      return this.refusal(providerErrorOf(error), retryAfterOf(error.headers));
    // The second is thrown for values that are nested too deeply.
    if (error instanceof SyntaxError || error instanceof RangeError)
      return this.unreadable('sent a line that is not valid JSON');
    if (hasBegun) return this.cutOff();
    return this.unreachable(error);
  }

  /** An answer with an error status, or an `error` object in a stream. */
  refusal(error: ProviderError, retryAfter?: string): ModelError {
    const { status } = error;
    if (error.code === redirectCode)
      return new ModelError('rejected', this.key.redact(error.message), { status });
    const overflow = overflowOf(error);
    const code = overflow === undefined ? codeOf(error) : 'overflow';
    const message = `${this.explain(code, error, retryAfter)}${this.quote(error.message)}`;
    return new ModelError(code, message, { status, ...overflow });
  }

  unreadable(what: string): ModelError {
    return new ModelError(
      'invalid-response',
      `${this.host} ${what}. Check that the base URL is that of an OpenAI-compatible endpoint; most end in /v1.`,
    );
  }

  /** @throws {ModelError} for settings with which no request can be made */
  checkOptions(): void {
    const { baseUrl, apiKey = '' } = this.options;
    const problem = baseUrlProblem(baseUrl);
    if (problem !== undefined) throw new ModelError('not-found', baseUrlAdvice[problem]);
    if (!/^[!-~]*$/.test(apiKey)) {
      throw new ModelError(
        'unauthorised',
        'The API key has characters that no key has. Set it again: run "Context Budget: Set API Key".',
      );
    }
  }

  cutOff(): ModelError {
    return new ModelError(
      'cut-off',
      `The connection to ${this.host} was dropped in the middle of the reply. Try again.`,
    );
  }

  private explain(code: ModelErrorCode, error: ProviderError, retryAfter: string | undefined): string {
    const { host, model } = this;
    const status = error.status === undefined ? '' : ` (HTTP ${error.status})`;
    switch (code) {
      case 'overflow':
        return `The conversation is too long for ${model}. Compact it, or choose a model with a larger window.`;
      case 'unauthorised':
        return this.options.apiKey === undefined
          ? `${host} asks for an API key${status}: run "Context Budget: Set API Key".`
          : `${host} refused the API key${status}. Check the key: run "Context Budget: Set API Key".`;
      case 'not-found':
        return `${host} has no model "${model}", or no such API at this base URL${status}. Check both in the settings.`;
      case 'rate-limited':
        return isQuota(error)
          ? `The quota of this key at ${host} is used up${status}. Check the plan and billing there.`
          : `${host} is limiting requests${status}. ${waitFor(retryAfter)}`;
      case 'timeout':
        return `${host} ran out of time${status}. Try again.`;
      case 'server':
        return `${host} has a problem of its own${status}. Try again in a while.`;
      default:
        return `${host} did not accept the request${status}.`;
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
        return new ModelError(
          'network',
          `Nothing answers at ${host}. Check the base URL, and that the server runs.`,
          detail,
        );
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        return new ModelError(
          'network',
          `${host} cannot be found. Check the base URL and the network.`,
          detail,
        );
      case 'UND_ERR_HEADERS_OVERFLOW':
        return new ModelError(
          'invalid-response',
          `${host} sent more headers than are read. Check that the base URL is that of a model's server.`,
          detail,
        );
      default: {
        const reason = causesOf(error).at(-1);
        const words = reason instanceof Error ? reason.message : '';
        const message = `The connection to ${host} failed. Check the base URL and the network.`;
        return new ModelError('network', `${message}${this.quote(words, 'Reason')}`, detail);
      }
    }
  }

  /** A provider's own words, without the key: some repeat it. */
  private quote(words: string, label = 'The server said'): string {
    const line = this.key.redact(words).replace(/\s+/g, ' ').trim();
    if (line === '') return '';
    const clipped = line.length <= longestQuote ? line : `${headOf(line, longestQuote - 1)}…`;
    return ` ${label}: ${clipped}`;
  }
}

export function cancelled(): ModelError {
  return new ModelError('cancelled', 'Stopped.');
}

/** What the SDK's error holds. Our connection puts the whole body of an error response where the SDK looks for it. */
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

/** An error inside a stream often has a name instead of a status. */
function codeWithoutStatus(code: string, message: string): ModelErrorCode {
  const text = `${code} ${message}`;
  if (/rate.?limit|quota|too many requests/i.test(text)) return 'rate-limited';
  if (/auth|permission|api.?key/i.test(code)) return 'unauthorised';
  if (/\btimed?[ -]?out/i.test(text)) return 'timeout';
  return /invalid|bad_?request|unsupported/i.test(code) ? 'rejected' : 'server';
}

function isQuota({ code = '', message }: ProviderError): boolean {
  return /insufficient_quota/i.test(`${code} ${message}`);
}

function waitFor(retryAfter: string | undefined): string {
  const seconds = Number(retryAfter);
  return retryAfter !== undefined && Number.isFinite(seconds) && seconds > 0
    ? `Wait ${Math.ceil(seconds)} s, then try again.`
    : 'Wait a moment, then try again.';
}

function retryAfterOf(headers: unknown): string | undefined {
  return headers instanceof Headers ? (headers.get('retry-after') ?? undefined) : undefined;
}

/** An error and what caused it, outermost first. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 8; cause = cause.cause)
    causes.push(cause);
  return causes;
}

function systemCodeOf(error: unknown): string | undefined {
  // A name that leads to several addresses fails with all their errors at once.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code: unknown = first instanceof Error ? Reflect.get(first, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'the server';
}
