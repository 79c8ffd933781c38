import type { Kind } from '../../../src/compaction/messages/message.ts';
import type {
  ChatNotification,
  ChatState,
  CommandView,
  Meter,
  StrategyChoice,
} from '../../../src/protocol/chat.ts';
import type { ChatRow, RecordDetails } from '../../../src/protocol/chat-rows.ts';

export const noTokens: Readonly<Record<Kind, number>> = {
  system: 0,
  tools: 0,
  memory: 0,
  user: 0,
  assistant: 0,
  reasoning: 0,
  toolCall: 0,
  toolResult: 0,
  summary: 0,
  reminder: 0,
  skill: 0,
  skillMetadata: 0,
  file: 0,
};

/** Adds up to 82,746. */
export const usedTokens: Readonly<Record<Kind, number>> = {
  ...noTokens,
  system: 3302,
  tools: 6541,
  memory: 1820,
  user: 4107,
  assistant: 8866,
  toolCall: 14981,
  toolResult: 39804,
  summary: 3325,
};

export const meter: Meter = {
  tokens: 82746,
  byKind: usedTokens,
  window: 128000,
  trigger: 108000,
  isBreakerOpen: false,
  isSpendingLimitReached: false,
};

/** A conversation as one looks after an hour. */
export const conversation: readonly ChatRow[] = [
  { type: 'user', id: 'u1', text: 'Why does “reopens after kill” fail once in forty runs?' },
  {
    type: 'tool',
    id: 't1',
    tool: 'search_text',
    label: '"reopens after kill"',
    state: 'done',
    tokens: 214,
    preview: "test/session/store.test.ts:88: it('reopens after kill', async () => {",
    isClipped: false,
  },
  {
    type: 'tool',
    id: 't2',
    tool: 'read_file',
    label: 'src/session/lock.ts 40–120',
    state: 'done',
    tokens: 1180,
    preview: '40  export async function acquire(path: string) {\n41    const handle = await open(path);',
    isClipped: true,
  },
  {
    type: 'assistant',
    id: 'a1',
    markdown: [
      'The rename in [lock.ts:61](src/session/lock.ts:61) runs before the previous handle is closed, so on a',
      'slow disk the second opener sees `EBUSY`. Two ways to fix it:',
      '',
      '1. retry inside the lock, or',
      '2. close before renaming.',
      '',
      'Closing first is simpler and keeps the order of events:',
      '',
      '```ts',
      'await handle.close();',
      'await rename(temporary, path);',
      '```',
    ].join('\n'),
    reasoning: 'The handle is closed in a finally block that runs after the rename.',
    state: 'done',
  },
  {
    type: 'compaction',
    id: 'c1',
    strategy: 'ladder',
    status: 'applied',
    tokensBefore: 109214,
    tokensAfter: 51370,
    isUndone: false,
  },
  { type: 'user', id: 'u2', text: 'Close first, then run the test 40 times.' },
  {
    type: 'tool',
    id: 't3',
    tool: 'edit_file',
    label: 'src/session/lock.ts',
    state: 'done',
    tokens: 96,
    preview: 'Changed 3 lines.',
    isClipped: false,
  },
  {
    type: 'tool',
    id: 't4',
    tool: 'run_command',
    label: 'npm test -- session-store --repeat 40',
    state: 'running',
    preview: '',
    isClipped: false,
  },
];

export const commands: readonly CommandView[] = [
  { name: 'compact', hint: '[focus]', sentence: 'Makes the conversation smaller now.' },
  { name: 'context', hint: '', sentence: 'Shows what fills the context window.' },
  { name: 'undo', hint: '', sentence: 'Takes the newest compaction back.' },
  { name: 'strategy', hint: '[id]', sentence: 'Chooses how the conversation is made smaller.' },
];

export const strategies: readonly StrategyChoice[] = [
  { id: 'ladder', title: 'Ladder' },
  { id: 'observation-masking', title: 'Observation Masking' },
];

/** The record of the conversation's compaction. */
export const recordDetails: RecordDetails = {
  fates: [
    { fate: 'keep', messages: 41, tokensBefore: 48_045, tokensAfter: 48_045 },
    { fate: 'clip', messages: 12, tokensBefore: 39_850, tokensAfter: 1_210 },
    { fate: 'summarise', messages: 31, tokensBefore: 21_319, tokensAfter: 2_115 },
  ],
  coverage: {
    files: { kept: 14, total: 14, missing: [] },
    commands: { kept: 31, total: 33, missing: ['npm run bench', 'git stash'] },
    errors: { kept: 0, total: 0, missing: [] },
    identifiers: { kept: 92, total: 97, missing: ['openStore', 'LockError'] },
    userMessages: { kept: 9, total: 9, missing: [] },
  },
  cost: { cacheMissTokens: 50_112, savedPerCall: 57_844, breakEvenCalls: 1 },
  tiers: [
    { strategy: 'observation-masking', status: 'unchanged' },
    { strategy: 'anchored-summary', status: 'applied' },
  ],
  summaryModel: 'gpt-5-mini',
  durationMs: 3_240,
  warnings: [],
};

export function chatState(changes: Partial<ChatState> = {}): ChatState {
  return {
    sessionId: 'session-1',
    title: 'Fix the flaky session-store test',
    rows: conversation,
    activity: 'idle',
    meter,
    proposal: null,
    model: { label: 'gpt-5-mini', isOffline: false },
    strategy: 'ladder',
    draft: '',
    queue: [],
    plan: [],
    isTrusted: true,
    ...changes,
  };
}

export function snapshot(changes: Partial<ChatState> = {}, revision = 1): ChatNotification {
  return { type: 'snapshot', revision, state: chatState(changes) };
}
