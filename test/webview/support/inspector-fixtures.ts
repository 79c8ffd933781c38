import { shareOf } from '../../../src/compaction/budget/budget.ts';
import { type Kind, kinds } from '../../../src/compaction/messages/message.ts';
import type { Coverage, CoverageCount } from '../../../src/compaction/records/record.ts';
import type {
  InspectorNotification,
  InspectorState,
  SessionChoice,
  UsageView,
} from '../../../src/protocol/inspector.ts';
import type { FlowView } from '../../../src/protocol/inspector-compactions.ts';
import type { DiffRowView, MessageView, RecordView } from '../../../src/protocol/inspector-records.ts';
import { noTokens, usedTokens } from './chat-fixtures.ts';

export const usage: UsageView = {
  tokens: 82746,
  byKind: usedTokens,
  allotted: Object.fromEntries(kinds.map((kind) => [kind, shareOf(kind) / 100])) as Record<Kind, number>,
  window: 128000,
  trigger: 108800,
  target: 64000,
  reserved: 16000,
  isApproximate: false,
  reported: { tokens: 82611, messagesSince: 3 },
};

function kept(count: number, ...missing: readonly string[]): CoverageCount {
  return { kept: count, total: count + missing.length, missing };
}

export const coverage: Coverage = {
  files: kept(14),
  commands: kept(31, 'npm test -- lock', 'git log -3 --oneline'),
  errors: kept(9),
  identifiers: kept(120),
  userMessages: kept(12),
};

/** A compaction that did a little of everything. */
export const ladder: RecordView = {
  id: 'r3',
  createdAt: '2026-03-02T10:42:00.000Z',
  trigger: 'ratio',
  triggerTokens: 109214,
  requestedStrategy: 'ladder',
  actualStrategy: 'ladder',
  status: 'applied',
  tokensBefore: 109214,
  tokensAfter: 51370,
  byKindBefore: {
    ...noTokens,
    system: 9843,
    user: 4107,
    assistant: 9866,
    toolCall: 17600,
    toolResult: 67798,
  },
  byKindAfter: {
    ...noTokens,
    system: 9843,
    user: 4107,
    assistant: 5866,
    toolCall: 9400,
    toolResult: 20950,
    summary: 1204,
  },
  tiers: [{ strategy: 'ladder', status: 'applied' }],
  coverage,
  cost: { cacheMissTokens: 41020, savedPerCall: 57844, breakEvenCalls: 4 },
  summaryModel: 'gpt-5-nano',
  durationMs: 2340,
  warnings: [],
  isUndone: false,
  undoneWith: [],
};

/** The flow of tokens in the first record. */
export const flow: FlowView = {
  kinds: {
    system: { kept: 9843, shortened: 0, summarised: 0, gone: 0 },
    user: { kept: 4107, shortened: 0, summarised: 0, gone: 0 },
    assistant: { kept: 3866, shortened: 0, summarised: 6000, gone: 0 },
    toolCall: { kept: 8000, shortened: 4400, summarised: 5200, gone: 0 },
    toolResult: { kept: 18000, shortened: 21000, summarised: 27798, gone: 1000 },
  },
  after: { shortened: 2100, summarised: 1204, added: 260 },
};

export const masking: RecordView = {
  ...ladder,
  id: 'r2',
  createdAt: '2026-03-02T10:17:00.000Z',
  requestedStrategy: 'llm-summary',
  actualStrategy: 'tool-result-hiding',
  trigger: 'reserve',
  tokensBefore: 100877,
  tokensAfter: 63940,
  byKindBefore: { ...noTokens, system: 9843, assistant: 9034, toolCall: 14000, toolResult: 68000 },
  byKindAfter: { ...noTokens, system: 9843, assistant: 9034, toolCall: 14000, toolResult: 31063 },
  tiers: [
    {
      strategy: 'llm-summary',
      status: 'refused',
      reason: { code: 'summary-cut-off', message: 'The summary was cut off.' },
    },
    { strategy: 'tool-result-hiding', status: 'applied' },
  ],
  summaryModel: undefined,
  warnings: ['One message alone fills more than half of the window.'],
  undoneWith: ['r3', 'r4'],
};

export const refused: RecordView = {
  ...ladder,
  id: 'r1',
  createdAt: '2026-03-02T09:58:00.000Z',
  requestedStrategy: 'llm-summary',
  actualStrategy: 'llm-summary',
  trigger: 'manual',
  status: 'refused',
  reason: 'The summary was cut off at 20,000 tokens.',
  tokensAfter: 109214,
  byKindAfter: ladder.byKindBefore,
  tiers: [{ strategy: 'llm-summary', status: 'refused' }],
};

export function message(changes: Partial<MessageView> & Pick<MessageView, 'id'>): MessageView {
  return {
    kind: 'toolResult',
    title: 'read_file',
    label: '',
    excerpt: '',
    tokens: 100,
    isRestored: false,
    ...changes,
  };
}

export const summarySources: readonly MessageView[] = [
  message({
    id: 'm4',
    kind: 'assistant',
    title: 'Assistant',
    excerpt: 'I will look at how the store flushes before the test reads it back…',
    tokens: 412,
  }),
  message({ id: 'm5', kind: 'toolCall', title: 'read_file', label: 'src/session/store.ts', tokens: 61 }),
  message({
    id: 'm6',
    title: 'Result',
    excerpt: 'export class SessionStore { private readonly queue = new Queue();',
    tokens: 6820,
  }),
];

export const allSummarySources: readonly MessageView[] = [
  ...summarySources,
  ...Array.from({ length: 15 }, (_, index) =>
    message({ id: `n${index}`, title: `step ${index}`, excerpt: 'and so on', tokens: 1425 }),
  ),
];

export const diffRows: readonly DiffRowView[] = [
  {
    index: 0,
    fate: 'keep',
    reason: 'not touched',
    sources: [
      message({
        id: 'm1',
        kind: 'system',
        title: 'System',
        excerpt: 'You are a careful engineer.',
        tokens: 3302,
      }),
    ],
    sourceCount: 3,
    kinds: { system: 1, memory: 1, user: 1 },
    tokensBefore: 5931,
    tokensAfter: 5931,
  },
  {
    index: 1,
    fate: 'summarise',
    reason: 'older than the last 6 turns',
    sources: summarySources,
    sourceCount: 18,
    kinds: { assistant: 6, toolCall: 6, toolResult: 6 },
    tools: ['read_file', 'run_command'],
    files: ['src/session/store.ts', 'src/session/lock.ts'],
    output: message({
      id: 's1',
      kind: 'summary',
      title: 'Summary',
      excerpt:
        'Goal: make session-store.test.ts stable under load. Decided: keep JSONL, fsync before the acknowledgement. Modified: src/session/store.ts, src/session/lock.ts. Failing: EBUSY in “reopens after kill” (1 of 40 runs). Next: retry the rename inside the lock.',
      tokens: 1204,
    }),
    tokensBefore: 28670,
    tokensAfter: 1204,
  },
  {
    index: 2,
    fate: 'keep',
    reason: 'not touched',
    sources: [],
    sourceCount: 8,
    kinds: { assistant: 4, toolResult: 4 },
    tokensBefore: 4102,
    tokensAfter: 4102,
  },
  {
    index: 3,
    fate: 'offload',
    reason: 'recall("m71")',
    sources: [
      message({
        id: 'm71',
        title: 'run_command',
        label: 'npm test -- --repeat 40',
        excerpt: '✓ 39 passed ✗ 1 failed … EBUSY: resource busy or locked',
        tokens: 9412,
      }),
    ],
    sourceCount: 1,
    kinds: { toolResult: 1 },
    tools: ['run_command'],
    output: message({
      id: 'm71',
      excerpt: 'exit 1 · 1 failed of 40 · EBUSY … store.test.ts:88',
      tokens: 186,
    }),
    tokensBefore: 9412,
    tokensAfter: 186,
  },
  {
    index: 4,
    fate: 'hide',
    reason: 'read again later, newer copy kept',
    sources: [
      message({
        id: 'm74',
        label: 'package-lock.json',
        excerpt: '{ "name": "context-budget", "lockfileVersion": 3',
        tokens: 11030,
      }),
    ],
    sourceCount: 1,
    kinds: { toolResult: 1 },
    tools: ['read_file'],
    files: ['package-lock.json'],
    output: message({ id: 'm74', excerpt: '[hidden: 11,030 tokens]', tokens: 24 }),
    tokensBefore: 11030,
    tokensAfter: 24,
  },
  {
    index: 5,
    fate: 'clip',
    reason: 'arguments, head and tail kept',
    sources: [
      message({
        id: 'm76',
        kind: 'toolCall',
        title: 'edit_file',
        label: 'src/session/lock.ts',
        excerpt: '{"search":"await rename(tmp, path)…',
        tokens: 1330,
      }),
    ],
    sourceCount: 1,
    kinds: { toolCall: 1 },
    tools: ['edit_file'],
    files: ['src/session/lock.ts'],
    output: message({
      id: 'm76',
      kind: 'toolCall',
      title: 'edit_file',
      excerpt: '{"search":"await rename(tmp, path)[… 1,120 tokens, recall("m76")]"}',
      tokens: 210,
    }),
    tokensBefore: 1330,
    tokensAfter: 210,
  },
  {
    index: 6,
    fate: 'drop',
    reason: 'the oldest turn',
    sources: [
      message({
        id: 'm80',
        kind: 'reminder',
        title: 'Reminder',
        excerpt: 'The task list is empty.',
        tokens: 40,
      }),
    ],
    sourceCount: 1,
    kinds: { reminder: 1 },
    tokensBefore: 40,
    tokensAfter: 0,
  },
  {
    index: 7,
    fate: 'insert',
    reason: 'what the ledger knows',
    sources: [],
    sourceCount: 0,
    kinds: {},
    output: message({
      id: 's2',
      kind: 'reminder',
      title: 'Ledger',
      excerpt: 'Files read: 14. Commands: 31.',
      tokens: 260,
    }),
    tokensBefore: 0,
    tokensAfter: 260,
  },
  {
    index: 8,
    fate: 'keep',
    reason: 'not touched',
    sources: [],
    sourceCount: 50,
    kinds: { user: 6, assistant: 20, toolCall: 4, toolResult: 20 },
    tokensBefore: 39817,
    tokensAfter: 39817,
  },
];

export const otherSessions: readonly SessionChoice[] = [
  { sessionId: 'session-1.a', name: 'store-survey', state: 'done', tokens: 18204 },
  { sessionId: 'session-1.b', name: 'lock-retry', state: 'running', tokens: 41377 },
  { sessionId: 'session-1.c', name: 'docs', state: 'failed', tokens: 3102 },
];

/** The conversation in a sub-agent's session. */
export const subAgentMessages: readonly MessageView[] = [
  message({ id: 'm1', kind: 'system', title: 'System', excerpt: 'You are a sub-agent.', tokens: 812 }),
  message({
    id: 'm2',
    kind: 'user',
    title: 'Task',
    excerpt: 'You are the sub-agent "lock-retry". Your task: find out why the rename fails under load.',
    tokens: 64,
  }),
  message({ id: 'm3', kind: 'toolCall', title: 'read_file', label: 'src/session/lock.ts', tokens: 61 }),
  message({
    id: 'm4',
    title: 'Result',
    label: 'read_file src/session/lock.ts',
    excerpt: 'export async function withLock(path: string, work: () => Promise<void>)',
    tokens: 6820,
  }),
];

/** The inspector while it shows a sub-agent. */
export function subAgentSnapshot(changes: Partial<InspectorState> = {}, revision = 1): InspectorNotification {
  const shown = { sessionId: 'session-1.b', title: 'lock-retry', otherSessions, records: [] };
  return inspectorSnapshot({ ...shown, messageCount: subAgentMessages.length, ...changes }, revision);
}

export function inspectorState(changes: Partial<InspectorState> = {}): InspectorState {
  return {
    sessionId: 'session-1',
    chatId: 'session-1',
    otherSessions: [],
    title: 'Fix the flaky session-store test',
    model: 'gpt-5-mini',
    strategy: 'ladder',
    isCompacting: false,
    usage,
    records: [ladder, masking, refused],
    ...changes,
  };
}

export function inspectorSnapshot(
  changes: Partial<InspectorState> = {},
  revision = 1,
): InspectorNotification {
  return { type: 'snapshot', revision, state: inspectorState(changes) };
}

export function diff(recordId = 'r3', rows = diffRows): InspectorNotification {
  return { type: 'diff', recordId, rows };
}
