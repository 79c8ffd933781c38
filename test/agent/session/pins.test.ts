import { describe, expect, it } from 'vitest';
import { lastSaid, pinSentence, setPinned } from '../../../src/agent/session/pins.ts';
import type { CompactionPorts } from '../../../src/compaction/service/compact.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { CompactionService } from '../../../src/compaction/service/service.ts';
import type { CompactionHost } from '../../../src/compaction/service/service-ports.ts';
import { draftPlan, type PlannedAction } from '../../../src/compaction/records/plan.ts';
import { append, transcriptOf, type Transcript } from '../../../src/compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import { called, entriesOf, result, said, system, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const now = '2026-01-01T00:00:00.000Z';

class HostInMemory implements CompactionHost {
  transcript: Transcript;
  readonly tools = [];

  constructor(entries: readonly TranscriptEntry[]) {
    this.transcript = transcriptOf(entries);
  }

  append(entry: TranscriptEntry): Promise<void> {
    this.transcript = append(this.transcript, entry);
    return Promise.resolve();
  }
}

const messages = [system('m1', 'rules'), typed('m2', 'go'), said('m3', 'done')];

const pin = (host: CompactionHost, ids: readonly string[], pinned: boolean) =>
  setPinned(host, ids, pinned, now, (id) => serviceOf(host).restore(id));

/** Restoring needs no ports of compacting. */
function serviceOf(host: CompactionHost): CompactionService {
  const ports = { clock: { now: () => Date.parse(now) } };
  return new CompactionService(host, ports as CompactionPorts, () => {
    throw new Error('not asked for');
  });
}

describe('setPinned', () => {
  it('pins and unpins', async () => {
    const host = new HostInMemory(entriesOf(messages));
    expect(await pin(host, ['m2', 'm3'], true)).toEqual({ changed: ['m2', 'm3'], restored: [], unsent: [] });
    expect(host.transcript.pins).toEqual(new Set(['m2', 'm3']));
    expect(await pin(host, ['m2'], false)).toMatchObject({ changed: ['m2'] });
    expect(host.transcript.pins).toEqual(new Set(['m3']));
  });

  it('records only changes', async () => {
    const host = new HostInMemory(entriesOf(messages));
    await pin(host, ['m2'], true);
    expect(await pin(host, ['m2', 'm3', 'm3'], true)).toMatchObject({ changed: ['m3'] });
    expect(await pin(host, ['m1'], false)).toMatchObject({ changed: [] });
    expect(host.transcript.entries.slice(messages.length)).toEqual([
      { type: 'pin', createdAt: now, messageIds: ['m2'], pinned: true },
      { type: 'pin', createdAt: now, messageIds: ['m3'], pinned: true },
    ]);
  });

  it.each(['m9', 'c1'])('refuses %s, which is not a message, and pins nothing', async (id) => {
    const host = new HostInMemory([
      ...entriesOf(messages),
      { type: 'compaction', record: recordWith('c1', [], []) },
    ]);
    await expect(pin(host, ['m2', id], true)).rejects.toThrow(`The transcript has no message ${id}.`);
    expect(host.transcript.pins.size).toBe(0);
  });

  describe('on a message that a compaction changed', () => {
    const talk = [
      typed('m1', 'go'),
      called('m2', ['a', 'read_file'], ['b', 'read_file']),
      result('m3', 'a', 'the port is 48213'),
      result('m4', 'b', 'nothing'),
      said('m5', 'done'),
      typed('m6', 'thanks'),
    ];
    /** A session after these compactions, one after the other. */
    const after = (...plans: readonly (readonly PlannedAction[])[]) => {
      let transcript = transcriptOf(entriesOf(talk));
      for (const [index, actions] of plans.entries()) {
        const stamp = { recordId: `c${index + 1}`, createdAt: now };
        const drafted = draftPlan(transcript.view, { actions }, stamp);
        const counted = drafted.actions.map((action) => ({ ...action, tokensBefore: 0, tokensAfter: 0 }));
        const record = recordWith(stamp.recordId, counted, drafted.outputs);
        transcript = append(transcript, { type: 'compaction', record });
      }
      return new HostInMemory(transcript.entries);
    };
    const hide = (id: string): PlannedAction => {
      return { kind: 'hide', id, placeholder: '[hidden]', originalTokens: 9, reason: 'old' };
    };
    const gone = (ids: readonly string[]): PlannedAction => {
      return { kind: 'summarise', ids, text: 'so far', reason: 'old' };
    };
    const shown = ({ transcript }: HostInMemory) => transcript.view.map(({ id }) => id);

    it('restores hidden text', async () => {
      const host = after([hide('m3'), hide('m4')]);
      expect(await pin(host, ['m3'], true)).toEqual({ changed: ['m3'], restored: ['m3'], unsent: [] });
      expect(host.transcript.view.slice(2, 4).map(({ content }) => content)).toEqual([
        'the port is 48213',
        '[hidden]',
      ]);
    });

    it('restores a summarised or dropped message, with its exchange', async () => {
      for (const out of [
        gone(['m2', 'm3', 'm4', 'm5']),
        { kind: 'drop', ids: ['m2', 'm3', 'm4'], reason: 'old' },
      ]) {
        const host = after([hide('m3')], [out as PlannedAction]);
        expect(await pin(host, ['m4', 'm3'], true)).toMatchObject({ restored: ['m2', 'm3', 'm4'] });
        expect(shown(host)).toEqual(expect.arrayContaining(['m1', 'm2', 'm3', 'm4', 'm6']));
        expect(host.transcript.view).toContain(talk[2]);
      }
    });

    it('restores a message that was pinned before and is still hidden', async () => {
      const host = after([hide('m3')]);
      await host.append({ type: 'pin', createdAt: now, messageIds: ['m3'], pinned: true });
      expect(await pin(host, ['m3'], true)).toMatchObject({ changed: [], restored: ['m3'] });
    });

    it('keeps an unpinned message hidden', async () => {
      const host = after([hide('m3')]);
      await host.append({ type: 'pin', createdAt: now, messageIds: ['m3'], pinned: true });
      expect(await pin(host, ['m3'], false)).toMatchObject({ changed: ['m3'], restored: [] });
      expect(host.transcript.view[2]?.content).toBe('[hidden]');
    });

    it('reports that a message is never sent', async () => {
      const host = new HostInMemory(entriesOf([...talk, result('m7', 'z', 'of no call')]));
      expect(await pin(host, ['m7'], true)).toEqual({ changed: ['m7'], restored: [], unsent: ['m7'] });
      expect(host.transcript.entries.at(-1)?.type).toBe('pin');
    });
  });
});

describe('the sentence about a pin', () => {
  const outcome = { changed: ['m1'], restored: [], unsent: [] };

  it('is shown if pinning had further effects, or changed nothing', () => {
    expect(pinSentence(outcome)).toBeUndefined();
    expect(pinSentence({ ...outcome, changed: [] })?.english).toContain('already');
    expect(pinSentence({ ...outcome, unsent: ['m1'] })?.english).toContain('never sent');
    expect(pinSentence({ ...outcome, restored: ['m1'] })?.english).toContain('back in context in full.');
    const withOne = pinSentence({ ...outcome, restored: ['m1', 'm2'] });
    expect(withOne?.english).toContain('with 1 other message of its exchange');
    const withTwo = pinSentence({ ...outcome, restored: ['m1', 'm2', 'm3'] });
    expect(withTwo?.english).toContain('with 2 other messages of its exchange');
  });
});

describe('the last statement in a chat', () => {
  const lastOf = (...more: readonly Message[]) => lastSaid(transcriptOf(entriesOf([...messages, ...more])));

  it('is an answer, or a message that the user typed', () => {
    expect(lastOf()).toBe('m3');
    expect(lastOf(typed('m4', 'and now?'))).toBe('m4');
  });

  it('is neither a call without text nor a result', () => {
    expect(lastOf(called('m4', ['a', 'read_file']), result('m5', 'a', 'text'))).toBe('m3');
  });

  it('is absent in a chat without answers and typed messages', () => {
    expect(lastSaid(transcriptOf(entriesOf([system('m1', 'rules')])))).toBeUndefined();
  });
});
