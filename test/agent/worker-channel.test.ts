import { describe, expect, it } from 'vitest';
import { type CallHandlers, type ChannelMessage, WorkerChannel } from '../../src/agent/worker-channel.ts';
import { CancelledError } from '../../src/compaction/signals/cancellation.ts';
import { CompactionFailure } from '../../src/compaction/records/reason.ts';
import { customSentences } from '../../src/language/english/custom-english.ts';
import { SentenceError } from '../../src/language/sentence.ts';

interface Functions {
  double(value: number): number;
  wait(): Promise<string>;
  fail(): never;
}

const never = new Promise<never>(() => {});

/** Two ends, and their messages. Messages are copied, as between threads. */
function connected(handlers: Partial<CallHandlers<Functions>>) {
  const said: ChannelMessage[] = [];
  const copied = (message: ChannelMessage): ChannelMessage => {
    said.push(message);
    return structuredClone(message);
  };
  const here = new WorkerChannel<Functions, object>((message) => void there.receive(copied(message)), {});
  const there = new WorkerChannel<object, Functions>(
    (message) => void here.receive(copied(message)),
    handlers as CallHandlers<Functions>,
  );
  return { here, there, said };
}

/** An end whose counterpart sends nothing. */
function alone() {
  const sent: ChannelMessage[] = [];
  const channel = new WorkerChannel<Functions, object>((message) => sent.push(message), {});
  return { channel, sent };
}

describe('a channel to a worker', () => {
  it('matches each reply to its call, in any order', async () => {
    const { channel, sent } = alone();
    const first = channel.call('double', [1]);
    const second = channel.call('double', [2]);
    const [one, two] = sent.map(({ id }) => id);
    await channel.receive({ id: two!, value: 4 });
    await channel.receive({ id: one!, value: 2 });
    await expect(Promise.all([first, second])).resolves.toEqual([2, 4]);
  });

  it('ignores a reply without a call, and a second reply', async () => {
    const { channel, sent } = alone();
    const call = channel.call('double', [1]);
    const { id } = sent[0]!;
    await channel.receive({ id: id + 1, value: 'of nobody' });
    await channel.receive({ id, value: 2 });
    await channel.receive({ id, error: { message: 'second' } });
    await expect(call).resolves.toBe(2);
  });

  describe('brings an error to the caller', () => {
    const failing = (error: unknown) =>
      connected({
        fail: () => {
          throw error;
        },
      }).here.call('fail', []);

    it('with its message', async () => {
      await expect(failing(new TypeError('lost'))).rejects.toThrow('lost');
    });

    it('with the code of a strategy that gave no plan', async () => {
      const reason = { code: 'custom-missing', message: 'no module' };
      await expect(failing(new CompactionFailure('custom-missing', 'no module'))).rejects.toMatchObject({
        reason,
      });
    });

    it('with a sentence that can be translated', async () => {
      const sentence = customSentences.say('noFile');
      await expect(failing(new SentenceError(sentence))).rejects.toMatchObject({ sentence });
      await expect(failing(new CompactionFailure('custom-missing', sentence))).rejects.toMatchObject({
        code: 'custom-missing',
        phrase: sentence,
      });
    });
  });

  it('fails a call of an unknown function', async () => {
    await expect(connected({}).here.call('double', [1])).rejects.toThrow('no function "double"');
    await expect(connected({}).here.call('toString' as 'double', [1])).rejects.toThrow('"toString"');
  });

  it('fails a call that cannot be sent, without waiting', async () => {
    const { here } = connected({ double: (value) => value });
    await expect(here.call('double', [(() => 1) as unknown as number])).rejects.toThrow(
      'could not be cloned',
    );
    expect(here.pending).toBe(0);
  });

  it('fails a call whose value cannot be sent', async () => {
    const { here } = connected({ double: () => (() => 1) as unknown as number });
    await expect(here.call('double', [1])).rejects.toThrow('could not be cloned');
  });

  describe('stops waiting', () => {
    it('when the signal is aborted, and ignores a late reply', async () => {
      const { channel, sent } = alone();
      const stop = new AbortController();
      const call = channel.call('wait', [], { signal: stop.signal });
      stop.abort();
      await expect(call).rejects.toThrow(CancelledError);
      await channel.receive({ id: sent[0]!.id, value: 'late' });
      expect(channel.pending).toBe(0);
    });

    it('at the deadline, with the error of the caller', async () => {
      const deadline = { milliseconds: 1, error: () => new Error('too late') };
      await expect(alone().channel.call('wait', [], { deadline })).rejects.toThrow('too late');
    });
  });

  it('notifies all waiting and later callers that nobody will reply', async () => {
    const { channel } = alone();
    const both = Promise.allSettled([channel.call('wait', []), channel.call('double', [1])]);
    channel.fail(new Error('The thread ended.'));
    channel.fail(new Error('The pipe broke.'));
    expect((await both).map((call) => call.status === 'rejected' && String(call.reason))).toEqual([
      'Error: The thread ended.',
      'Error: The thread ended.',
    ]);
    await expect(channel.call('wait', [])).rejects.toThrow('The thread ended.');
    expect(channel.isOpen).toBe(false);
  });

  it('answers current calls before it closes, and only once', async () => {
    const { here, there, said } = connected({ wait: () => never });
    const call = here.call('wait', []);
    there.giveUp(new Error('exit 3'));
    there.giveUp(new Error('again'));
    await expect(call).rejects.toThrow('exit 3');
    expect(said).toHaveLength(2);
  });
});
