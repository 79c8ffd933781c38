import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatRequests, parseChatRequest } from '../../src/protocol/chat.ts';
import { budgetNotifications, budgetRequests } from '../../src/protocol/inspector-budget.ts';
import {
  compactionsRequests,
  coverageNotifications,
  diffNotifications,
} from '../../src/protocol/inspector-compactions.ts';
import { previewRequests } from '../../src/protocol/inspector-preview.ts';
import { ledgerNotifications, ledgerRequests } from '../../src/protocol/inspector-ledger.ts';
import { timelineNotifications, timelineRequests } from '../../src/protocol/inspector-timeline.ts';
import { viewsNotifications, viewsRequests } from '../../src/protocol/inspector-views.ts';
import { whatIfNotifications, whatIfRequests } from '../../src/protocol/inspector-what-if.ts';
import {
  diffRequests,
  inspectorNotifications,
  inspectorRequests,
  messagesNotifications,
  parseInspectorRequest,
  type RecordsRequest,
  recordsRequests,
  sessionRequests,
  tabsRequests,
} from '../../src/protocol/inspector.ts';

describe('parseChatRequest', () => {
  it('accepts valid requests', () => {
    const requests = [
      { type: 'ready' },
      { type: 'send', text: 'hi' },
      { type: 'draft', sessionId: 's1', text: '' },
      { type: 'open-file', path: 'src/a.ts', line: 3 },
      { type: 'open-file', path: 'src/a.ts' },
      { type: 'undo', recordId: 'c1' },
      { type: 'decline-compaction' },
      { type: 'compact' },
      { type: 'compact', focus: 'the lock', strategy: 'ladder' },
      { type: 'price', text: 'Look at @src/a.ts' },
      { type: 'complete', trigger: '@', query: 'src/' },
      { type: 'pin', messageId: 'm1', isPinned: false },
      { type: 'record-summary', recordId: 'c1' },
      { type: 'copy-message', messageId: 'm1' },
      { type: 'hide', selection: { messageIds: ['m1'], tool: 'read_file' } },
      { type: 'show', messageIds: ['m1', 'm2'] },
      { type: 'preview' },
      { type: 'preview', strategy: 'ladder', from: 'm1', to: 'm2' },
      { type: 'compact-part', from: 'm1' },
      { type: 'rewind', messageId: 'm3' },
    ];
    for (const request of requests) expect(parseChatRequest(request)).toEqual(request);
  });

  it('drops unknown fields', () => {
    expect(parseChatRequest({ type: 'stop', command: 'rm' })).toEqual({ type: 'stop' });
    expect(parseChatRequest({ type: 'open-file', path: 'a', line: -1 })).toEqual({
      type: 'open-file',
      path: 'a',
    });
  });

  it.each([
    undefined,
    null,
    3,
    'ready',
    [],
    {},
    { type: 'send' },
    { type: 'send', text: 3 },
    { type: 'undo' },
    { type: 'complete', trigger: '!', query: '' },
    { type: 'pin', messageId: 'm1', isPinned: 1 },
    { type: 'record-summary' },
    { type: 'copy-message', messageId: 1 },
    { type: 'x' },
  ])('refuses %j', (value) => {
    expect(parseChatRequest(value)).toBeUndefined();
  });
});

describe('parseInspectorRequest', () => {
  it('accepts valid requests', () => {
    const requests = [
      { type: 'ready' },
      { type: 'diff', recordId: 'c1' },
      { type: 'sources', recordId: 'c1', index: 0 },
      { type: 'texts', recordId: 'c1', messageId: 'm1' },
      { type: 'restore', messageId: 'm1' },
      { type: 'show-session', sessionId: 's1' },
      { type: 'messages', sessionId: 's1', from: 200 },
      { type: 'message-text', sessionId: 's1', messageId: 'm1' },
    ];
    for (const request of requests) expect(parseInspectorRequest(request)).toEqual(request);
  });

  it('refuses invalid requests', () => {
    expect(parseInspectorRequest({ type: 'sources', recordId: 'c1', index: 0.5 })).toBeUndefined();
    expect(parseInspectorRequest({ type: 'texts', recordId: 'c1' })).toBeUndefined();
    expect(parseInspectorRequest({ type: 'messages', sessionId: 's1', from: -1 })).toBeUndefined();
    expect(parseInspectorRequest({ type: 'message-text', messageId: 'm1' })).toBeUndefined();
  });
});

const valid: readonly RecordsRequest[] = [
  { type: 'search-diff', recordId: 'c1', query: 'EBUSY' },
  { type: 'missing', recordId: 'c1', kind: 'userMessages' },
  { type: 'pin', messageId: 'm1', isPinned: false },
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
  { type: 'preview-check', plan: 1, texts: ['The lock.'] },
  { type: 'preview-apply', plan: 1, texts: [] },
  { type: 'preview-again', plan: 0, texts: [], change: 'focus' },
  { type: 'preview-stop' },
  { type: 'preview-discard' },
];

describe('requests about applied or tried compactions', () => {
  it.each(valid)('are accepted without unknown fields: $type', (request) => {
    expect(parseInspectorRequest({ ...request, more: 'than wanted' })).toEqual(request);
    expect(recordsRequests).toHaveProperty(request.type);
  });

  it.each([
    { type: 'search-diff', recordId: 'c1' },
    { type: 'search-diff', recordId: 'c1', query: 'x'.repeat(1_001) },
    { type: 'missing', recordId: 'c1', kind: 'constructor' },
    { type: 'pin', messageId: 'm1', isPinned: 'yes' },
    { type: 'bring-back', recordId: 'c1', messageIds: 'm1' },
    { type: 'bring-back', recordId: 'c1', messageIds: ['m1', 2] },
    { type: 'bring-back', recordId: 'c1', messageIds: Array.from({ length: 1_001 }, () => 'm1') },
    { type: 'export-record', recordId: 'c1', format: 'exe' },
    { type: 'rerun' },
    { type: 'what-if-use' },
    { type: 'what-if-use', strategy: 'x'.repeat(101) },
  ])('are refused if they are incomplete: %o', (request) => {
    expect(parseInspectorRequest(request)).toBeUndefined();
  });
});

describe('requests of the Budget, the Timeline and the Ledger tab', () => {
  it.each([
    { type: 'budget' },
    { type: 'set-trigger', ratio: 0.8 },
    { type: 'open-setting', id: 'contextBudget.recentWindow.maxTokens' },
    { type: 'show-in-chat', messageId: 'm1' },
    { type: 'timeline', generation: 2, from: 40 },
    { type: 'facts', filter: { text: 'lock', kind: 'errors', presence: 'archive' }, from: 100 },
    { type: 'facts', filter: { text: '' }, from: 0 },
    { type: 'archive-search', query: 'EBUSY' },
    { type: 'archive-search', query: 'EBUSY', most: 70 },
    { type: 'archive-text', messageId: 'm1' },
    { type: 'open-message', messageId: 'm1' },
    { type: 'view-points' },
    { type: 'view-difference', from: 0, to: 3 },
  ])('are accepted without other fields: $type', (request) => {
    expect(parseInspectorRequest({ ...request, other: 1 })).toEqual(request);
    expect(tabsRequests).toHaveProperty(request.type);
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
    { type: 'facts', filter: { text: '', kind: 'secrets' }, from: 0 },
    { type: 'facts', filter: { text: '' }, from: -1 },
    { type: 'facts', filter: null, from: 0 },
    { type: 'archive-search', query: 'x'.repeat(1_001) },
    { type: 'archive-search', query: 'EBUSY', most: 1_001 },
    { type: 'archive-search', query: 'EBUSY', most: -1 },
    { type: 'open-message', messageId: 7 },
    { type: 'view-difference', from: -1, to: 3 },
    { type: 'view-difference', from: 0, to: 0.5 },
  ])('are refused if they are invalid: %j', (request) => {
    expect(parseInspectorRequest(request)).toBeUndefined();
  });
});

it('the parsers never throw, for any value', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      parseChatRequest(value);
      parseInspectorRequest(value);
    }),
  );
});

describe('the tables of the inspector', () => {
  it.each([
    {
      what: 'requests',
      whole: inspectorRequests,
      parts: [
        sessionRequests,
        diffRequests,
        compactionsRequests,
        whatIfRequests,
        previewRequests,
        budgetRequests,
        timelineRequests,
        ledgerRequests,
        viewsRequests,
      ],
    },
    {
      what: 'notifications',
      whole: inspectorNotifications,
      parts: [
        { snapshot: {}, select: {}, step: {} },
        messagesNotifications,
        diffNotifications,
        coverageNotifications,
        whatIfNotifications,
        budgetNotifications,
        timelineNotifications,
        ledgerNotifications,
        viewsNotifications,
      ],
    },
  ])('declare each of the $what in exactly one part', ({ whole, parts }) => {
    const names = parts.flatMap((part) => Object.keys(part));
    expect(names.toSorted()).toEqual(Object.keys(whole).toSorted());
  });
});

describe('requests shared by both pages', () => {
  it('have the same form', () => {
    const both = Object.keys(chatRequests).filter((name) => Object.hasOwn(inspectorRequests, name));
    const forms = (table: object) =>
      both.map((name) => [name, Object.keys(Reflect.get(table, name) as object)]);
    const own = ['ready'];
    const differ = both.filter((_, index) => {
      const [chat, inspector] = [forms(chatRequests)[index], forms(inspectorRequests)[index]];
      return JSON.stringify(chat) !== JSON.stringify(inspector);
    });
    expect(differ).toEqual(own);
    expect(both).toEqual(expect.arrayContaining(['compact', 'pin', 'select-strategy', 'undo']));
  });
});
