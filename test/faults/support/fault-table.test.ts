import { describe, expect, test } from 'vitest';
import { FaultCount } from './fault-count.ts';
import { faultTable } from './fault-table.ts';

describe('the table of faults', () => {
  test('lists F-numbers first and in order, then groups', () => {
    const row = { tries: 1, harmed: 0, outcome: 'survived' } as const;
    const table = faultTable([
      { ...row, group: 'tools', what: 'a FIFO' },
      { ...row, group: 'failures', what: 'F10 an old request' },
      { ...row, group: 'failures', what: 'F2 a larger summary' },
      { ...row, group: 'sessions', what: 'kills' },
    ]);
    expect(table.match(/(?<=^\| \w+ \| )[^|]+?(?= \|)/gm)).toEqual([
      'fault',
      'F2 a larger summary',
      'F10 an old request',
      'kills',
      'a FIFO',
    ]);
  });

  test('counts attempts, harmful attempts and cases that this machine cannot try', () => {
    const count = new FaultCount();
    count.tried(3);
    count.harmed('a canary was read');
    count.skip('no tmpfs');
    expect(count.row).toEqual({ tries: 3, harmed: 1, note: 'skipped: no tmpfs' });
  });
});
