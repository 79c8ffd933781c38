import { describe, expect, it } from 'vitest';
import { PendingCalls } from '../../src/agent/pending-calls.ts';

describe('pending calls', () => {
  it('end with the answers to their ids, in whatever order these come', async () => {
    const calls = new PendingCalls<string>();
    const sent: number[] = [];
    const first = calls.begin((id) => sent.push(id));
    const second = calls.begin((id) => sent.push(id));
    const [one = 0, two = 0] = sent;
    expect(calls.size).toBe(2);
    calls.settle({ id: two, value: 'second' });
    calls.settle({ id: one, error: 'no first' });
    await expect(second).resolves.toBe('second');
    await expect(first).rejects.toThrow('no first');
    expect(calls.size).toBe(0);
  });

  it('ignore an answer to no call, and a second one', async () => {
    const calls = new PendingCalls<string>();
    let id = 0;
    const call = calls.begin((given) => (id = given));
    calls.settle({ id: id + 1, value: 'of nobody' });
    calls.settle({ id, value: 'first' });
    calls.settle({ id, error: 'second' });
    await expect(call).resolves.toBe('first');
  });

  it('fail where they cannot be sent, and wait for nothing then', async () => {
    const calls = new PendingCalls();
    const call = calls.begin(() => {
      throw new TypeError('not plain data');
    });
    await expect(call).rejects.toThrow('not plain data');
    expect(calls.size).toBe(0);
  });

  it('fail together where nobody will answer', async () => {
    const calls = new PendingCalls();
    const both = Promise.allSettled([calls.begin(() => {}), calls.begin(() => {})]);
    calls.rejectAll(new Error('The thread ended.'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls.size).toBe(0);
  });
});
