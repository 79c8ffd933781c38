import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/compaction/messages/message.ts';
import { openWork, stayingWithOpenWork } from '../../../../src/compaction/strategies/steps/open-work.ts';
import { createMeter } from '../../../support/engine.ts';
import { called, result, said, textOfTokens, typed } from '../../../support/messages.ts';

const meter = await createMeter();

const answered: readonly Message[] = [
  typed('m0', 'Read it.'),
  called('c0', ['a', 'bash', { command: 'cat a' }]),
  result('r0', 'a', textOfTokens(500)),
  said('s0', 'It is empty.'),
];
const open: readonly Message[] = [
  typed('m1', 'Where is the parser?'),
  called('c1', ['b', 'grep', { pattern: 'parseLine' }]),
  result('r1', 'b', textOfTokens(500)),
];

describe('openWork', () => {
  it('begins with the newest request', () => {
    expect(openWork([...answered, ...open])).toEqual({ start: 4, hasResults: true, sought: ['parseLine'] });
  });

  it('includes an earlier request without an answer', () => {
    expect(openWork([...answered, ...open, typed('m2', 'No, in src.')]).start).toBe(4);
  });

  it('contains no results before the first call', () => {
    expect(openWork([...answered, open[0]!])).toEqual({ start: 4, hasResults: false, sought: [] });
  });
});

describe('stayingWithOpenWork', () => {
  const staying = async (target: number, source: 'ratio' | 'savings' = 'ratio') => {
    const view = [...answered, ...open];
    const { total: tokens } = await meter.measure(view);
    const trigger = { source, requirement: 'soft', tokens } as const;
    const input = { view, protectedIds: new Set(['m1']), target, tokens, toolTokens: 0, trigger };
    return [...(await stayingWithOpenWork(input, meter)).ids];
  };

  it('includes the open work if the target has room for it', async () => {
    expect(await staying(900)).toEqual(['m1', 'c1', 'r1']);
  });

  it.each([
    ['the target has no room for it', 500, 'ratio'],
    ['the view is below the target', 5_000, 'ratio'],
    ['the compaction only saves money', 900, 'savings'],
  ] as const)('includes only protected messages if %s', async (_name, target, source) => {
    expect(await staying(target, source)).toEqual(['m1']);
  });
});
