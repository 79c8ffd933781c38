import { describe, expect, it } from 'vitest';
import { ledgerRoom } from '../../../../src/compaction/strategies/steps/summary-sources.ts';

describe('room for a ledger', () => {
  it.each([
    [undefined, 1_500],
    [4_000, 1_500],
    [32_000, 7_680],
    [60_000, 12_000],
    [1_000_000, 12_000],
  ])('in a window of %s tokens is %s tokens', (window, tokens) => {
    expect(ledgerRoom(window)).toBe(tokens);
  });
});
