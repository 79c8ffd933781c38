import type { Message } from '../../src/compaction/messages/message.ts';
import type { CompactionRecord, RecordedAction } from '../../src/compaction/records/record.ts';
import { coverageOf } from '../../src/compaction/ledger/coverage.ts';
import { emptyUsage } from '../../src/compaction/tokens/usage.ts';

const createdAt = '2026-01-01T00:00:00.000Z';

/** The record of a compaction that puts a short text in the place of the older half of all results. */
export function recordFor(view: readonly Message[]): CompactionRecord {
  const half = view.slice(0, view.length / 2);
  const outputs = half
    .filter(({ role }) => role === 'tool')
    .map((message): Message => ({ ...message, content: '[hidden]', truncation: { fate: 'hide' } }));
  const isHidden = new Set(outputs.map(({ id }) => id));
  const size = { tokens: 0, messages: view.length, byKind: emptyUsage.byKind };
  return {
    id: 'c1',
    createdAt,
    trigger: { source: 'manual', requirement: 'soft', tokens: 0 },
    requestedStrategy: 'tool-result-hiding',
    actualStrategy: 'tool-result-hiding',
    options: {},
    status: 'applied',
    tiers: [],
    before: size,
    after: size,
    actions: view.map(({ id }): RecordedAction => ({
      kind: isHidden.has(id) ? 'hide' : 'keep',
      sourceIds: [id],
      reason: 'old',
      ...(isHidden.has(id) ? { outputId: id } : {}),
      tokensBefore: 0,
      tokensAfter: 0,
    })),
    outputs,
    coverage: coverageOf([], []),
    cost: { cacheMissTokens: 0, savedPerCall: 0, breakEvenCalls: null },
    warnings: [],
    durationMs: 0,
  };
}
