import { describe, expect, it } from 'vitest';
import { isOutputCapRefusal, looksTruncated, overflowOf } from '../../../src/agent/model/overflow.ts';
import { readProviderError } from '../../../src/agent/model/provider-error.ts';

/** Provider, with the kind of place where its words were found; limit and size, if it names them; its words. */
const overflows = rowsOf(`
  OpenAI | 16385 | 20010 | This model's maximum context length is 16385 tokens. However, your messages resulted in 20010 tokens (19000 in the messages, 1010 in the functions). Please reduce the length of the messages or functions.
  OpenAI, older | 8191 | 10346 | This model's maximum context length is 8191 tokens, however you requested 10346 tokens (10341 in your prompt; 5 for the completion). Please reduce your prompt; or completion length.
  Azure | 272000 | 280000 | Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 280000 tokens. Please reduce the length of the messages.
  GitHub models | 4000 | - | Request body too large for gpt-5-mini model. Max size: 4000 tokens.
  Copilot | 128000 | 140000 | prompt token count of 140000 exceeds the limit of 128000
  DeepSeek | 65536 | 69648 | This model's maximum context length is 65536 tokens. However, you requested 69648 tokens (61456 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.
  OpenRouter | 131072 | 150000 | This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 tokens (120000 of text input, 10000 of tool input, 20000 in the output). Please reduce the length of either one.
  Anthropic | 200000 | 213462 | prompt is too long: 213462 tokens > 200000 maximum
  Anthropic, with output | 200000 | 210000 | input length and \`max_tokens\` exceed context limit: 190000 + 20000 > 200000, decrease input length or \`max_tokens\` and try again
  Gemini | 1048576 | 1196265 | The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).
  llama.cpp | 8192 | 8300 | request (8300 tokens) exceeds the available context size (8192 tokens), try increasing it
  llama.cpp, older | - | - | the request exceeds the available context size. try increasing the context size or enable context shift
  llama-cpp-python | 2048 | 2100 | Requested tokens (2100) exceed context window of 2048
  SGLang | 32768 | 40000 | The input (40000 tokens) is longer than the model's context length (32768 tokens).
  vLLM | 4096 | 5000 | This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please reduce the length of the input messages.
  vLLM, counting the output | 128000 | 128001 | This model's maximum context length is 128000 tokens. However, you requested 8192 output tokens and your prompt contains at least 119809 input tokens, for a total of at least 128001 tokens.
  vLLM, blaming the output | 4096 | 4104 | 'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).
  vLLM, passing tokens | 32768 | 32769 | You passed 32769 input tokens and requested 0 output tokens. However, the model's context length is only 32768 tokens, resulting in a maximum input length of 32768 tokens.
  vLLM, engine | 4096 | 5000 | The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that \`max_model_len\` is no smaller.
  Mistral | 131072 | 144084 | Prompt contains 144084 tokens and 0 draft tokens, too large for model with 131072 maximum context length
  xAI | 131072 | 537812 | This model's maximum prompt length is 131072 but the request contains 537812 tokens.
  Cerebras | 8192 | 9000 | Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192
  Groq | - | - | Please reduce the length of the messages or completion.
  Moonshot | 262144 | 291351 | Your request exceeded model token limit: 262144 (requested: 291351)
  Bedrock | - | - | Input is too long for requested model.
  Bedrock, with numbers | 8192 | 9001 | 400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9001
  text-generation-inference | 4096 | 4512 | Input validation error: \`inputs\` tokens + \`max_new_tokens\` must be <= 4096. Given: 4000 \`inputs\` tokens and 512 \`max_new_tokens\`
  DashScope | 129024 | - | <400> InternalError: Range of input length should be [1, 129024]
  Ollama | - | - | prompt too long; exceeded max context length by 4 tokens
  Ollama, embedding | - | - | the input length exceeds the context length
  LM Studio | 4096 | 8730 | Trying to keep the first 8730 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens
  OpenAI, responses | - | - | Your input exceeds the context window of this model.
  anyone, of tokens | - | - | Input token length is too long
  anyone, of an input | - | - | Input length too long for this model.
  anyone, of a prompt | - | - | Your prompt is too large.
  anyone, of a limit | - | - | The input token length exceeds the limit.
  a Chinese gateway | - | - | 请求失败：超过模型最大上下文长度
  anyone, with commas | 1048576 | - | maximum context length is 1,048,576 tokens
  LM Studio, newer (opencode, issue) | 7424 | 15028 | Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)
  LM Studio, MLX (LM Studio, issue tracker) | 4096 | 8730 | The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 8730>= n_ctx: 4096). Try to load the model with a larger context length.
  SGLang, counting the output (SGLang through Cloudflare, test of a gateway) | 262144 | 263925 | Requested token count exceeds the model's maximum context length of 262144 tokens. You requested a total of 263925 tokens: 199925 tokens from the input messages and 64000 tokens for the completion.
  Cloudflare (Workers AI, issue; there with status 413) | 128000 | 155740 | 5021: The estimated number of input and maximum output tokens (155740) exceeded this model context window limit (128000).
  watsonx (watsonx.ai, question about its API) | 4096 | 4098 | Invalid input argument for Model 'x': the number of input tokens 4098 cannot exceed the total tokens limit 4096 for this model
  Vertex (Vertex AI, question about its API) | 1000000 | 3601938 | Unable to submit request because the input token count is 3601938 but model only supports up to 1000000. Reduce the input token count and try again.
  Gemini, without the size (Gemini, issue of a client of it) | 1048576 | - | The input token count exceeds the maximum number of tokens allowed (1048576).
  SiliconFlow (SiliconFlow, source code of clients of it) | 32768 | 52042 | length of prompt_tokens (52042) must be less than max_seq_len (32768).
  MLC-LLM (MLC-LLM, source code) | 1416 | 2015 | Request prompt has 2015 tokens in total, larger than the model input length limit 1416.
  TabbyAPI (TabbyAPI, pull request) | 8192 | 9000 | Prompt length 9000 is greater than max_seq_len 8192
  Cohere (Cohere, tests of clients of it) | 132000 | - | too many tokens: size limit exceeded by 168512 tokens. The limit for this model is 132000 tokens.
  DeepInfra (DeepInfra, source code of a client of it) | 32767 | 50000 | Requested input length 50000 exceeds maximum input length 32767
  Poolside (Poolside through OpenRouter, tests of a client) | 131040 | 131393 | Provider returned error: Input length 131393 exceeds the maximum allowed input length of 131,040 tokens.
  OpenRouter, another (OpenRouter, tests of a client) | 262144 | 265330 | Input length (265330) exceeds model's maximum context length (262144).
  DS4 (DS4, issue of a client of it) | 256000 | 5958968 | Prompt has 5,958,968 tokens, but the configured context size is 256,000 tokens
  Agentforce (Agentforce, issue) | - | - | Request input tokens exceed model token limit. Reduce the input size.
  llama.cpp, while answering (llama.cpp, source code: the slot filled up during the answer) | - | - | Context size has been exceeded.
  Zhipu (Zhipu, source code of clients of it) | - | - | Prompt 超长
  Gemini, in bytes (Gemini, documentation: bytes are no tokens) | - | - | Request payload size exceeds the limit: 20971520 bytes.
  OpenAI, in characters (OpenAI, community: characters and messages are not tokens) | - | - | Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576, but got a string with length 1560000 instead.
  OpenAI, in messages | - | - | Invalid 'messages': array too long. Expected an array with maximum length 2048, but got an array with length 2100 instead.
`);

/** Name, with the kind of place where the words were found; status, if any; the words. */
const others = rowsOf(`
  a rate limit | 429 | Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000.
  a request that is too large for a minute | 413 | Request too large for model \`x\` on tokens per minute (TPM): Limit 6000, Requested 7012.
  throttling | 400 | Throttling: TPM(1/1)
  Bedrock's throttling | 400 | Too many tokens, please wait before trying again.
  a long request without credit | 402 | Prompt tokens limit exceeded: 12000 > 8000. To increase, add credit.
  a time-out | - | Request timeout after 60s. Try reducing input length or increasing timeout in config.
  a lost connection | - | connection timed out while waiting for response
  an output cap | 400 | max_tokens is too large: 50000. This model supports at most 16384 completion tokens.
  an output cap with a range | 400 | Invalid max_tokens value, the valid range of max_tokens is [1, 8192]
  Anthropic's output cap | 400 | max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens
  an output cap beyond the window | 400 | max_tokens must be at most the maximum context length
  an output cap that fills the window by itself | 400 | This endpoint's maximum context length is 131072 tokens. However, you requested about 132463 tokens (1463 of text input, 131000 in the output). Please reduce the length of either one.
  a bad schema | 400 | Invalid schema for function 'read_file'.
  a crash | 500 | The server had an error while processing your request.
  a rate limit in input tokens (Anthropic, documentation of its limits) | 400 | This request would exceed your organization's rate limit of 40,000 input tokens per minute.
  a quota in tokens (Gemini, issue of a client of it) | - | Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000
  Databricks' output cap (Databricks, issue of its SDK) | 400 | max_tokens (10000) cannot exceed 8192. Please reduce the length of max output tokens generated.
  Bedrock's output cap (Bedrock, question about its API) | 400 | The maximum tokens you requested exceeds the model limit of 8192. Try again with a maximum tokens value that is lower than 8192.
  Cohere's output cap (Cohere, documentation of its errors) | 400 | too many tokens: max tokens must be less than or equal to 4096, the maximum output for this model - received 8192.
  DashScope's output cap (DashScope, documentation of its errors) | 400 | Range of max_tokens should be [1, 8192]
  a thinking budget (Anthropic, documentation of extended thinking) | 400 | \`max_tokens\` must be greater than \`thinking.budget_tokens\`. Please consult the documentation.
  an output cap of nearly the window (vLLM, issue) | 400 | This model's maximum context length is 131072 tokens. However, you requested 128000 output tokens and your prompt contains at least 3073 input tokens, for a total of at least 131073 tokens.
  a deadline (any server written in Go) | 500 | Post "http://upstream/v1": context deadline exceeded
  a picture that is too large (Anthropic, documentation of vision) | 400 | messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes
  too little memory (Ollama, issue) | 500 | model requires more system memory (9.0 GiB) than is available (7.6 GiB)
  a call id that is too long (OpenAI, issues of clients of it) | 400 | Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 60 instead.
  too many tools | 400 | Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 150 instead.
  too little credit for the cap (OpenRouter, documentation of its errors) | 402 | This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 12000.
`);

function rowsOf(table: string): readonly (readonly string[])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' | '));
}

const numberIn = (cell: string) => (cell === '-' ? undefined : Number(cell));

describe('overflow', () => {
  const read = (body: unknown, status?: number) => overflowOf(readProviderError(body, status));

  describe("a provider's overflow error", () => {
    it.each(overflows)(
      'is recognised in the message of %s',
      (_provider, limit = '', actual = '', message = '') => {
        expect(read({ error: { message } }, 400)).toEqual({
          limit: numberIn(limit),
          actual: numberIn(actual),
        });
      },
    );

    it('is recognised by its code alone', () => {
      expect(read({ error: { message: 'Bad request', code: 'context_length_exceeded' } }, 400)).toBeDefined();
    });

    it('is recognised by the status of a body that is too large', () => {
      expect(read('<html><h1>413 Request Entity Too Large</h1></html>', 413)).toBeDefined();
    });

    it('has no numbers if its message counts bytes instead of tokens', () => {
      const message = 'Payload too large: 12000000 bytes, at most 10485760 bytes.';
      expect(read({ error: { message } }, 413)).toEqual({ limit: undefined, actual: undefined });
    });

    it('takes its numbers from fields if the message has none', () => {
      const error = { message: 'exceeds the available context size', n_prompt_tokens: 9000, n_ctx: 8192 };
      expect(read({ error }, 400)).toEqual({ limit: 8_192, actual: 9_000 });
    });

    it('is recognised in JSON within a string', () => {
      const text = 'HTTP 400 {"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}';
      expect(read(text)).toEqual({ limit: 8, actual: 9 });
    });
  });

  describe('an error that is not an overflow', () => {
    it.each(others)('may be %s', (_name, status = '', message = '') => {
      expect(read({ error: { message } }, numberIn(status))).toBeUndefined();
    });

    it('may be a rate limit with only a code', () => {
      expect(
        read({ error: { message: 'Request too large.', code: 'rate_limit_exceeded' } }, 413),
      ).toBeUndefined();
    });

    it('may be an overlong string that only the code reports', () => {
      expect(
        read({ error: { message: 'Bad request', code: 'string_above_max_length' } }, 400),
      ).toBeUndefined();
    });

    it('may be an object whose keys happen to match', () => {
      expect(read({ context: 'request body', length: 'exceeded', maximum: 'tokens' })).toBeUndefined();
      expect(read({ error: { message: '' } }, 400)).toBeUndefined();
    });
  });

  describe('the refusal of an output cap', () => {
    it('is recognised if it names the value', () => {
      expect(isOutputCapRefusal('max_completion_tokens is too large: 9. At most 8.')).toBe(true);
    });

    it('is not recognised if it only names the parameter', () => {
      expect(isOutputCapRefusal("Unsupported parameter: 'max_completion_tokens'")).toBe(false);
    });
  });
});

describe('truncated prompt', () => {
  const reported = (inputTokens: number) => ({ inputTokens, outputTokens: 20 });

  describe('a prompt', () => {
    it.each([
      ['to a default window', 7_900, 2_048],
      ['to half of its window', 7_900, 2_050],
      ['to half of a large window', 70_000, 32_770],
      ['to a window of five times a power of two', 90_000, 40_960],
      ['to a little less than its window', 20_000, 8_150],
    ])('looks truncated if the server cuts it %s', (_how, counted, tokens) => {
      expect(looksTruncated(counted, reported(tokens))).toBe(true);
    });

    it.each([
      ['is counted in full', 2_048, 2_048],
      ['is counted by another tokeniser', 4_100, 3_000],
      ['is counted without its cached part', 20_000, 3_333],
      ['is short', 100, 4],
      ['is reported to have no tokens', 100, 0],
      ['has just over half of the tokens that we count', 4_000, 2_048],
    ])('does not look truncated if it %s', (_why, counted, tokens) => {
      expect(looksTruncated(counted, reported(tokens))).toBe(false);
    });
  });
});
