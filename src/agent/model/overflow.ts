import type { ReportedUsage } from '../../compaction/messages/message.ts';
import type { Overflow } from '../../compaction/service/service-ports.ts';
import type { ProviderError } from './provider-error.ts';

/** Returns the overflow if a request exceeds the window; undefined for rate limits and output caps. */
export function overflowOf(error: ProviderError): Overflow | undefined {
  const { status } = error;
  const text = error.message.slice(0, longestSearched);
  if (status !== undefined && otherStatuses.has(status)) return undefined;
  if (otherCodes.test(error.code ?? '') || otherFailures.test(text)) return undefined;

  const isNamed = overflowCodes.test(error.code ?? '') || overflowCodes.test(text);
  const sizes = firstMatch(text);
  if (sizes === undefined && !isNamed && status !== 413) return undefined;

  const { limit, actual, input, output } = numbersIn(sizes?.groups);
  if (limit !== undefined && output !== undefined && output > limit * largestOutputShare) return undefined;
  const total = actual ?? (input === undefined ? undefined : input + (output ?? 0));
  if (total === undefined && !isNamed && outputCap.test(text)) return undefined;
  return { limit: limit ?? error.limit, actual: total ?? error.actual };
}

/** True if a provider refused the value of the parameter that caps the output, and not its name. */
export function isOutputCapRefusal(text: string): boolean {
  return (
    outputCap.test(text) &&
    /too (?:large|high|big|small)|at most|less than|greater than|range|exceed|≤|<=|>/i.test(text)
  );
}

/** Maximum characters searched of an error message. It may quote the request, but only after its own text. */
const longestSearched = 4_000;
/** Largest share of the window for an output cap. If the cap is larger, the cap has to change and not the request. */
const largestOutputShare = 0.75;

/** HTTP statuses about the key, payment, address, time or rate, but never about the length of a request. */
const otherStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429, 504]);
const otherCodes = /rate_?limit|throttl|quota|timeout/i;
const otherFailures =
  /rate[ _-]?limit|throttl|quota|too many requests|\b[rt]p[md]\b|(?:tokens?|requests?) per (?:min|hour|day|sec)|\bwait before|try again (?:later|in \d)|\btimed?[ -]?out/i;

/** Codes that mean an overflow, in a field or in the message. */
const overflowCodes =
  /context_length_exceeded|exceed_context_size|max_prompt_tokens_exceeded|tokens_limit_reached|token_quantity_exceeded|request_too_large|context_?window_?exceeded|ContextOverflow/i;

const outputCap =
  /\bmax[_ ](?:completion[_ ]|output[_ ]|new[_ ])?tokens\b|\bmaxOutputTokens\b|\b(?:completion|output) tokens\b/i;

/**
 * Wordings of providers. `{limit}`, `{actual}`, `{input}` and `{output}` are numbers, and `*` is any text
 * between. The first match is used, so wordings with more numbers come first.
 */
const wordings = [
  // Several versions of vLLM.
  'maximum context length is {limit} tokens*requested {output} output tokens*at least {input} input tokens',
  'maximum context length is {limit} tokens*request has {input} input tokens plus {output}',
  'maximum context length is {limit} tokens*request has {input} input tokens ({output} >',
  'maximum context length is {limit} tokens*request has {actual} input tokens',
  'passed {input} input tokens and requested {output} output tokens*context length is only {limit} tokens',
  'passed {actual} input tokens*context length is only {limit} tokens',
  'prompt (length {actual}) is longer than the maximum model length of {limit}',
  'input prompt ({actual} tokens) is too long and exceeds limit of {limit}',
  // OpenAI, Azure, DeepSeek, OpenRouter, and the many servers that forward their errors.
  'maximum context length is {limit} tokens*requested*{actual} tokens (*{output} in the completion',
  'maximum context length is {limit} tokens*requested*{actual} tokens (*{output} for the completion',
  'maximum context length is {limit} tokens*requested*{actual} tokens (*{output} in the output',
  'maximum context length is {limit} tokens*resulted in {actual} tokens',
  'maximum context length is {limit} tokens*requested*{actual} tokens',
  'exceed the configured limit of {limit} tokens*resulted in {actual} tokens',
  'exceed the configured limit of {limit} tokens',
  'exceeds the context window',
  "exceeds the model's context",
  'exceeds the maximum context',
  'request body too large for*max size: {limit} tokens',
  // Another wording of SGLang, which Cloudflare and many gateways forward.
  'maximum context length of {limit} tokens*total of {actual}*input messages and {output}',
  'maximum context length of {limit}',
  // Anthropic, and Fireworks with almost the same wording.
  'prompt is too long: {actual} tokens > {limit} maximum',
  'prompt is too long: {actual}, model maximum context length: {limit}',
  'exceed context limit: {input} + {output} > {limit}',
  'prompt is too long',
  // Gemini, Vertex, xAI, Copilot.
  'input token count ({actual}) exceeds the maximum number of tokens allowed ({limit})',
  'input token count exceeds the maximum number of tokens allowed ({limit})',
  'input token count is {actual} but model only supports up to {limit}',
  'input token count*exceeds the maximum',
  'maximum prompt length is {limit} but the request contains {actual} tokens',
  'maximum prompt length is {limit}',
  'prompt token count of {actual} exceeds the limit of {limit}',
  // Mistral, Cerebras, Groq, Moonshot, Cohere, MiniMax, Zhipu, Volcengine, Qianfan.
  'contains {actual} tokens*too large for model with {limit} maximum context length',
  'too large for model with {limit} maximum context length',
  'current length is {actual} while limit is {limit}',
  'reduce the length of the messages',
  'exceeded model token limit: {limit} (requested: {actual})',
  'exceeded model token limit',
  'tokens in the prompt cannot exceed {limit} - received {actual}',
  'too many tokens: size limit exceeded*limit for this model is {limit} tokens',
  'input token length too long',
  'context window exceeds limit',
  'prompt exceeds max length',
  'prompt tokens too long',
  'exceed max message tokens',
  // Cloudflare, watsonx, SiliconFlow, DeepInfra, Agentforce, Poolside.
  'input and maximum output tokens ({actual}) exceeded this model context window limit ({limit})',
  'number of input tokens {actual} cannot exceed the total tokens limit {limit}',
  'prompt_tokens ({actual}) must be less than max_seq_len ({limit})',
  'input length {actual} exceeds maximum input length {limit}',
  'input tokens exceed model token limit',
  'input length {actual} exceeds*maximum allowed input length of {limit}',
  'maximum allowed input length of {limit}',
  "input length ({actual}) exceeds model's maximum context length ({limit})",
  // Bedrock.
  'max input tokens: {limit}, request input token count: {actual}',
  'input is too long for requested model',
  'number of input tokens exceeds',
  // DashScope (Qwen).
  'range of input length should be [*, {limit}]',
  // MLC-LLM, TabbyAPI, DS4.
  'prompt has {actual} tokens in total, larger than the model input length limit {limit}',
  'length {actual} is greater than max_seq_len {limit}',
  'prompt has {actual} tokens, but the configured context size is {limit}',
  // llama.cpp and its Python binding, SGLang, TensorRT-LLM, text-generation-inference, LM Studio, Ollama.
  'request ({actual} tokens) exceeds the available context size ({limit} tokens)',
  'exceeds the available context size',
  'context size has been exceeded',
  'requested tokens ({actual}) exceed context window of {limit}',
  "input ({actual} tokens) is longer than the model's context length ({limit} tokens)",
  "longer than the model's context length",
  'prompt length ({actual}) exceeds maximum input length ({limit})',
  'tokens + `max_new_tokens` must be <= {limit}. given: {input} `inputs` tokens and {output}',
  '`inputs` must have less than {limit} tokens. given: {actual}',
  'keep the first {actual} tokens*context length of only {limit}',
  'n_keep: {actual}*n_ctx: {limit}',
  'n_keep ({actual}) >= n_ctx ({limit})',
  'greater than the context length',
  'input length {actual} exceeds context length {limit}',
  'input length exceeds*context length',
  'prompt too long',
  // A body with too many bytes. Its status does not identify the error.
  'payload size exceeds the limit',
  // Any provider.
  'maximum context length is {limit}',
  'maximum context length',
  'context length exceeded',
  'context window exceeded',
  '超过模型*上下文',
  '上下文长度超',
  '输入长度超',
  '输入超长',
  'prompt 超长',
].map(toExpression);

/** OpenAI's error for a text or a list of messages that is too long; not for ids, names and tools. */
const contentTooLong =
  /invalid '(?:messages|input)(?:\[\d+\])?(?:\.(?:content|output|arguments)[^']*|\.tool_calls\[\d+\]\.function\.arguments)?': (?:string|array) too long/i;

/** Any wording for an input that is too long or over its limit. */
const inputTooLong =
  /\b(?:input|prompt|context)(?: (?:tokens?|text|messages?|count|length|size|window)){0,3}(?: (?:is|are|was|were))? too (?:long|large|big)\b|\b(?:input|prompt|context)(?: (?:tokens?|count|length|size|window)){1,3}(?: (?:is|are|has|have))? exceed(?:s|ed|ing)?\b.{0,40}\b(?:limit|maximum|window|allowed)\b/i;

function firstMatch(text: string): RegExpExecArray | undefined {
  return [...wordings, contentTooLong, inputTooLong]
    .map((wording) => wording.exec(text))
    .find((match) => match !== null);
}

function toExpression(wording: string): RegExp {
  const source = wording
    .replace(/[.+?^$()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '[^]{0,200}?')
    .replace(/\{(limit|actual|input|output)\}/g, '(?<$1>\\d[\\d,]*)');
  return new RegExp(source, 'i');
}

function numbersIn(groups: Readonly<Record<string, string | undefined>> | undefined): {
  limit?: number;
  actual?: number;
  input?: number;
  output?: number;
} {
  const numbers = Object.entries(groups ?? {}).flatMap(([name, digits]) =>
    digits === undefined ? [] : [[name, Number(digits.replaceAll(',', ''))] as const],
  );
  return Object.fromEntries(numbers);
}

/** Maximum reported share of our count at which a cut is assumed. Other tokenizers explain larger shares. */
const largestShare = 0.5;
/** Smallest window in use. Local servers have windows of 2ⁿ, 3 · 2ⁿ or 5 · 2ⁿ tokens, such as 40,960. */
const smallestWindow = 1_024;
const largestFactor = 5;
/** Tokens by which a cut prompt may be smaller than the window, because the server leaves room, or larger. */
const below = 64;
const above = 8;

/**
 * True if a server cut the prompt without an error. It then reports less than half of our count, about the size of a
 * window. Ollama cuts to `num_ctx`, or to half of it plus a few tokens (its issues 10368 and 17427).
 */
export function looksTruncated(countedTokens: number, reported: ReportedUsage): boolean {
  const { inputTokens } = reported;
  return inputTokens < countedTokens * largestShare && isAboutAWindow(inputTokens);
}

function isAboutAWindow(tokens: number): boolean {
  for (let factor = 1; factor <= largestFactor; factor += 2) {
    const exponent = Math.round(Math.log2(tokens / factor));
    const window = factor * 2 ** exponent;
    if (window >= smallestWindow && tokens >= window - below && tokens <= window + above) return true;
  }
  return false;
}
