import { describe, expect, it } from 'vitest';
import { factsOfModel, knownModels } from '../../../src/compaction/budget/model-table.ts';

describe('factsOfModel', () => {
  it('recognises names with dates and prefixes', () => {
    expect(factsOfModel('gpt-4o-2024-08-06').window).toBe(128_000);
    expect(factsOfModel('openai/gpt-5-mini').price).toEqual({ input: 0.25, output: 2, cachedInput: 0.025 });
    expect(factsOfModel('Claude-Sonnet-4-5-20250929').window).toBe(200_000);
  });

  it('distinguishes families whose names begin alike', () => {
    expect(factsOfModel('gpt-4.1-mini').window).toBe(1_047_576);
    expect(factsOfModel('gpt-4').encoding).toBe('cl100k_base');
    expect(factsOfModel('gpt-5.9').price).toBeUndefined();
    expect(factsOfModel('claude-opus-5-5').price?.input).toBe(4);
  });

  it('recognises versions written with a dot', () => {
    expect(factsOfModel('anthropic/claude-opus-4.6')).toEqual(factsOfModel('claude-opus-4-6'));
  });

  it('has no window or price for an unknown model', () => {
    expect(factsOfModel('my-own-model')).toEqual({ encoding: 'o200k_base', isStandIn: true });
  });

  it("marks a tokenizer as a stand-in if the model's own is unknown", () => {
    expect(factsOfModel('gpt-5').isStandIn).toBe(false);
    expect(factsOfModel('claude-sonnet-5').isStandIn).toBe(true);
    expect(factsOfModel('kimi-k2.6').isStandIn).toBe(true);
  });

  it('derives the price ratio of the cache from the listed price of cached input', () => {
    expect(factsOfModel('gpt-4o').cache).toEqual({ read: 0.5, write: 1 });
    expect(factsOfModel('claude-opus-5-5').cache).toEqual({ read: 0.05, write: 1.25 });
    expect(factsOfModel('codestral-latest').cache).toBeUndefined();
  });

  it("prefers the user's value to the table's for each field", () => {
    const facts = factsOfModel('gpt-5-mini', {
      'gpt-5': { window: 1_000, cache: { write: 2 }, price: { input: 9 } },
    });
    expect(facts).toEqual({
      ...factsOfModel('gpt-5-mini'),
      window: 1_000,
      cache: { read: 0.1, write: 2 },
      price: { input: 9, output: 2, cachedInput: 0.025 },
    });
  });

  it("uses the longest of the user's names with which the model's name begins", () => {
    const overrides = { mine: { window: 1 }, 'mine-large': { window: 2 } };
    expect(factsOfModel('lab/mine-large-v2', overrides).window).toBe(2);
    expect(factsOfModel('lab/mine-large-v2', { 'lab/mine': { window: 3 } }).window).toBe(3);
  });

  it('marks a tokenizer set by the user as exact', () => {
    const facts = factsOfModel('mine', { mine: { tokenizer: 'cl100k_base' } });
    expect(facts).toMatchObject({ encoding: 'cl100k_base', isStandIn: false });
  });
});

describe('the table of models', () => {
  it.each(knownModels)('has plausible numbers for %s', (_beginning, { window, maxOutput, price, cache }) => {
    if (maxOutput !== undefined) expect(maxOutput).toBeLessThanOrEqual(window ?? 0);
    if (price !== undefined) expect(price.output).toBeGreaterThan(price.cachedInput ?? price.input / 10);
    expect(cache?.read ?? 0.1).toBeLessThan(cache?.write ?? 1);
  });

  it('lists each name prefix once', () => {
    const beginnings = knownModels.map(([beginning]) => beginning);
    expect(new Set(beginnings).size).toBe(beginnings.length);
  });
});
