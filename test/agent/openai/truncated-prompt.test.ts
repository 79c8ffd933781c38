import { describe, expect, it } from 'vitest';
import { looksTruncated } from '../../../src/agent/openai/truncated-prompt.ts';

const reported = (inputTokens: number) => ({ inputTokens, outputTokens: 20 });

describe('a prompt', () => {
  it.each([
    ['as it does by default', 7_900, 2_048],
    ['to half of its window', 7_900, 2_050],
    ['to half of a large window', 70_000, 32_770],
    ['to a window of five times a power of two', 90_000, 40_960],
    ['with a little room left', 20_000, 8_150],
  ])('looks cut where the server cuts %s', (_how, counted, tokens) => {
    expect(looksTruncated(counted, reported(tokens))).toBe(true);
  });

  it.each([
    ['is counted as it was sent', 2_048, 2_048],
    ['is counted by another tokeniser', 4_100, 3_000],
    ['is counted without what was cached, which is no size of a window', 20_000, 3_333],
    ['is short', 100, 4],
    ['is reported to be nothing', 100, 0],
    ['takes up just over half of what we count', 4_000, 2_048],
  ])('does not look cut where it %s', (_why, counted, tokens) => {
    expect(looksTruncated(counted, reported(tokens))).toBe(false);
  });
});
