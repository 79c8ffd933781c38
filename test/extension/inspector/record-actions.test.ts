import { describe, expect, it } from 'vitest';
import type { CompactionRecord } from '../../../src/compaction/record.ts';
import { append, type Transcript, transcriptOf } from '../../../src/compaction/transcript.ts';
import { recordsInForce } from '../../../src/compaction/view.ts';
import {
  isRecordSession,
  type RecordSession,
  rerun,
  restoreAll,
} from '../../../src/extension/inspector/record-actions.ts';
import { entriesOf, said, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const first: CompactionRecord = {
  ...recordWith(
    'k1',
    [{ kind: 'drop', sourceIds: ['m2'], reason: 'old', tokensBefore: 1, tokensAfter: 0 }],
    [],
  ),
  focus: 'the lock',
};

/** A session of a transcript, with a compaction that ends as it is told to. */
class Session implements RecordSession {
  transcript: Transcript = append(
    transcriptOf(entriesOf([typed('m1', 'one'), said('m2', 'two'), typed('m3', 'three')])),
    { type: 'compaction', record: first },
  );
  readonly compaction = { undoneWith: () => [first] };
  readonly asked: (readonly [focus: string | undefined, strategy: string | undefined])[] = [];
  readonly restored: string[] = [];
  private readonly outcome: CompactionRecord['status'] | Error;
  private records = 1;

  constructor(outcome: CompactionRecord['status'] | Error) {
    this.outcome = outcome;
  }

  undo(recordId: string) {
    this.transcript = append(this.transcript, { type: 'undo', createdAt: '', recordIds: [recordId] });
    return Promise.resolve([first]);
  }

  restore(messageId: string) {
    this.restored.push(messageId);
    return Promise.resolve(messageId === 'a' ? ['a', 'b'] : [messageId]);
  }

  pin() {
    return Promise.resolve({ changed: [], restored: [], unsent: [] });
  }

  compactNow: RecordSession['compactNow'] = (focus, strategy) => {
    this.asked.push([focus, strategy?.id]);
    if (this.outcome instanceof Error) return Promise.reject(this.outcome);
    const record = { ...recordWith('none', first.actions, []), status: this.outcome };
    return this.applyRecord(record);
  };

  applyRecord(record: CompactionRecord) {
    const added = { ...record, id: `k${++this.records}` };
    this.transcript = append(this.transcript, { type: 'compaction', record: added });
    return Promise.resolve(added);
  }

  get shown(): readonly string[] {
    return this.transcript.view.map(({ id }) => id);
  }
}

describe('another strategy', () => {
  it('takes the place of a compaction, with the same focus', async () => {
    const session = new Session('applied');
    const record = await rerun(session, 'k1', 'sliding-window');
    expect(session.asked).toEqual([['the lock', 'sliding-window']]);
    expect(record?.status).toBe('applied');
    expect(recordsInForce(session.transcript.entries).map(({ id }) => id)).toEqual(['k2']);
  });

  it.each(['refused', 'unchanged', 'cancelled'] as const)(
    'that comes to nothing (%s) leaves the session where it was',
    async (status) => {
      const session = new Session(status);
      const before = session.shown;
      await rerun(session, 'k1', 'sliding-window');
      expect(session.shown).toEqual(before);
      expect(recordsInForce(session.transcript.entries)).toHaveLength(1);
    },
  );

  it('that fails leaves the session where it was, and says why', async () => {
    const session = new Session(new Error('No key.'));
    const before = session.shown;
    await expect(rerun(session, 'k1', 'sliding-window')).rejects.toThrow('No key.');
    expect(session.shown).toEqual(before);
  });

  it('that there is not is not tried', async () => {
    const session = new Session('applied');
    expect(await rerun(session, 'k1', 'no-such')).toBeUndefined();
    expect(session.asked).toEqual([]);
    expect(recordsInForce(session.transcript.entries).map(({ id }) => id)).toEqual(['k1']);
  });
});

describe('messages', () => {
  it('that another brought along are not brought back twice', async () => {
    const session = new Session('applied');
    await restoreAll(session, ['a', 'b', 'c']);
    expect(session.restored).toEqual(['a', 'c']);
  });
});

describe('a session', () => {
  it('that is only read from a file has none of these actions', () => {
    expect(isRecordSession(new Session('applied'))).toBe(true);
    expect(isRecordSession({ transcript: new Session('applied').transcript })).toBe(false);
  });
});
