import { describe, expect, it } from 'vitest';
import { readUsage } from '../../../src/compaction/tokens/read-usage.ts';

describe('the reported usage', () => {
  it.each([
    [
      'OpenAI',
      {
        prompt_tokens: 900,
        completion_tokens: 40,
        total_tokens: 940,
        prompt_tokens_details: { cached_tokens: 800 },
      },
    ],
    [
      "OpenAI's Responses API",
      { input_tokens: 900, output_tokens: 40, input_tokens_details: { cached_tokens: 800 } },
    ],
    [
      'DeepSeek',
      {
        prompt_tokens: 900,
        completion_tokens: 40,
        prompt_cache_hit_tokens: 800,
        prompt_cache_miss_tokens: 100,
      },
    ],
    ['Moonshot', { prompt_tokens: 900, completion_tokens: 40, total_tokens: 940, cached_tokens: 800 }],
    [
      'a gateway whose input includes the cache',
      {
        prompt_tokens: 900,
        completion_tokens: 40,
        total_tokens: 940,
        cache_read_input_tokens: 800,
        cache_creation_input_tokens: 50,
      },
    ],
    [
      'Anthropic',
      { input_tokens: 50, output_tokens: 40, cache_read_input_tokens: 800, cache_creation_input_tokens: 50 },
    ],
    [
      "a gateway that passes on Anthropic's counts",
      {
        prompt_tokens: 50,
        completion_tokens: 40,
        cache_read_input_tokens: 800,
        cache_creation_input_tokens: 50,
      },
    ],
    [
      'a gateway whose total includes a cache that its input excludes',
      { prompt_tokens: 100, completion_tokens: 40, total_tokens: 940, cache_read_input_tokens: 800 },
    ],
  ])('from %s includes the whole input and the cached part of it', (_who, usage) => {
    expect(readUsage(usage)).toMatchObject({ inputTokens: 900, outputTokens: 40, cachedInputTokens: 800 });
  });

  it('includes cached tokens for Codex', () => {
    const usage = {
      input_tokens: 900,
      cached_input_tokens: 800,
      output_tokens: 40,
      reasoning_output_tokens: 30,
      total_tokens: 940,
    };
    expect(readUsage(usage)).toEqual({ inputTokens: 900, outputTokens: 40, cachedInputTokens: 800 });
  });

  it('includes tokens written to the cache if the provider reports them', () => {
    const usage = {
      input_tokens: 50,
      output_tokens: 40,
      cache_read_input_tokens: 800,
      cache_creation_input_tokens: 50,
    };
    expect(readUsage(usage)).toHaveProperty('cacheWriteTokens', 50);
    expect(readUsage({ input_tokens: 50, output_tokens: 40 })).not.toHaveProperty('cacheWriteTokens');
  });

  it('includes reused tokens, which llama.cpp reports separately', () => {
    const usage = { prompt_tokens: 900, completion_tokens: 40, total_tokens: 940 };
    const timings = { cache_n: 800, prompt_n: 100, predicted_n: 40 };
    const counted = { inputTokens: 900, outputTokens: 40, cachedInputTokens: 800 };
    expect(readUsage(usage, timings)).toEqual(counted);
    expect(readUsage(undefined, timings)).toEqual(counted);
  });

  it('never states more cached tokens than input tokens', () => {
    expect(readUsage({ prompt_tokens: 10, completion_tokens: 1, cached_tokens: 20 })).toEqual({
      inputTokens: 10,
      outputTokens: 1,
      cachedInputTokens: 10,
    });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['invalid counts', { prompt_tokens: '9', completion_tokens: Number.NaN }],
    ['only an input', { prompt_tokens: 9 }],
  ])('is undefined if the report is %s', (_what, usage) => {
    expect(readUsage(usage)).toBeUndefined();
  });
});
