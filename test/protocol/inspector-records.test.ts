import { describe, expect, it } from 'vitest';
import { parseInspectorRequest } from '../../src/protocol/guards.ts';
import { isRecordsRequest, type RecordsRequest } from '../../src/protocol/inspector-what-if.ts';

const valid: readonly RecordsRequest[] = [
  { type: 'search-diff', recordId: 'c1', query: 'EBUSY' },
  { type: 'missing', recordId: 'c1', kind: 'userMessages' },
  { type: 'pin', messageId: 'm1', pinned: false },
  { type: 'plan-bring-back', recordId: 'c1' },
  { type: 'bring-back', recordId: 'c1', messageIds: ['m1', 'm2'] },
  { type: 'rerun', recordId: 'c1' },
  { type: 'export-record', recordId: 'c1', format: 'markdown' },
  { type: 'what-if-show' },
  { type: 'what-if-run' },
  { type: 'what-if-cancel' },
  { type: 'what-if-lost', strategy: 'ladder' },
  { type: 'what-if-preview', strategy: 'ladder' },
  { type: 'what-if-apply', strategy: 'ladder' },
  { type: 'what-if-use', strategy: 'ladder' },
];

describe('requests about compactions that were made or tried', () => {
  it.each(valid)('are put together again: $type', (request) => {
    expect(parseInspectorRequest({ ...request, more: 'than wanted' })).toEqual(request);
    expect(isRecordsRequest(request)).toBe(true);
  });

  it.each([
    { type: 'search-diff', recordId: 'c1' },
    { type: 'search-diff', recordId: 'c1', query: 'x'.repeat(1_001) },
    { type: 'missing', recordId: 'c1', kind: 'constructor' },
    { type: 'pin', messageId: 'm1', pinned: 'yes' },
    { type: 'bring-back', recordId: 'c1', messageIds: 'm1' },
    { type: 'bring-back', recordId: 'c1', messageIds: ['m1', 2] },
    { type: 'bring-back', recordId: 'c1', messageIds: Array.from({ length: 1_001 }, () => 'm1') },
    { type: 'export-record', recordId: 'c1', format: 'exe' },
    { type: 'rerun' },
    { type: 'what-if-use' },
    { type: 'what-if-use', strategy: 'x'.repeat(101) },
  ])('that are not whole are none: %o', (request) => {
    expect(parseInspectorRequest(request)).toBeUndefined();
  });
});
