import { describe, expect, it } from 'vitest';
import { diffOf } from '../../src/compaction/diff.ts';
import { result, said, typed } from '../support/messages.ts';
import { recordWith } from '../support/records.ts';

describe('diffOf', () => {
  it('follows from the recorded actions, in their order', () => {
    const before = [typed('m1', 'hello'), result('m2', 'a', 'long'), said('m3', 'done')];
    const hidden = result('m2', 'a', '[hidden]');
    const tokens = { tokensBefore: 10, tokensAfter: 2 };
    const record = recordWith(
      'c1',
      [
        { kind: 'keep', sourceIds: ['m1'], reason: 'not touched', ...tokens },
        { kind: 'hide', sourceIds: ['m2'], outputId: 'm2', reason: 'old', ...tokens },
        { kind: 'drop', sourceIds: ['m3'], reason: 'old', ...tokens },
      ],
      [hidden],
    );
    const rows = diffOf(record, before);
    expect(rows.map(({ action, sources, output }) => [action.kind, sources, output])).toEqual([
      ['keep', [before[0]], undefined],
      ['hide', [before[1]], hidden],
      ['drop', [before[2]], undefined],
    ]);
  });
});
