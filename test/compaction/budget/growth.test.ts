import { describe, expect, it } from 'vitest';
import { GrowthCounter } from '../../../src/compaction/budget/growth.ts';
import { transcriptOf } from '../../../src/compaction/transcript.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript-entry.ts';
import { entriesOf, reminder, said, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const talk = entriesOf([typed('m1', 'hi'), said('m2', 'hello'), reminder('m3', 'mind the tests')]);
const sized = (messages: number) => ({ messages, tokens: 9, byKind: {} as never });

/** An attempt that found three messages. */
function attempt(status: 'applied' | 'refused', left: number): TranscriptEntry {
  const record = { ...recordWith('c1', [], []), status, before: sized(3), after: sized(left) };
  return { type: 'compaction', record };
}

describe('GrowthCounter', () => {
  it('counts the messages in the prompt, and a turn for each that a person typed', () => {
    expect(new GrowthCounter().since(transcriptOf(talk))).toEqual({ messages: 3, left: 0, turns: 1 });
  });

  it('knows what an attempt left, also in a transcript that was opened later', () => {
    const more = entriesOf([typed('m4', 'go on')]);
    const view = [{ ...said('m9', 'all there is') }];
    const since = (record: TranscriptEntry) =>
      new GrowthCounter().since({ entries: [...talk, record, ...more], view });
    expect(since(attempt('applied', 1))).toEqual({ messages: 1, left: 1, turns: 1 });
    expect(since(attempt('refused', 1))).toEqual({ messages: 1, left: 3, turns: 1 });
  });

  it('counts no turn twice', () => {
    const counter = new GrowthCounter();
    counter.since(transcriptOf(talk));
    const longer = transcriptOf([...talk, ...entriesOf([said('m4', 'more')])]);
    expect(counter.since(longer)).toEqual({ messages: 4, left: 0, turns: 1 });
  });

  it('begins anew after an attempt that left no record', () => {
    const counter = new GrowthCounter();
    counter.attempted(transcriptOf(talk));
    const longer = transcriptOf([...talk, ...entriesOf([said('m4', 'more')])]);
    expect(counter.since(longer)).toEqual({ messages: 4, left: 3, turns: 0 });
  });

  it('takes what a person brought back for what an attempt left', () => {
    const restore: TranscriptEntry = { type: 'restore', createdAt: '', messageIds: ['m1'] };
    const { view } = transcriptOf(talk);
    const counter = new GrowthCounter();
    expect(counter.since({ entries: [...talk, attempt('applied', 1), restore], view }).left).toBe(3);
  });
});
