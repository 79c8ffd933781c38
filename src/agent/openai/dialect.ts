import type { ChatMessage, ContentPart } from '../../compaction/messages/message.ts';
import { isOutputCapRefusal } from '../model/overflow.ts';
import type { ProviderError } from '../model/provider-error.ts';

/** The two ways to ask an OpenAI-compatible server. */
export type Api = 'chat' | 'responses';

/** Features that a server was found not to understand. Kept for as long as the model object lives. */
export interface Dialect {
  readonly reportsUsage: boolean;
  readonly outputCap: 'max_completion_tokens' | 'max_tokens';
  /**
   * Reasoning of earlier replies goes back as it was given; or not at all, to servers that refuse it; or with every
   * reply, empty if there is none, to servers that refuse to do without.
   */
  readonly reasoning: 'returned' | 'refused' | 'demanded';
  /** False for a model that takes no images: it is told where there was one. */
  readonly images: boolean;
  /** Answers may be given a JSON schema. */
  readonly answerSchemas: boolean;
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
  images: true,
  answerSchemas: true,
  cacheMarks: 'nowhere',
  reasoningItems: true,
  reasoningSummary: true,
};

/**
 * The dialect to try next after a server refused a request because of a parameter.
 *
 * @returns undefined if the refusal had another reason
 */
export function adaptedTo(refusal: ProviderError, dialect: Dialect, api: Api): Dialect | undefined {
  const { status } = refusal;
  if (status !== 400 && status !== 422) return undefined;
  return (
    withoutSchema(refusal, dialect) ??
    (api === 'chat' ? withoutParameter(refusal, dialect) : withoutQuestion(refusal, dialect)) ??
    withReasoning(refusal, dialect)
  );
}

function withoutSchema({ message }: ProviderError, dialect: Dialect): Dialect | undefined {
  const isAboutSchema = /response_format|json_schema|text\.format|structured[ _]outputs?|\bgrammar\b/i.test(
    message,
  );
  return dialect.answerSchemas && isAboutSchema ? { ...dialect, answerSchemas: false } : undefined;
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

/**
 * Marks for providers that keep in their caches only what a request asks them to (`cache_control`, Anthropic's name for
 * it, which gateways in front of its models hand on).
 *
 * The positions of the marks depend on the messages alone, so that the next request finds again what this one wrote:
 *
 * - after the system messages, and with them the tools, which come before all messages;
 * - after what came before the first reply: the end of the first request, which compactions mostly leave alone;
 * - after what came before the last reply: the end of the request before, which is what is read now;
 * - at the end, which is what the next request reads.
 *
 * These are four at most, and a provider takes no more.
 */

/** Messages in which an endpoint takes marks: all, all but those that hold a tool's result, or none. */
type CacheMarks = 'everywhere' | 'spoken' | 'nowhere';

type WireMessage = Readonly<Record<string, unknown>>;

const mark = { cache_control: { type: 'ephemeral' } } as const;

/**
 * The messages with their marks.
 *
 * Every text that could ever carry one is sent as a part, marked or not: a message is the same bytes in all requests
 * but for the mark, which is not part of what a cache compares.
 *
 * @param messages what is said, by which the places are chosen
 * @param wire the same messages as they are sent
 * @param goesOn whether another request will begin with all of this one; the end is not worth writing otherwise
 */
export function withCacheMarks(
  messages: readonly ChatMessage[],
  wire: readonly WireMessage[],
  where: Exclude<CacheMarks, 'nowhere'>,
  goesOn: boolean,
): readonly WireMessage[] {
  const takesMarks = (message: ChatMessage) =>
    message.role !== 'assistant' && (where === 'everywhere' || message.role !== 'tool');
  const places = markedPlaces(messages, (message) => takesMarks(message) && hasText(message), goesOn);
  return wire.map((message, position) => {
    const said = messages[position];
    if (said === undefined || !takesMarks(said)) return message;
    return { ...message, content: partsOf(said, places.has(position)) };
  });
}

function markedPlaces(
  messages: readonly ChatMessage[],
  takesMark: (message: ChatMessage) => boolean,
  goesOn: boolean,
): ReadonlySet<number> {
  const isReply = ({ role }: ChatMessage) => role === 'assistant';
  const firstSpoken = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const ends = [
    firstSpoken < 0 ? messages.length : firstSpoken,
    messages.findIndex(isReply),
    messages.findLastIndex(isReply),
    goesOn ? messages.length : -1,
  ];
  const places = ends.map((end) => messages.slice(0, Math.max(0, end)).findLastIndex(takesMark));
  return new Set(places.filter((place) => place >= 0));
}

/** Text without a visible character takes no mark. */
function hasText({ content }: ChatMessage): boolean {
  return typeof content === 'string' ? content.trim() !== '' : (content ?? []).some(isMarkable);
}

function isMarkable({ type, text = '' }: ContentPart): boolean {
  return type === 'text' && text.trim() !== '';
}

function partsOf({ content }: ChatMessage, isMarked: boolean): ChatMessage['content'] {
  if (content === null || content === '') return content;
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const place = isMarked ? parts.findLastIndex(isMarkable) : -1;
  return parts.map((part, index) => (index === place ? { ...part, ...mark } : part));
}
