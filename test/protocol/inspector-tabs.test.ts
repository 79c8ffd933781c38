import { describe, expect, it } from 'vitest';
import { parseInspectorRequest } from '../../src/protocol/guards.ts';
import { isTabsRequest } from '../../src/protocol/inspector-tabs.ts';

describe('requests of the Budget, the Timeline and the Ledger tab', () => {
  it.each([
    { type: 'budget' },
    { type: 'set-trigger', ratio: 0.8 },
    { type: 'open-setting', id: 'contextBudget.recentWindow.maxTokens' },
    { type: 'show-in-chat', messageId: 'm1' },
    { type: 'timeline', generation: 2, from: 40 },
    { type: 'facts', filter: { text: 'lock', section: 'errors', presence: 'archive' }, from: 100 },
    { type: 'facts', filter: { text: '' }, from: 0 },
    { type: 'archive-search', query: 'EBUSY' },
    { type: 'archive-search', query: 'EBUSY', most: 70 },
    { type: 'archive-text', messageId: 'm1' },
    { type: 'open-message', messageId: 'm1' },
  ])('are taken as they are, and nothing else with them: $type', (request) => {
    expect(parseInspectorRequest({ ...request, other: 1 })).toEqual(request);
    expect(isTabsRequest(request)).toBe(true);
  });

  it.each([
    { type: 'set-trigger', ratio: 1.1 },
    { type: 'set-trigger', ratio: Number.NaN },
    { type: 'set-trigger', ratio: '0.8' },
    { type: 'open-setting', id: 'files.exclude' },
    { type: 'open-setting', id: 'contextBudget.mode other' },
    { type: 'show-in-chat' },
    { type: 'timeline', generation: -1, from: 0 },
    { type: 'timeline', generation: 0, from: 0.5 },
    { type: 'facts', filter: { text: '', section: 'secrets' }, from: 0 },
    { type: 'facts', filter: { text: '' }, from: -1 },
    { type: 'facts', filter: null, from: 0 },
    { type: 'archive-search', query: 'x'.repeat(1_001) },
    { type: 'archive-search', query: 'EBUSY', most: 1_001 },
    { type: 'archive-search', query: 'EBUSY', most: -1 },
    { type: 'open-message', messageId: 7 },
  ])('that do not fit are none: %j', (request) => {
    expect(parseInspectorRequest(request)).toBeUndefined();
  });
});
