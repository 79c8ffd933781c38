import { describe, expect, it } from 'vitest';
import { protectedTokens } from '../../../../src/compaction/strategies/steps/masking.ts';

describe('the number of tokens of tool output that are not shortened', () => {
  it.each([
    ['unknown', undefined, 10_000],
    ['small', 32_000, 4_800],
    ['medium', 100_000, 10_000],
    ['of 128,000 tokens', 128_000, 10_240],
    ['of 200,000 tokens', 200_000, 16_000],
    ['of a million tokens', 1_000_000, 80_000],
  ])('depends on the window if it is %s', (_, window, tokens) => {
    expect(protectedTokens('auto', window)).toBe(tokens);
  });

  it('can be set by the user', () => {
    expect(protectedTokens(500, 1_000_000)).toBe(500);
  });
});
