import { describe, expect, it } from 'vitest';
import { ledgerRoom } from '../../../../src/compaction/strategies/steps/summary-sources.ts';

describe('the room for a ledger', () => {
  it.each([
    [undefined, 1_500],
    [4_000, 1_500],
    [32_000, 7_680],
    [60_000, 12_000],
    [1_000_000, 12_000],
  ])('is, for a window of %s tokens, %s tokens', (window, tokens) => {
    expect(ledgerRoom(window)).toBe(tokens);
  });
});
