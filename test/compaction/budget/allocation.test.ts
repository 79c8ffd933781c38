import { describe, expect, it } from 'vitest';
import { defaultAllocation, groupOf, shareOf } from '../../../src/compaction/budget/allocation.ts';

describe('the allocation', () => {
  it('shares out the whole window', () => {
    expect(Object.values(defaultAllocation).reduce((total, share) => total + share, 0)).toBe(100);
  });

  it('counts memory to the system, and calls and summaries to the conversation', () => {
    expect(groupOf('memory')).toBe('system');
    expect(groupOf('toolCall')).toBe('conversation');
    expect(groupOf('summary')).toBe('conversation');
  });

  it('gives tool results the share of documents, too, because no kind tells them apart', () => {
    expect(shareOf('toolResult')).toBe(45);
  });
});
