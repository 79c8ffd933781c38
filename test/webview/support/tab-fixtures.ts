import { type Kind, kinds } from '../../../src/compaction/messages/message.ts';
import type { BudgetView, TriggerRange, WindowPart } from '../../../src/protocol/inspector-budget.ts';
import type { ArchiveHit, FactView } from '../../../src/protocol/inspector-ledger.ts';
import type {
  CallPoint,
  MarkPoint,
  RequestDifferenceView,
  TimelineNotification,
} from '../../../src/protocol/inspector-timeline.ts';
import type { InspectorNotification } from '../../../src/protocol/inspector.ts';

export const triggerRange: TriggerRange = {
  ratio: 0.85,
  least: 0.51,
  most: 0.87,
  leastReason: 'target',
  mostReason: 'reserve',
};

/** A part of the window: one message unless the changes name several. */
export function part(
  kind: Kind,
  name: string,
  tokens: number,
  changes: Partial<WindowPart> = {},
): WindowPart {
  const { messageIds = [`${kind}-${name}`] } = changes;
  const sizes = messageIds.map(() => Math.round(tokens / messageIds.length));
  return { kind, name, tokens, messages: messageIds.length, messageIds, sizes, frees: tokens, ...changes };
}

/** The window of the session in `inspector-fixtures.ts`; the parts add up to its usage. */
export const parts: readonly WindowPart[] = [
  part('system', 'You are a careful engineer.', 3_302),
  part('memory', 'AGENTS.md', 1_820),
  part('user', 'Why does “reopens after kill” fail once in forty runs?', 2_812),
  part('user', '', 1_295, { messages: 12, messageIds: [], sizes: [], frees: 0 }),
  part('assistant', 'The rename runs before the handle is closed.', 1_066),
  part('assistant', '', 7_800, { messages: 42, messageIds: [], sizes: [], frees: 0 }),
  part('toolCall', 'edit_file', 9_481, { messageIds: ['m80', 'm76'] }),
  part('toolCall', 'read_file', 5_500, { messageIds: ['m81', 'm73', 'm5'] }),
  part('toolResult', 'run_command npm test -- --repeat 40', 14_374, {
    messageIds: ['m95', 'm71', 'm60', 'm51'],
    sizes: [3_000, 9_412, 1_000, 962],
    stale: { messageIds: ['m71', 'm60', 'm51'], frees: 11_254 },
  }),
  part('toolResult', 'package-lock.json', 11_030, { messageIds: ['m74'] }),
  part('toolResult', 'src/session/lock.ts', 8_310, { messageIds: ['m82', 'm77'] }),
  part('toolResult', 'src/session/store.ts', 4_120, { messageIds: ['m6'] }),
  part('toolResult', 'list_directory src', 1_970, { messageIds: ['m4'] }),
  part('summary', 'Goal: make session-store.test.ts stable under load.', 3_325),
];

export const budget: BudgetView = {
  parts,
  largest: [
    { id: 'm74', kind: 'toolResult', title: 'read_file package-lock.json', tokens: 11_030 },
    { id: 'm71', kind: 'toolResult', title: 'run_command npm test -- --repeat 40', tokens: 9_412 },
    { id: 'm9', kind: 'user', title: 'Why does “reopens after kill” fail once in forty runs?', tokens: 812 },
  ],
  schemas: {
    tokens: 6_541,
    saved: 12_300,
    rewritten: 82_746,
    groups: [
      {
        isOn: true,
        isOnDemand: false,
        tokens: 6_541,
        tools: [
          { name: 'run_command', tokens: 612, uses: 1, isOn: true, isFixed: false },
          { name: 'recall', tokens: 140, uses: 0, isOn: true, isFixed: true },
        ],
      },
      {
        server: 'notes',
        isOn: true,
        isOnDemand: true,
        tokens: 12_700,
        tools: [
          { name: 'mcp_notes_add_note', tokens: 8_000, uses: 3, isOn: true, isFixed: false },
          { name: 'mcp_notes_list_notes', tokens: 4_700, uses: 0, isOn: true, isFixed: false },
        ],
      },
    ],
  },
  tools: [
    { tool: 'read_file', calls: 31, callTokens: 2_104, resultTokens: 24_880, messageId: 'm74' },
    { tool: 'run_command', calls: 1, callTokens: 1_204, resultTokens: 9_412, messageId: 'm71' },
  ],
  files: [
    { path: 'package-lock.json', calls: 1, tokens: 11_064, messageId: 'm74' },
    { path: 'src/session/lock.ts', calls: 12, tokens: 9_310 },
  ],
  floor: {
    total: 12_475,
    byReason: {
      notInFile: 0,
      tools: 6_541,
      system: 3_302,
      pins: 0,
      memory: 1_820,
      newestRequest: 512,
      firstRequest: 300,
    },
  },
  compared: { counted: 82_111, reported: 82_611 },
  cachedShare: 0.87,
  money: {
    total: 0.41,
    uncachedInput: 0.21,
    cachedInput: 0.12,
    output: 0.08,
    unknown: 2,
    mayBeMore: true,
  },
  health: [
    {
      id: 'prefix',
      state: 'good',
      finding: 'All 95 requests could reuse the cache.',
      messageIds: [],
      recordIds: [],
    },
    {
      id: 'toolOutput',
      state: 'warning',
      finding: 'Tool results take 48% of the next request: 3 replaced by later results (11,374 tokens).',
      advice: 'A strategy that masks old results frees the most: Ladder or Observation Masking.',
      setting: 'contextBudget.strategy',
      messageIds: ['m74', 'm71'],
      recordIds: [],
    },
    {
      id: 'trigger',
      state: 'bad',
      finding: 'Automatic compaction is off.',
      setting: 'contextBudget.mode',
      messageIds: [],
      recordIds: [],
    },
    {
      id: 'completeness',
      state: 'unknown',
      finding: 'Nothing compacted yet.',
      messageIds: [],
      recordIds: ['r3'],
    },
  ],
};

export function budgetAnswer(
  changes: Partial<BudgetView> = {},
  sessionId = 'session-1',
): InspectorNotification {
  return { type: 'budget', sessionId, view: { ...budget, ...changes } };
}

/** A request of the given tokens: a few of each kind, the rest as tool results. */
export function call(tokens: number, changes: Partial<CallPoint> = {}): CallPoint {
  const share: Readonly<Record<string, number>> = {
    system: 0.04,
    tools: 0.08,
    memory: 0.02,
    user: 0.05,
    assistant: 0.1,
    toolCall: 0.18,
    summary: 0.04,
  };
  const spent = kinds.map((kind) => Math.floor(tokens * (share[kind] ?? 0)));
  const rest = tokens - spent.reduce((sum, part) => sum + part, 0);
  return {
    messageId: 'm2',
    at: '2026-03-02T10:42:00.000Z',
    byKind: spent.map((part, index) => (kinds[index] === 'toolResult' ? rest : part)),
    isMissed: false,
    ...changes,
  };
}

/** A session that grows and is compacted twice, once after an overflow. */
export const calls: readonly CallPoint[] = Array.from({ length: 96 }, (_, index) => {
  const since = index < 38 ? index : index < 70 ? index - 38 + 12 : index - 70 + 14;
  return call(9_000 + since * 2_600, {
    messageId: `a${index + 1}`,
    firstId: `u${index + 1}`,
    isMissed: index === 38 || index === 70,
    reported: 9_000 + since * 2_610,
    cached: 5_000 + since * 2_300,
  });
});

export const marks: readonly MarkPoint[] = [
  {
    type: 'compaction',
    atCall: 38,
    recordId: 'r2',
    status: 'applied',
    strategy: 'observation-masking',
    tokensBefore: 105_200,
    tokensAfter: 39_800,
  },
  { type: 'overflow', atCall: 70, recordId: 'r3', tokens: 128_400 },
  {
    type: 'compaction',
    atCall: 70,
    recordId: 'r3',
    status: 'applied',
    strategy: 'ladder',
    tokensBefore: 128_400,
    tokensAfter: 45_400,
  },
];

export function timelineAnswer(changes: Partial<TimelineNotification> = {}): TimelineNotification {
  return { type: 'timeline', sessionId: 'session-1', generation: 1, from: 0, calls, marks, ...changes };
}

/** Request 39, which a compaction separates from the previous one. */
export const requestDifference: RequestDifferenceView = {
  messageId: 'a39',
  request: 39,
  cause: ['A compaction rewrote the conversation from here on: Ladder.'],
  recordId: 'r3',
  before: {
    title: 'Result',
    label: 'read_file src/lock.ts',
    text: { isCutBefore: true, alike: 'line 1\n', changed: '<b>line 2</b>', rest: '', isCutAfter: true },
  },
  after: {
    title: 'Result',
    label: 'read_file src/lock.ts',
    text: { isCutBefore: true, alike: 'line 1\n', changed: '[hidden]', rest: '', isCutAfter: false },
  },
  kept: 4_000,
  again: 36_200,
  fresh: 820,
  money: { written: 0.0452, read: 0.0036 },
  reportedCached: 3_840,
  breaks: [
    { cause: 'System, “env”: date', count: 14, tokens: 310_400, dollars: 1.78, messageId: 'a12' },
    { cause: 'Compaction: Ladder', count: 2, tokens: 76_300, dollars: 0.44, messageId: 'a39' },
    {
      cause: 'Unexplained: another server answered, or a part changed that the session does not contain',
      ...{ count: 1, tokens: 8_200, messageId: 'a71' },
    },
  ],
};

export const facts: readonly FactView[] = [
  {
    section: 'requests',
    text: 'Why does “reopens after kill” fail once in forty runs?',
    presence: 'verbatim',
    sources: [{ messageId: 'm2', kind: 'user', title: 'Why does it fail?', isInView: true, isPinned: false }],
    sourceCount: 1,
  },
  {
    section: 'filesModified',
    text: 'src/session/lock.ts',
    presence: 'ledger',
    sources: [
      {
        messageId: 'm76',
        kind: 'assistant',
        title: 'edit_file src/session/lock.ts',
        isInView: false,
        isPinned: false,
      },
      {
        messageId: 'm6',
        kind: 'toolResult',
        title: 'read_file src/session/lock.ts',
        isInView: false,
        isPinned: true,
      },
    ],
    sourceCount: 5,
  },
  {
    section: 'commands',
    text: 'npm test -- session-store --repeat 40',
    status: 1,
    presence: 'archive',
    sources: [
      {
        messageId: 'm71',
        kind: 'toolResult',
        title: 'run_command npm test',
        isInView: false,
        isPinned: false,
      },
    ],
    sourceCount: 1,
  },
];

export function factsAnswer(
  changes: Partial<Extract<InspectorNotification, { type: 'facts' }>> = {},
): InspectorNotification {
  return {
    type: 'facts',
    sessionId: 'session-1',
    filter: { text: '' },
    from: 0,
    facts,
    total: facts.length,
    byKind: {
      requests: { total: 1, gone: 0 },
      files: { total: 1, gone: 0 },
      commands: { total: 1, gone: 1 },
    },
    byPresence: { verbatim: 1, ledger: 1, archive: 1 },
    ...changes,
  };
}

export const hits: readonly ArchiveHit[] = [
  {
    messageId: 'm71',
    kind: 'toolResult',
    title: 'run_command npm test -- --repeat 40',
    excerpt: '39 passed, 1 failed: EBUSY: resource busy or locked, rename',
    ranges: [{ start: 21, end: 26 }],
    tokens: 9_412,
    isInView: false,
    isPinned: false,
  },
  {
    messageId: 'm90',
    kind: 'assistant',
    title: 'The rename runs before the handle is closed',
    excerpt: 'so on a slow disk the second opener sees EBUSY.',
    ranges: [{ start: 41, end: 46 }],
    tokens: 212,
    isInView: true,
    isPinned: true,
  },
];
