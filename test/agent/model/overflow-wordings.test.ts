import { describe, expect, it } from 'vitest';
import { overflowOf } from '../../../src/agent/model/overflow.ts';
import { readProviderError } from '../../../src/agent/model/provider-error.ts';

const read = (body: unknown, status?: number) => overflowOf(readProviderError(body, status));

/** Each wording with its provider and the kind of its source. */
describe('an overflow', () => {
  it.each([
    [
      // opencode, issue.
      'LM Studio, newer',
      'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)',
      7_424,
      15_028,
    ],
    [
      // LM Studio, issue tracker.
      'LM Studio, MLX',
      'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 8730>= n_ctx: 4096). Try to load the model with a larger context length.',
      4_096,
      8_730,
    ],
    [
      // SGLang through Cloudflare, test of a gateway.
      'SGLang, counting the output',
      "Requested token count exceeds the model's maximum context length of 262144 tokens. You requested a total of 263925 tokens: 199925 tokens from the input messages and 64000 tokens for the completion.",
      262_144,
      263_925,
    ],
    [
      // Workers AI, issue; there with status 413.
      'Cloudflare',
      '5021: The estimated number of input and maximum output tokens (155740) exceeded this model context window limit (128000).',
      128_000,
      155_740,
    ],
    [
      // watsonx.ai, question about its API.
      'watsonx',
      "Invalid input argument for Model 'x': the number of input tokens 4098 cannot exceed the total tokens limit 4096 for this model",
      4_096,
      4_098,
    ],
    [
      // Vertex AI, question about its API.
      'Vertex',
      'Unable to submit request because the input token count is 3601938 but model only supports up to 1000000. Reduce the input token count and try again.',
      1_000_000,
      3_601_938,
    ],
    [
      // Gemini, issue of a client of it.
      'Gemini, without the size',
      'The input token count exceeds the maximum number of tokens allowed (1048576).',
      1_048_576,
      undefined,
    ],
    [
      // SiliconFlow, source code of clients of it.
      'SiliconFlow',
      'length of prompt_tokens (52042) must be less than max_seq_len (32768).',
      32_768,
      52_042,
    ],
    [
      // MLC-LLM, source code.
      'MLC-LLM',
      'Request prompt has 2015 tokens in total, larger than the model input length limit 1416.',
      1_416,
      2_015,
    ],
    [
      // TabbyAPI, pull request.
      'TabbyAPI',
      'Prompt length 9000 is greater than max_seq_len 8192',
      8_192,
      9_000,
    ],
    [
      // Cohere, tests of clients of it.
      'Cohere',
      'too many tokens: size limit exceeded by 168512 tokens. The limit for this model is 132000 tokens.',
      132_000,
      undefined,
    ],
    [
      // DeepInfra, source code of a client of it.
      'DeepInfra',
      'Requested input length 50000 exceeds maximum input length 32767',
      32_767,
      50_000,
    ],
    [
      // Poolside through OpenRouter, tests of a client.
      'Poolside',
      'Provider returned error: Input length 131393 exceeds the maximum allowed input length of 131,040 tokens.',
      131_040,
      131_393,
    ],
    [
      // OpenRouter, tests of a client.
      'OpenRouter, another',
      "Input length (265330) exceeds model's maximum context length (262144).",
      262_144,
      265_330,
    ],
    [
      // DS4, issue of a client of it.
      'DS4',
      'Prompt has 5,958,968 tokens, but the configured context size is 256,000 tokens',
      256_000,
      5_958_968,
    ],
    // Agentforce, issue.
    [
      'Agentforce',
      'Request input tokens exceed model token limit. Reduce the input size.',
      undefined,
      undefined,
    ],
    // llama.cpp, source code: the slot filled up during the answer. The real status is 500.
    ['llama.cpp, while answering', 'Context size has been exceeded.', undefined, undefined],
    // Zhipu, source code of clients of it.
    ['Zhipu', 'Prompt 超长', undefined, undefined],
    // Gemini, documentation: bytes are no tokens.
    ['Gemini, in bytes', 'Request payload size exceeds the limit: 20971520 bytes.', undefined, undefined],
    // OpenAI, community: characters and messages are not tokens either.
    [
      'OpenAI, in characters',
      "Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576, but got a string with length 1560000 instead.",
      undefined,
      undefined,
    ],
    [
      'OpenAI, in messages',
      "Invalid 'messages': array too long. Expected an array with maximum length 2048, but got an array with length 2100 instead.",
      undefined,
      undefined,
    ],
  ])('is recognised in the words of %s', (_provider, message, limit, actual) => {
    expect(read({ error: { message } }, 400)).toEqual({ limit, actual });
  });
});

describe('no overflow', () => {
  it.each([
    // Anthropic, documentation of its limits.
    [
      'a rate limit in input tokens',
      400,
      "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
    ],
    // Gemini, issue of a client of it.
    [
      'a quota in tokens',
      undefined,
      'Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000',
    ],
    // Databricks, issue of its SDK.
    [
      "Databricks' output cap",
      400,
      'max_tokens (10000) cannot exceed 8192. Please reduce the length of max output tokens generated.',
    ],
    // Bedrock, question about its API.
    [
      "Bedrock's output cap",
      400,
      'The maximum tokens you requested exceeds the model limit of 8192. Try again with a maximum tokens value that is lower than 8192.',
    ],
    // Cohere, documentation of its errors.
    [
      "Cohere's output cap",
      400,
      'too many tokens: max tokens must be less than or equal to 4096, the maximum output for this model - received 8192.',
    ],
    // DashScope, documentation of its errors.
    ["DashScope's output cap", 400, 'Range of max_tokens should be [1, 8192]'],
    // Anthropic, documentation of extended thinking.
    [
      'a thinking budget',
      400,
      '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult the documentation.',
    ],
    // vLLM, issue. A shorter conversation leaves no room for this reply either.
    [
      'an output cap of nearly the window',
      400,
      "This model's maximum context length is 131072 tokens. However, you requested 128000 output tokens and your prompt contains at least 3073 input tokens, for a total of at least 131073 tokens.",
    ],
    // Any server written in Go.
    ['a deadline', 500, 'Post "http://upstream/v1": context deadline exceeded'],
    // Anthropic, documentation of vision.
    [
      'a picture that is too large',
      400,
      'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
    ],
    // Ollama, issue.
    ['too little memory', 500, 'model requires more system memory (9.0 GiB) than is available (7.6 GiB)'],
    // OpenAI, issues of its clients. A compaction cannot shorten an id or leave out a tool.
    [
      'a call id that is too long',
      400,
      "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 60 instead.",
    ],
    [
      'too many tools',
      400,
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 150 instead.",
    ],
    // OpenRouter, documentation of its errors.
    [
      'too little credit for the cap',
      402,
      'This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 12000.',
    ],
  ])('is %s', (_name, status, message) => {
    expect(read({ error: { message } }, status)).toBeUndefined();
  });
});
