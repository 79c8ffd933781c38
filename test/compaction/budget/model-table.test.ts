import { describe, expect, it } from 'vitest';
import { limitsOfModel } from '../../../src/compaction/budget/model-table.ts';

describe('limitsOfModel', () => {
  it('knows dated and prefixed names', () => {
    expect(limitsOfModel('gpt-4o-2024-08-06')?.window).toBe(128_000);
    expect(limitsOfModel('openai/gpt-5-mini')?.window).toBe(400_000);
  });

  it('does not take a newer family for an older one with the same beginning', () => {
    expect(limitsOfModel('gpt-4.1-mini')?.window).toBe(1_047_576);
    expect(limitsOfModel('gpt-4')?.encoding).toBe('cl100k_base');
  });

  it('makes nothing up for a model it does not know', () => {
    expect(limitsOfModel('my-own-model')).toBeUndefined();
  });
});
