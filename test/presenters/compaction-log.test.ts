import { describe, expect, it } from 'vitest';
import type { CompactionPhase } from '../../src/compaction/records/phase.ts';
import type { TriggerSource } from '../../src/compaction/records/record.ts';
import { logPhase } from '../../src/presenters/compaction-log.ts';

function logged(phase: CompactionPhase, source: TriggerSource = 'ratio', isBackground?: true): string {
  const lines: string[] = [];
  logPhase(
    {
      type: 'compaction-phase',
      compaction: 3,
      trigger: { source, requirement: 'soft', tokens: 900 },
      ...(isBackground === undefined ? {} : { isBackground }),
      ...phase,
    },
    { info: (line) => lines.push(`info ${line}`), debug: (line) => lines.push(`debug ${line}`) },
  );
  return lines.join('\n');
}

const strategy = 'ladder';
const reason = { code: 'model-failed', message: 'No\nnetwork.' } as const;

describe('the log of compactions', () => {
  it.each<readonly [CompactionPhase, string]>([
    [{ phase: 'before', strategy }, 'before ladder (ratio, soft, 900 tokens)'],
    [{ phase: 'tier-start', strategy }, 'tier ladder starts'],
    [
      { phase: 'tier-end', strategy, status: 'failed', reason },
      'tier ladder ends: failed, model-failed: No network.',
    ],
    [{ phase: 'summary-start', model: 'm' }, 'summary by m starts'],
    [{ phase: 'summary-end', model: 'm', outcome: 'failed' }, 'summary by m ends: failed'],
    [
      { phase: 'summary-end', model: 'm', outcome: 'replied', promptTokens: 9, outputTokens: 2 },
      'summary by m ends: replied (9 tokens read, 2 written)',
    ],
    [{ phase: 'rollback', strategy, reason }, 'rollback of ladder, model-failed: No network.'],
    [
      { phase: 'done', strategy, status: 'applied', tokensBefore: 9, tokensAfter: 4, durationMs: 7 },
      'done by ladder: applied (9 → 4 tokens in 7 ms)',
    ],
  ])('writes a line for %o', (phase, line) => {
    expect(logged(phase)).toBe(`info Compaction 3: ${line}`);
  });

  it('marks background compactions', () => {
    const line = logged({ phase: 'tier-start', strategy }, 'ratio', true);
    expect(line).toBe('info Compaction 3, in the background: tier ladder starts');
  });

  it('writes early attempts only at the most detailed level', () => {
    expect(logged({ phase: 'tier-start', strategy }, 'savings')).toMatch(/^debug /);
  });
});
