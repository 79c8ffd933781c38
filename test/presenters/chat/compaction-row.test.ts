import { describe, expect, it } from 'vitest';
import {
  type CompactionRecord,
  hideId,
  type RecordedAction,
  rewindId,
} from '../../../src/compaction/records/record.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { compactionRow } from '../../../src/presenters/chat/compaction-row.ts';
import { recordWith } from '../../support/records.ts';

const action = (kind: RecordedAction['kind'], ...sourceIds: readonly string[]): RecordedAction => ({
  kind,
  sourceIds,
  reason: '',
  tokensBefore: 1,
  tokensAfter: 0,
});

const actions = [action('keep', 'm1', 'm2'), action('drop', 'm3', 'm4'), action('keep', 'm5')];

describe('compactionRow', () => {
  it.each<[string, Partial<CompactionRecord>, object | undefined]>([
    ['hidden messages', { actualStrategy: hideId }, { what: 'hide', messages: 2 }],
    [
      'hidden pictures',
      { actualStrategy: hideId, actions: [action('keep', 'm1'), action('clip', 'm2')] },
      { what: 'pictures', messages: 1 },
    ],
    [
      'going back',
      { actualStrategy: rewindId, part: { firstId: 'm3', lastId: 'm4', rewinds: true } },
      { what: 'rewind', messages: 2 },
    ],
    ['a part', { part: { firstId: 'm2', lastId: 'm4' } }, { what: 'part', messages: 3 }],
    ['the whole context', {}, undefined],
  ])('describes %s', (_what, changes, byHand) => {
    const record = { ...recordWith('c1', actions, []), ...changes };
    expect(compactionRow(record, englishWording).byHand).toEqual(byHand);
  });

  it('states the number of restored files, and their size', () => {
    const brought = (id: string, kind: 'file' | 'summary') =>
      ({ role: 'user', content: 'text', id, origin: 'harness', createdAt: '', kind }) as const;
    const inserted = (outputId: string) => ({ ...action('insert'), outputId, tokensAfter: 40 });
    const outputs = [brought('c1.1', 'summary'), brought('c1.2', 'file'), brought('c1.3', 'file')];
    const record = recordWith('c1', ['c1.1', 'c1.2', 'c1.3'].map(inserted), outputs);
    expect(compactionRow(record, englishWording).filesBack).toEqual({ files: 2, tokens: 80 });
    expect(compactionRow(recordWith('c1', actions, []), englishWording).filesBack).toBeUndefined();
  });
});
