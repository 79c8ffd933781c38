import { describe, expect, it } from 'vitest';
import { coverageOf } from '../../../src/compaction/ledger/coverage.ts';
import type { Message } from '../../../src/compaction/message.ts';
import { called, result, typed } from '../../support/messages.ts';

const before = [
  typed('m1', 'read both'),
  called('m2', ['a', 'read_file', { path: 'src/a.ts' }], ['b', 'read_file', { path: 'src/b.ts' }]),
  result('m3', 'a', 'Error: a broke'),
  result('m4', 'b', 'fine'),
  typed('m5', 'thanks'),
];
const summary = (content: string): Message => ({
  ...typed('c1.1', content),
  kind: 'summary',
  origin: 'strategy',
});

describe('coverageOf', () => {
  it('counts a fact as kept where its field is still there', () => {
    expect(coverageOf(before, before).files).toEqual({ kept: 2, total: 2, missing: [] });
  });

  it('counts a fact as kept where a summary names it, and names what is missing', () => {
    const written = summary('read src/a.ts, which failed with "Error: a broke"');
    const { files, errors, userMessages } = coverageOf(before, [written, before[4]!]);
    expect(files).toEqual({ kept: 1, total: 2, missing: ['src/b.ts'] });
    expect(errors).toEqual({ kept: 1, total: 1, missing: [] });
    expect(userMessages).toEqual({ kept: 1, total: 2, missing: ['m1'] });
  });

  it('counts a message as kept that stays with all that is attached to it', () => {
    const typedLength = 'explain @src/a.ts'.length;
    const attached: Message = {
      ...typed('m1', 'explain @src/a.ts\n\n<attachment type="file">\na\n</attachment>'),
      attached: { typedLength, items: [] },
    };
    expect(coverageOf([attached], [attached]).userMessages).toEqual({ kept: 1, total: 1, missing: [] });
  });
});
