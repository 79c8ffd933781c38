import { setImmediate as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeCall } from '../../../src/agent/tools/catalogue.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import type { CompactionRecord, RecordedAction } from '../../../src/compaction/records/record.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import {
  append,
  restoredTogether,
  type Transcript,
  transcriptOf,
} from '../../../src/compaction/transcript/transcript.ts';
import { recordsInForce } from '../../../src/compaction/transcript/view.ts';
import { planBringBack, rerun, restoreAll } from '../../../src/presenters/inspector/record-actions.ts';
import { missingNames, RecordDiff } from '../../../src/presenters/inspector/record-diff.ts';
import { createMeter } from '../../support/engine.ts';
import { called, entriesOf, result, said, system, textOfTokens, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';
import { hostSentences } from '../../../src/language/english/host-english.ts';
import type { ChangeableSession } from '../../../src/presenters/inspector/inspector-target.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';

const user = hostSentences.say('titleYou');

describe('actions on a record', () => {
  const first: CompactionRecord = {
    ...recordWith(
      'k1',
      [{ kind: 'drop', sourceIds: ['m2'], reason: 'old', tokensBefore: 1, tokensAfter: 0 }],
      [],
    ),
    focus: 'the lock',
  };

  /** A session with a transcript, whose compaction has a given end. */
  class Session implements Pick<
    ChangeableSession,
    'transcript' | 'undo' | 'restore' | 'compactNow' | 'applyRecord'
  > {
    transcript: Transcript = append(
      transcriptOf(entriesOf([typed('m1', 'one'), said('m2', 'two'), typed('m3', 'three')])),
      { type: 'compaction', record: first },
    );
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

    compactNow: ChangeableSession['compactNow'] = ({ focus, strategy } = {}) => {
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

  describe('compacting again with another strategy', () => {
    it('replaces a compaction, with the same focus', async () => {
      const session = new Session('applied');
      const record = await rerun(session, 'k1', 'sliding-window');
      expect(session.asked).toEqual([['the lock', 'sliding-window']]);
      expect(record?.status).toBe('applied');
      expect(recordsInForce(session.transcript.entries).map(({ id }) => id)).toEqual(['k2']);
    });

    it.each(['refused', 'unchanged', 'cancelled'] as const)(
      'leaves the session unchanged if the strategy has no effect (%s)',
      async (status) => {
        const session = new Session(status);
        const before = session.shown;
        await rerun(session, 'k1', 'sliding-window');
        expect(session.shown).toEqual(before);
        expect(recordsInForce(session.transcript.entries)).toHaveLength(1);
      },
    );

    it('leaves the session unchanged if the strategy fails, and gives the reason', async () => {
      const session = new Session(new Error('No key.'));
      const before = session.shown;
      await expect(rerun(session, 'k1', 'sliding-window')).rejects.toThrow('No key.');
      expect(session.shown).toEqual(before);
    });

    it('does nothing if the strategy does not exist', async () => {
      const session = new Session('applied');
      expect(await rerun(session, 'k1', 'no-such')).toBeUndefined();
      expect(session.asked).toEqual([]);
      expect(recordsInForce(session.transcript.entries).map(({ id }) => id)).toEqual(['k1']);
    });
  });

  describe('restoring several messages', () => {
    it('restores no message twice', async () => {
      const session = new Session('applied');
      await restoreAll(session, ['a', 'b', 'c']);
      expect(session.restored).toEqual(['a', 'c']);
    });
  });
});

describe('restoring facts', () => {
  const history: readonly Message[] = [
    system('s', 'rules'),
    typed('u1', 'Always use tabs.'),
    called('a1', ['c1', 'run_command', { command: 'npm ci' }]),
    result('r1', 'c1', 'fine'),
    called('a2', ['c2', 'run_command', { command: 'git push' }]),
    result('r2', 'c2', textOfTokens(40)),
    called(
      'a3',
      ['c3', 'run_command', { command: 'npm ci' }],
      ['c4', 'read_file', { path: 'src/a.ts' }],
      ['c5', 'read_file', { path: 'src/b.ts' }],
    ),
    result('r3', 'c3', 'fine'),
    result('r4', 'c4', 'a'),
    result('r5', 'c5', 'b'),
    typed('u2', 'and now?'),
    said('a4', 'done'),
  ];

  /** Everything between the system message and the last question is dropped. */
  const dropped = history.slice(1, 10).map(({ id }) => id);
  const drop: RecordedAction = {
    kind: 'drop',
    sourceIds: dropped,
    reason: 'old',
    tokensBefore: 0,
    tokensAfter: 0,
  };
  const record = recordWith('k1', [drop], []);

  function compacted(): Transcript {
    return append(transcriptOf(entriesOf(history)), { type: 'compaction', record });
  }

  function restored(transcript: Transcript, ids: readonly string[]): Transcript {
    return ids.reduce(
      (grown, id) =>
        append(grown, { type: 'restore', createdAt: '', messageIds: restoredTogether(grown, id) }),
      transcript,
    );
  }

  describe('restoring lost facts', () => {
    let meter: UsageMeter;
    let diff: RecordDiff;
    beforeAll(async () => {
      meter = await createMeter();
      diff = new RecordDiff(record, history, {
        meterOf: () => meter,
        user,
        describeCall,
        wording: englishWording,
      });
    });
    const plan = (transcript: Transcript) => planBringBack(transcript, diff, meter, pause);

    it('restores the fewest messages that contain the facts', async () => {
      const { messages, missing, unreachable } = await plan(compacted());
      // `a3` contains `npm ci`, so `a1` is not needed.
      expect(messages.map(({ message }) => message.id)).toEqual(['u1', 'a2', 'a3']);
      expect(missing).toBe(5);
      expect(unreachable).toEqual([]);
    });

    it('lists the facts in each message', async () => {
      const { messages } = await plan(compacted());
      expect(messages.map(({ facts }) => facts.toSorted())).toEqual([
        ['Always use tabs.'],
        ['git push'],
        ['npm ci', 'src/a.ts', 'src/b.ts'],
      ]);
    });

    it('adds the announced number of tokens', async () => {
      const transcript = compacted();
      const { messages, addedTokens } = await plan(transcript);
      const after = restored(
        transcript,
        messages.map(({ message }) => message.id),
      );
      const [one, other] = await Promise.all([meter.measure(transcript.view), meter.measure(after.view)]);
      expect(addedTokens).toBe(other.total - one.total);
      expect(addedTokens).toBeGreaterThan(0);
    });

    it('leaves no facts missing', async () => {
      const transcript = compacted();
      const { messages } = await plan(transcript);
      const after = restored(
        transcript,
        messages.map(({ message }) => message.id),
      );
      expect(await plan(after)).toEqual({ messages: [], missing: 0, unreachable: [], addedTokens: 0 });
    });

    it('does not restore facts that another message now contains', async () => {
      const again = append(compacted(), {
        type: 'message',
        message: called('a9', ['c9', 'read_file', { path: 'src/a.ts' }]),
      });
      const { missing } = await plan(again);
      expect(missing).toBe(4);
    });
  });

  describe('the names of lost facts', () => {
    it('are complete, and name messages by their texts', () => {
      expect(missingNames({ record, before: history })).toEqual({
        files: ['src/a.ts', 'src/b.ts'],
        commands: ['git push', 'npm ci'],
        errors: [],
        identifiers: [],
        userMessages: ['Always use tabs.'],
      });
    });

    it('include the names that do not fit in a record', () => {
      const calls = Array.from({ length: 80 }, (_, index) =>
        called(`x${index}`, [`c${index}`, 'read_file', { path: `src/${index}.ts` }]),
      );
      const all = { ...drop, sourceIds: calls.map(({ id }) => id) };
      const { files } = missingNames({ record: recordWith('k1', [all], []), before: calls });
      expect(files).toHaveLength(80);
    });

    it('exclude facts that the compaction wrote itself', () => {
      const summary: Message = { ...typed('k1.1', 'src/a.ts was read, and npm\nci ran'), kind: 'summary' };
      const summarise: RecordedAction = { ...drop, kind: 'summarise', outputId: 'k1.1' };
      const names = missingNames({ record: recordWith('k1', [summarise], [summary]), before: history });
      expect(names.files).toEqual(['src/b.ts']);
      expect(names.commands).toEqual(['git push']);
    });
  });
});
