import { describe, expect, it } from 'vitest';
import { errorsIn, exitStatusIn } from '../../../src/compaction/ledger/result-facts.ts';

describe('errorsIn', () => {
  it('finds the first few in a long output, at either end', () => {
    const output = `${'line\n'.repeat(20_000)}src/x.ts(3,1): error: no\n`;
    expect(errorsIn(output)).toEqual(['src/x.ts(3,1): error: no']);
    expect(errorsIn('fatal: a\nfatal: b\nfatal: c\nfatal: d')).toHaveLength(3);
  });

  it('takes no line for an error that only speaks of one', () => {
    expect(errorsIn('handles errors gracefully')).toEqual([]);
  });
});

describe('exitStatusIn', () => {
  it('finds none in the middle of a long output', () => {
    expect(exitStatusIn(`${'x\n'.repeat(1_000)}exit code 3\n${'x\n'.repeat(1_000)}`)).toBeUndefined();
  });
});
