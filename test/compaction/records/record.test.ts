import { describe, expect, it } from 'vitest';
import {
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
  it('is the record alone when nothing builds on it', () => {
    const records = [hide('c1', 'm3'), hide('c2', 'm5')];
    expect(undoneTogether(records, 'c1').map(({ id }) => id)).toEqual(['c1']);
  });

  it('includes later records that changed its messages, through several steps', () => {
    const records = [
      hide('c1', 'm3'),
      summarise('c2', ['m2', 'm3']),
      summarise('c3', ['sc2', 'm4']),
      hide('c4', 'm9'),
    ];
    expect(undoneTogether(records, 'c1').map(({ id }) => id)).toEqual(['c1', 'c2', 'c3']);
  });

  it('includes no earlier record', () => {
    const records = [hide('c1', 'm3'), summarise('c2', ['m2', 'm3'])];
    expect(undoneTogether(records, 'c2').map(({ id }) => id)).toEqual(['c2']);
  });

  it('is empty for a record that is not in force', () => {
    expect(undoneTogether([], 'c1')).toEqual([]);
  });
});

describe('coverage as users read it', () => {
  it('names missing files from the folder of the session, and counts as before', () => {
    const { coverage } = recordWith('c1', [], []);
    const files = { kept: 1, total: 3, missing: ['/home/user/project/src/a.ts', '/etc/hosts'] };
    const shown = shownCoverage({ coverage: { ...coverage, files }, folder: '/home/user/project' });
    expect(shown).toEqual({ ...coverage, files: { ...files, missing: ['src/a.ts', '/etc/hosts'] } });
  });
});
