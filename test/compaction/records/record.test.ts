import { describe, expect, it } from 'vitest';
import {
  filesBackOf,
  isAsked,
  type RecordedAction,
  shownCoverage,
  undoneTogether,
} from '../../../src/compaction/records/record.ts';
import { result, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const act = (
  kind: RecordedAction['kind'],
  sourceIds: readonly string[],
  outputId: string,
): RecordedAction => ({ kind, sourceIds, outputId, reason: 'test', tokensBefore: 2, tokensAfter: 1 });
const hide = (record: string, id: string) =>
  recordWith(record, [act('hide', [id], id)], [result(id, 'a', '[hidden]')]);
const summarise = (record: string, ids: readonly string[]) =>
  recordWith(record, [act('summarise', ids, `s${record}`)], [typed(`s${record}`, 'summary')]);

describe('undoneTogether', () => {
  it('contains only the record if no later record depends on it', () => {
    const records = [hide('c1', 'm3'), hide('c2', 'm5')];
    expect(undoneTogether(records, 'c1').map(({ id }) => id)).toEqual(['c1']);
  });

  it('is empty for an unknown record, and contains no earlier records', () => {
    expect(undoneTogether([hide('c1', 'm3')], 'c9')).toEqual([]);
    const records = [hide('c1', 'm3'), hide('c2', 'm3')];
    expect(undoneTogether(records, 'c2').map(({ id }) => id)).toEqual(['c2']);
  });

  it('includes a record that inserted messages after its messages, but not a record that only kept them', () => {
    const first = summarise('c1', ['m2']);
    const insert = { ...act('insert', [], 'n1'), after: 'sc1' };
    const kept = recordWith('c2', [act('keep', ['sc1'], 'sc1')], []);
    const noted = recordWith('c3', [insert], [typed('n1', 'note')]);
    const atStart = recordWith('c4', [{ ...insert, after: null }], []);
    expect(undoneTogether([first, kept, noted, atStart], 'c1').map(({ id }) => id)).toEqual(['c1', 'c3']);
  });

  it('includes later records that depend on the record, directly or through other records', () => {
    const records = [
      hide('c1', 'm3'),
      summarise('c2', ['m2', 'm3']),
      summarise('c3', ['sc2', 'm4']),
      hide('c4', 'm9'),
    ];
    expect(undoneTogether(records, 'c1').map(({ id }) => id)).toEqual(['c1', 'c2', 'c3']);
  });

  it('excludes the earlier records on which the record depends', () => {
    const records = [hide('c1', 'm3'), summarise('c2', ['m2', 'm3'])];
    expect(undoneTogether(records, 'c2').map(({ id }) => id)).toEqual(['c2']);
  });

  it('is empty for a record that is not in force', () => {
    expect(undoneTogether([], 'c1')).toEqual([]);
  });
});

describe('the coverage shown to users', () => {
  it('shows missing files relative to the folder of the session, and does not change the numbers', () => {
    const { coverage } = recordWith('c1', [], []);
    const files = { kept: 1, total: 3, missing: ['/home/user/project/src/a.ts', '/etc/hosts'] };
    const shown = shownCoverage({ coverage: { ...coverage, files }, folder: '/home/user/project' });
    expect(shown).toEqual({ ...coverage, files: { ...files, missing: ['src/a.ts', '/etc/hosts'] } });
  });
});

describe('filesBackOf', () => {
  it('counts restored files and their tokens', () => {
    const file = (id: string) => ({ ...typed(id, 'text'), kind: 'file' }) as const;
    const actions = [
      act('insert', [], 'f1'),
      act('insert', [], 'f2'),
      act('insert', [], 'n1'),
      act('clip', ['f3'], 'f3'),
    ];
    const outputs = [file('f1'), file('f2'), typed('n1', 'note'), file('f3')];
    expect(filesBackOf(recordWith('c1', actions, outputs))).toEqual({ files: 2, tokens: 2 });
    expect(filesBackOf(recordWith('c1', actions, [typed('n1', 'note')]))).toBeUndefined();
  });
});

describe('isAsked', () => {
  it('is true only for compactions that the user or the agent requested', () => {
    const asked = (['manual', 'agent', 'turns', 'overflow'] as const).filter((source) =>
      isAsked({ source, requirement: 'soft', tokens: 0 }),
    );
    expect(asked).toEqual(['manual', 'agent']);
  });
});
