import type { Message } from '../../src/compaction/messages/message.ts';
import type {
  CompactionRecord,
  CoverageCount,
  RecordedAction,
  ViewSize,
} from '../../src/compaction/records/record.ts';
import { emptyUsage } from '../../src/compaction/tokens/usage.ts';

const nothing: ViewSize = { messages: 0, tokens: 0, byKind: emptyUsage.byKind };
const all: CoverageCount = { kept: 0, total: 0, missing: [] };

/** An applied record with these actions and empty measurements. */
export function recordWith(
  id: string,
  actions: readonly RecordedAction[],
  outputs: readonly Message[],
): CompactionRecord {
  return {
    id,
    createdAt: '2026-01-01T00:00:00.000Z',
    trigger: { source: 'manual', requirement: 'soft', tokens: 0 },
    requestedStrategy: 'test',
    actualStrategy: 'test',
    options: {},
    status: 'applied',
    tiers: [{ strategy: 'test', status: 'applied' }],
    before: nothing,
    after: nothing,
    actions,
    outputs,
    coverage: { files: all, commands: all, errors: all, identifiers: all, userMessages: all },
    cost: { cacheMissTokens: 0, savedPerCall: 0, breakEvenCalls: null },
    durationMs: 0,
    warnings: [],
  };
}

/** The action that drops messages. */
export function dropped(...sourceIds: readonly string[]): RecordedAction {
  return { kind: 'drop', sourceIds, reason: 'test', tokensBefore: 0, tokensAfter: 0 };
}
