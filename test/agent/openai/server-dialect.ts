import type { ReportedUsage } from '../../../src/compaction/messages/message.ts';
import type { RecordedRequest, StatusReply, StreamReply } from './scripted-reply.ts';

/** The provider that a `ScriptedServer` imitates. */
export type DialectName =
  'openai' | 'azure' | 'openrouter' | 'ollama' | 'lm-studio' | 'vllm' | 'llama.cpp' | 'deepseek';

/** Differences of one kind of server. */
export interface ServerDialect {
  /** Path of the base URL. */
  readonly basePath: string;
  readonly reasoningField: NonNullable<StreamReply['reasoningField']>;
  /** Sent before the reply: comments, and chunks without content. */
  readonly opening?: readonly string[];
  /** Fields of the last chunk. */
  readonly usageFields: (usage: ReportedUsage) => Readonly<Record<string, unknown>>;
  /** The chunk for an error in the middle of a stream. */
  readonly errorChunk: (error: unknown) => unknown;
  /** Refuses a request of this size in tokens. */
  readonly overflow: (tokens: number, window: number) => StatusReply;
  /** Refuses a request for another reason. */
  readonly rejection: (message: string) => StatusReply;
  /** Additional limits on requests. */
  readonly objection?: (request: RecordedRequest) => StatusReply | undefined;
}

const openai: ServerDialect = {
  basePath: '/v1',
  reasoningField: 'reasoning_content',
  usageFields: (usage) => ({
    usage: {
      ...countsOf(usage),
      ...(usage.cachedInputTokens !== undefined && {
        prompt_tokens_details: { cached_tokens: usage.cachedInputTokens },
      }),
    },
  }),
  errorChunk: (error) => ({ error }),
  overflow: (tokens, window) =>
    refuse(
      400,
      `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
      { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    ),
  rejection: (message) => refuse(400, message, { type: 'invalid_request_error', code: null }),
};

const llamaCpp: ServerDialect = {
  ...openai,
  usageFields: (usage) => ({
    usage: countsOf(usage),
    timings: {
      cache_n: usage.cachedInputTokens ?? 0,
      prompt_n: usage.inputTokens - (usage.cachedInputTokens ?? 0),
      predicted_n: usage.outputTokens,
    },
  }),
  overflow: (tokens, window) =>
    refuse(
      400,
      `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`,
      { code: 400, type: 'exceed_context_size_error', n_prompt_tokens: tokens, n_ctx: window },
    ),
  rejection: (message) => refuse(500, message, { code: 500, type: 'server_error' }),
};

export const serverDialects: Readonly<Record<DialectName, ServerDialect>> = {
  openai,
  azure: {
    ...openai,
    basePath: '/openai/deployments/scripted',
    opening: [
      `data: ${JSON.stringify({ choices: [], model: '', prompt_filter_results: [{ prompt_index: 0 }] })}\n\n`,
    ],
    objection: ({ headers, path }) => {
      if (headers['api-key'] === undefined || headers.authorization !== undefined) {
        return refuse(401, 'Access denied due to missing subscription key.', { code: '401' });
      }
      return /[?&]api-version=/.test(path) ? undefined : refuse(404, 'Resource not found', { code: '404' });
    },
  },
  openrouter: {
    ...openai,
    reasoningField: 'reasoning',
    opening: [': OPENROUTER PROCESSING\n\n', ': OPENROUTER PROCESSING\n\n'],
    errorChunk: (error) => ({
      error,
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
    }),
  },
  ollama: {
    ...openai,
    reasoningField: 'reasoning',
    overflow: (tokens, window) =>
      refuse(400, `prompt too long; exceeded max context length by ${tokens - window} tokens`, {
        type: 'invalid_request_error',
      }),
  },
  'lm-studio': {
    ...openai,
    // An error in the form of an answer, without an error object.
    overflow: (tokens, window) => ({
      status: 400,
      body: {
        error: `Trying to keep the first ${tokens} tokens when context the overflows. However, the model is loaded with context length of only ${window} tokens, which is not enough.`,
      },
    }),
    rejection: (message) => ({ status: 400, body: { error: message } }),
  },
  vllm: {
    ...openai,
    overflow: (tokens, window) => ({
      status: 400,
      body: {
        object: 'error',
        message: `This model's maximum context length is ${window} tokens. However, your request has ${tokens} input tokens. Please reduce the length of the input messages.`,
        type: 'BadRequestError',
        code: 400,
      },
    }),
    rejection: (message) => ({
      status: 400,
      body: { object: 'error', message, type: 'BadRequestError', code: 400 },
    }),
  },
  'llama.cpp': llamaCpp,
  deepseek: {
    ...openai,
    usageFields: (usage) => ({
      usage: {
        ...countsOf(usage),
        prompt_cache_hit_tokens: usage.cachedInputTokens ?? 0,
        prompt_cache_miss_tokens: usage.inputTokens - (usage.cachedInputTokens ?? 0),
      },
    }),
    objection: ({ body }) =>
      body.messages.every(({ role, reasoning_content: text }) => role !== 'assistant' || text !== undefined)
        ? undefined
        : refuse(400, 'The `reasoning_content` in the thinking mode must be passed back to the API.', {
            type: 'invalid_request_error',
          }),
  },
};

function refuse(status: number, message: string, rest: Readonly<Record<string, unknown>>): StatusReply {
  return { status, body: { error: { message, ...rest } } };
}

function countsOf({ inputTokens, outputTokens }: ReportedUsage) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
