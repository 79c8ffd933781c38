import { describe, expect, it } from 'vitest';
import { emptyUsage } from '../../src/compaction/tokens/usage.ts';
import { reportedOf } from '../../src/insights/session-cost.ts';
import type { TimelineCall } from '../../src/insights/session-timeline.ts';

const call = (messageId: string, more: Partial<TimelineCall> = {}): TimelineCall => ({
  messageId,
  createdAt: '2026-01-01T00:00:00.000Z',
  tokens: 70,
  byKind: emptyUsage.byKind,
  keptTokens: 0,
  ...more,
});

describe('the reported usage of a session', () => {
  it('is the sum of all reports, with the uncounted part of the last request', () => {
    const reported = reportedOf([
      call('a', { modelId: 'one', reported: { inputTokens: 100, outputTokens: 5, cachedInputTokens: 60 } }),
      call('b', {
        modelId: 'two',
        reported: { inputTokens: 200, outputTokens: 6, cachedInputTokens: 90, cacheWriteTokens: 40 },
      }),
      call('c', { modelId: 'one' }),
    ]);
    expect(reported).toEqual({
      models: ['one', 'two'],
      requests: 2,
      allRequests: 3,
      inputTokens: 300,
      outputTokens: 11,
      cachedInputTokens: 150,
      cacheWriteTokens: 40,
      last: { messageId: 'b', countedTokens: 70, inputTokens: 200, notInFileTokens: 130 },
    });
  });

  it('has no cache figures if no report includes them', () => {
    const reported = reportedOf([call('a', { reported: { inputTokens: 100, outputTokens: 5 } })]);
    expect(reported).not.toHaveProperty('cachedInputTokens');
    expect(reported).not.toHaveProperty('cacheWriteTokens');
  });

  it('is undefined if no provider reported usage', () => {
    expect(reportedOf([call('a', { modelId: 'one' })])).toBeUndefined();
  });
});
