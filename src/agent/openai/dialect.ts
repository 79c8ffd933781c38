import { isOutputCapRefusal } from '../overflow.ts';
import type { ProviderError } from '../provider-error.ts';
import type { CacheMarks } from './cache-marks.ts';

/** The two ways to ask an OpenAI-compatible server. */
export type Api = 'chat' | 'responses';

/** What a server was found not to understand. Kept for as long as the model object lives. */
export interface Dialect {
  readonly reportsUsage: boolean;
  readonly outputCap: 'max_completion_tokens' | 'max_tokens';
  /**
   * Reasoning of earlier replies goes back as it was given; or not at all, to servers that refuse it; or with every
   * reply, empty where there is none, to servers that refuse to do without.
   */
  readonly reasoning: 'returned' | 'refused' | 'demanded';
  /** Chat completions: where marks for the provider's cache go. */
  readonly cacheMarks: CacheMarks;
  /** Responses API: what a model without reasoning refuses to be asked for. */
  readonly reasoningItems: boolean;
  /** Responses API: what OpenAI shows only to organisations that it has verified. */
  readonly reasoningSummary: boolean;
}

export const standardDialect: Dialect = {
  reportsUsage: true,
  outputCap: 'max_completion_tokens',
  reasoning: 'returned',
  cacheMarks: 'nowhere',
  reasoningItems: true,
  reasoningSummary: true,
};

/**
 * The dialect to try next after a server refused a request because of a parameter.
 *
 * @returns undefined where the refusal had another reason
 */
export function adaptedTo(refusal: ProviderError, dialect: Dialect, api: Api): Dialect | undefined {
  const { status } = refusal;
  if (status !== 400 && status !== 422) return undefined;
  return (
    (api === 'chat' ? withoutParameter(refusal, dialect) : withoutQuestion(refusal, dialect)) ??
    withReasoning(refusal, dialect)
  );
}

function withoutParameter({ message }: ProviderError, dialect: Dialect): Dialect | undefined {
  if (dialect.reportsUsage && /stream_options|include_usage/i.test(message)) {
    return { ...dialect, reportsUsage: false };
  }
  if (dialect.cacheMarks !== 'nowhere' && /cache_control/i.test(message)) {
    // Some gateways hand marks on except where a tool's result has them, which their provider then refuses.
    return { ...dialect, cacheMarks: dialect.cacheMarks === 'everywhere' ? 'spoken' : 'nowhere' };
  }
  const isUnknownCap =
    dialect.outputCap === 'max_completion_tokens' &&
    message.includes('max_completion_tokens') &&
    !isOutputCapRefusal(message);
  return isUnknownCap ? { ...dialect, outputCap: 'max_tokens' } : undefined;
}

/** A model that does not reason knows neither of the two. */
function withoutQuestion({ message }: ProviderError, dialect: Dialect): Dialect | undefined {
  if (
    dialect.reasoningItems &&
    /encrypted content is not supported|reasoning\.encrypted_content|['"`]include\b/i.test(message)
  ) {
    return { ...dialect, reasoningItems: false, reasoningSummary: false };
  }
  return dialect.reasoningSummary && /reasoning\.summary|reasoning summar|['"`]reasoning['"`]/i.test(message)
    ? { ...dialect, reasoningSummary: false }
    : undefined;
}

function withReasoning({ message, code = '' }: ProviderError, dialect: Dialect): Dialect | undefined {
  if (dialect.reasoning !== 'returned') return undefined;
  if (
    /reasoning_content\W.{0,60}(?:must be|is missing)|(?:missing|requires) \W?reasoning_content/i.test(
      message,
    )
  ) {
    return { ...dialect, reasoning: 'demanded' };
  }
  const isRefused =
    /reasoning_(?:content|details)|extra_content|encrypted[_ ]content|['"`.]reasoning\b/i.test(message) ||
    code === 'invalid_encrypted_content';
  return isRefused ? { ...dialect, reasoning: 'refused' } : undefined;
}
