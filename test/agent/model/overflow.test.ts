import { describe, expect, it } from 'vitest';
import { isOutputCapRefusal, looksTruncated, overflowOf } from '../../../src/agent/model/overflow.ts';
import { readProviderError } from '../../../src/agent/model/provider-error.ts';

describe('overflow', () => {
  const read = (body: unknown, status?: number) => overflowOf(readProviderError(body, status));

  describe("a provider's overflow error", () => {
    it.each([
      [
        'OpenAI',
        "This model's maximum context length is 16385 tokens. However, your messages resulted in 20010 tokens (19000 in the messages, 1010 in the functions). Please reduce the length of the messages or functions.",
        16_385,
        20_010,
      ],
      [
        'OpenAI, older',
        "This model's maximum context length is 8191 tokens, however you requested 10346 tokens (10341 in your prompt; 5 for the completion). Please reduce your prompt; or completion length.",
        8_191,
        10_346,
      ],
      [
        'Azure',
        'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 280000 tokens. Please reduce the length of the messages.',
        272_000,
        280_000,
      ],
      [
        'GitHub models',
        'Request body too large for gpt-5-mini model. Max size: 4000 tokens.',
        4_000,
        undefined,
      ],
      ['Copilot', 'prompt token count of 140000 exceeds the limit of 128000', 128_000, 140_000],
      [
        'DeepSeek',
        "This model's maximum context length is 65536 tokens. However, you requested 69648 tokens (61456 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
        65_536,
        69_648,
      ],
      [
        'OpenRouter',
        "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 tokens (120000 of text input, 10000 of tool input, 20000 in the output). Please reduce the length of either one.",
        131_072,
        150_000,
      ],
      ['Anthropic', 'prompt is too long: 213462 tokens > 200000 maximum', 200_000, 213_462],
      [
        'Anthropic, with output',
        'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
        200_000,
        210_000,
      ],
      [
        'Gemini',
        'The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).',
        1_048_576,
        1_196_265,
      ],
      [
        'llama.cpp',
        'request (8300 tokens) exceeds the available context size (8192 tokens), try increasing it',
        8_192,
        8_300,
      ],
      [
        'llama.cpp, older',
        'the request exceeds the available context size. try increasing the context size or enable context shift',
        undefined,
        undefined,
      ],
      ['llama-cpp-python', 'Requested tokens (2100) exceed context window of 2048', 2_048, 2_100],
      [
        'SGLang',
        "The input (40000 tokens) is longer than the model's context length (32768 tokens).",
        32_768,
        40_000,
      ],
      [
        'vLLM',
        "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please reduce the length of the input messages.",
        4_096,
        5_000,
      ],
      [
        'vLLM, counting the output',
        "This model's maximum context length is 128000 tokens. However, you requested 8192 output tokens and your prompt contains at least 119809 input tokens, for a total of at least 128001 tokens.",
        128_000,
        128_001,
      ],
      [
        'vLLM, blaming the output',
        "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
        4_096,
        4_104,
      ],
      [
        'vLLM, passing tokens',
        "You passed 32769 input tokens and requested 0 output tokens. However, the model's context length is only 32768 tokens, resulting in a maximum input length of 32768 tokens.",
        32_768,
        32_769,
      ],
      [
        'vLLM, engine',
        'The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller.',
        4_096,
        5_000,
      ],
      [
        'Mistral',
        'Prompt contains 144084 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
        131_072,
        144_084,
      ],
      [
        'xAI',
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        131_072,
        537_812,
      ],
      [
        'Cerebras',
        'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
        8_192,
        9_000,
      ],
      ['Groq', 'Please reduce the length of the messages or completion.', undefined, undefined],
      ['Moonshot', 'Your request exceeded model token limit: 262144 (requested: 291351)', 262_144, 291_351],
      ['Bedrock', 'Input is too long for requested model.', undefined, undefined],
      [
        'Bedrock, with numbers',
        '400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9001',
        8_192,
        9_001,
      ],
      [
        'text-generation-inference',
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 512 `max_new_tokens`',
        4_096,
        4_512,
      ],
      ['DashScope', '<400> InternalError: Range of input length should be [1, 129024]', 129_024, undefined],
      ['Ollama', 'prompt too long; exceeded max context length by 4 tokens', undefined, undefined],
      ['Ollama, embedding', 'the input length exceeds the context length', undefined, undefined],
      [
        'LM Studio',
        'Trying to keep the first 8730 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
        4_096,
        8_730,
      ],
      ['OpenAI, responses', 'Your input exceeds the context window of this model.', undefined, undefined],
      ['anyone, of tokens', 'Input token length is too long', undefined, undefined],
      ['anyone, of an input', 'Input length too long for this model.', undefined, undefined],
      ['anyone, of a prompt', 'Your prompt is too large.', undefined, undefined],
      ['anyone, of a limit', 'The input token length exceeds the limit.', undefined, undefined],
      ['a Chinese gateway', '请求失败：超过模型最大上下文长度', undefined, undefined],
      ['anyone, with commas', 'maximum context length is 1,048,576 tokens', 1_048_576, undefined],
    ])('is recognised in the words of %s', (_provider, message, limit, actual) => {
      expect(read({ error: { message } }, 400)).toEqual({ limit, actual });
    });

    it('is recognised by its code alone', () => {
      expect(read({ error: { message: 'Bad request', code: 'context_length_exceeded' } }, 400)).toBeDefined();
    });

    it('is recognised by the status of a body that is too large', () => {
      expect(read('<html><h1>413 Request Entity Too Large</h1></html>', 413)).toBeDefined();
    });

    it('in bytes has no numbers, because they are not tokens', () => {
      const message = 'Payload too large: 12000000 bytes, at most 10485760 bytes.';
      expect(read({ error: { message } }, 413)).toEqual({ limit: undefined, actual: undefined });
    });

    it('takes its numbers from fields if the words have none', () => {
      const error = { message: 'exceeds the available context size', n_prompt_tokens: 9000, n_ctx: 8192 };
      expect(read({ error }, 400)).toEqual({ limit: 8_192, actual: 9_000 });
    });

    it('is recognised in JSON within a string', () => {
      const text = 'HTTP 400 {"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}';
      expect(read(text)).toEqual({ limit: 8, actual: 9 });
    });
  });

  describe('another error', () => {
    it.each([
      [
        'a rate limit',
        429,
        'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000.',
      ],
      [
        'a request that is too large for a minute',
        413,
        'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7012.',
      ],
      ['throttling', 400, 'Throttling: TPM(1/1)'],
      ["Bedrock's throttling", 400, 'Too many tokens, please wait before trying again.'],
      [
        'a long request without credit',
        402,
        'Prompt tokens limit exceeded: 12000 > 8000. To increase, add credit.',
      ],
      [
        'a time-out',
        undefined,
        'Request timeout after 60s. Try reducing input length or increasing timeout in config.',
      ],
      ['a lost connection', undefined, 'connection timed out while waiting for response'],
      [
        'an output cap',
        400,
        'max_tokens is too large: 50000. This model supports at most 16384 completion tokens.',
      ],
      [
        'an output cap with a range',
        400,
        'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
      ],
      [
        "Anthropic's output cap",
        400,
        'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens',
      ],
      ['an output cap beyond the window', 400, 'max_tokens must be at most the maximum context length'],
      [
        'an output cap that fills the window by itself',
        400,
        "This endpoint's maximum context length is 131072 tokens. However, you requested about 132463 tokens (1463 of text input, 131000 in the output). Please reduce the length of either one.",
      ],
      ['a bad schema', 400, "Invalid schema for function 'read_file'."],
      ['a crash', 500, 'The server had an error while processing your request.'],
      ['silence', 400, ''],
    ])('includes %s', (_name, status, message) => {
      expect(read({ error: { message } }, status)).toBeUndefined();
    });

    it('includes a rate limit with only a code', () => {
      expect(
        read({ error: { message: 'Request too large.', code: 'rate_limit_exceeded' } }, 413),
      ).toBeUndefined();
    });

    it('includes an overlong string that only the code reports', () => {
      expect(
        read({ error: { message: 'Bad request', code: 'string_above_max_length' } }, 400),
      ).toBeUndefined();
    });

    it('includes an object whose keys happen to match', () => {
      expect(read({ context: 'request body', length: 'exceeded', maximum: 'tokens' })).toBeUndefined();
    });
  });

  describe('the refusal of an output cap', () => {
    it('is recognised by its value', () => {
      expect(isOutputCapRefusal('max_completion_tokens is too large: 9. At most 8.')).toBe(true);
    });

    it('is not recognised by its name', () => {
      expect(isOutputCapRefusal("Unsupported parameter: 'max_completion_tokens'")).toBe(false);
    });
  });
});

describe('truncated prompt', () => {
  const reported = (inputTokens: number) => ({ inputTokens, outputTokens: 20 });

  describe('a prompt', () => {
    it.each([
      ['as it does by default', 7_900, 2_048],
      ['to half of its window', 7_900, 2_050],
      ['to half of a large window', 70_000, 32_770],
      ['to a window of five times a power of two', 90_000, 40_960],
      ['with a little room left', 20_000, 8_150],
    ])('looks truncated if the server cuts %s', (_how, counted, tokens) => {
      expect(looksTruncated(counted, reported(tokens))).toBe(true);
    });

    it.each([
      ['is counted as it was sent', 2_048, 2_048],
      ['is counted by another tokeniser', 4_100, 3_000],
      ['is counted without what was cached, which is no size of a window', 20_000, 3_333],
      ['is short', 100, 4],
      ['is reported to be nothing', 100, 0],
      ['takes up just over half of what we count', 4_000, 2_048],
    ])('does not look truncated if it %s', (_why, counted, tokens) => {
      expect(looksTruncated(counted, reported(tokens))).toBe(false);
    });
  });
});
