import { describe, expect, it } from 'vitest';
import { nextRecordIds } from '../../src/compaction/record-ids.ts';
import type { TranscriptEntry } from '../../src/compaction/transcript-entry.ts';
import { entriesOf, typed } from '../support/messages.ts';
import { recordWith } from '../support/records.ts';

function idsAfter(...entries: readonly TranscriptEntry[]): readonly string[] {
  const next = nextRecordIds({ entries });
  return [next(), next()];
}
const record = (id: string, ...outputs: readonly string[]): TranscriptEntry => ({
  type: 'compaction',
  record: recordWith(
    id,
    [],
    outputs.map((output) => typed(output, 'notes')),
  ),
});

describe('ids of the next records', () => {
  it('count on from the highest', () => {
    expect(idsAfter(...entriesOf([typed('m1', 'x')]))).toEqual(['c1', 'c2']);
    expect(idsAfter(record('c2'), record('c10'), record('c3'))).toEqual(['c11', 'c12']);
  });

  it('are nobody else’s, and neither are those of the messages that they bring', () => {
    expect(idsAfter(...entriesOf([typed('c1', 'x')]))).toEqual(['c2', 'c3']);
    expect(idsAfter(...entriesOf([typed('c1.1', 'x')]), record('what-if-1', 'c2.4'))).toEqual(['c3', 'c4']);
  });

  it('are found also after an id whose number is none that can be counted on', () => {
    expect(idsAfter(record('c99999999999999999999'))).toEqual(['c1', 'c2']);
  });
});
