import { describe, expect, it } from 'vitest';
import { diffOf } from '../../../src/compaction/records/compaction-diff.ts';
import { result, said, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

describe('diffOf', () => {
  it('returns the recorded actions in order', () => {
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

  it('joins kept messages that become adjacent', () => {
    const before = [typed('m1', 'hello'), typed('m2', 'again'), said('m3', 'done')];
    const summary = said('c1.1', 'notes');
    const kept = (id: string) => {
      return {
        kind: 'keep',
        sourceIds: [id],
        reason: 'not touched',
        tokensBefore: 3,
        tokensAfter: 3,
      } as const;
    };
    const summarised = {
      kind: 'summarise',
      sourceIds: ['m3'],
      outputId: 'c1.1',
      reason: 'old',
      tokensBefore: 9,
      tokensAfter: 4,
    } as const;
    const rows = diffOf(recordWith('c1', [kept('m1'), kept('m2'), summarised], [summary]), before);
    expect(rows.map(({ action: { kind, tokensBefore }, sources }) => [kind, sources, tokensBefore])).toEqual([
      ['keep', [before[0], before[1]], 6],
      ['summarise', [before[2]], 9],
    ]);
  });

  it.each([
    ['with different reasons', 'keep', 'protected'],
    ['with different actions', 'hide', 'not touched'],
  ] as const)('does not join messages %s', (_case, kind, reason) => {
    const before = [typed('m1', 'hello'), typed('m2', 'again')];
    const tokens = { tokensBefore: 3, tokensAfter: 3 };
    const first = { kind: 'keep', sourceIds: ['m1'], reason: 'not touched', ...tokens } as const;
    const second = { kind, sourceIds: ['m2'], reason, ...tokens };
    expect(diffOf(recordWith('c1', [first, second], []), before)).toHaveLength(2);
  });
});
