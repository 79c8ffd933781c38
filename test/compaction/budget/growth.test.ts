import { describe, expect, it } from 'vitest';
import { GrowthCounter } from '../../../src/compaction/budget/growth.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript-entry.ts';
import { entriesOf, reminder, said, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const compaction: TranscriptEntry = { type: 'compaction', record: recordWith('c1', [], []) };
const talk = entriesOf([typed('m1', 'hi'), said('m2', 'hello'), reminder('m3', 'mind the tests')]);

describe('GrowthCounter', () => {
  it('counts every message, and a turn for each that a person typed', () => {
    expect(new GrowthCounter().since(talk)).toEqual({ messages: 3, turns: 1 });
  });

  it('begins anew with every record, also in a transcript that was opened later', () => {
    const entries = [...talk, compaction, ...entriesOf([typed('m4', 'go on')])];
    expect(new GrowthCounter().since(entries)).toEqual({ messages: 1, turns: 1 });
  });

  it('counts no message twice', () => {
    const counter = new GrowthCounter();
    counter.since(talk);
    expect(counter.since([...talk, ...entriesOf([said('m4', 'more')])])).toEqual({ messages: 4, turns: 1 });
  });

  it('begins anew after an attempt that left no record', () => {
    const counter = new GrowthCounter();
    counter.attempted(talk);
    expect(counter.since([...talk, ...entriesOf([said('m4', 'more')])])).toEqual({ messages: 1, turns: 0 });
  });
});
