import type { ChatMessage, ContentPart } from '../../compaction/messages/message.ts';
import { isOutputCapRefusal } from '../model/overflow.ts';
import type { ProviderError } from '../model/provider-error.ts';

/** The two APIs of an OpenAI-compatible server. */
export type Api = 'chat' | 'responses';

/** Features that a server accepts or has rejected. Remembered as long as the model object exists. */
export interface Dialect {
  readonly reportsUsage: boolean;
  readonly outputCap: 'max_completion_tokens' | 'max_tokens';
  /** Earlier reasoning is `returned`, omitted (`refused`), or sent with every reply, even empty (`demanded`). */
  readonly reasoning: 'returned' | 'refused' | 'demanded';
  /** False for a model that takes no images. A note replaces each image. */
  readonly images: boolean;
  readonly answerSchemas: boolean;
  /** Chat completions: the messages that can carry marks for the provider's cache. */
  readonly cacheMarks: CacheMarks;
  /** Responses API: false for a model without reasoning, which rejects a request for reasoning items. */
  readonly reasoningItems: boolean;
  /** Responses API: false if OpenAI refuses a summary, because the organisation is not verified. */
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

/** Returns the dialect to try after a server rejected a parameter; undefined if it refused for another reason. */
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
    // Some gateways forward marks, but their provider rejects marks in the result of a tool.
    return { ...dialect, cacheMarks: dialect.cacheMarks === 'everywhere' ? 'spoken' : 'nowhere' };
  }
  const isUnknownCap =
    dialect.outputCap === 'max_completion_tokens' &&
    message.includes('max_completion_tokens') &&
    !isOutputCapRefusal(message);
  return isUnknownCap ? { ...dialect, outputCap: 'max_tokens' } : undefined;
}

/** Removes a parameter that a model without reasoning rejects. */
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
 * Marks for providers that cache only on request (`cache_control`). They are after the system messages,
 * before the first and the last reply, and at the end. A provider accepts at most four. Their positions
 * depend only on the messages, so that the next request finds the parts that this request wrote.
 */

/** Messages in which an endpoint accepts marks: all, all except the results of tools, or none. */
type CacheMarks = 'everywhere' | 'spoken' | 'nowhere';

type WireMessage = Readonly<Record<string, unknown>>;

const mark = { cache_control: { type: 'ephemeral' } } as const;

/**
 * Adds marks to messages. Every text that can carry a mark is sent as a part, so that only the marks differ.
 * @param wire the same messages in the provider's format
 * @param goesOn true if the next request begins with all of this one
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

/** True if a message has a visible character. A provider accepts no mark on another message. */
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
