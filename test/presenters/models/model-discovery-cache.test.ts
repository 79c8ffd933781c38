import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Discovery } from '../../../src/agent/providers/discovered-models.ts';
import type { DiscoveryProblem } from '../../../src/agent/providers/discovery.ts';
import {
  ModelDiscoveryCache,
  type DiscoveryRequest,
} from '../../../src/presenters/models/model-discovery-cache.ts';

const problem: DiscoveryProblem = { problem: 'timeout', message: 'Too slow.' };
const minute = 60_000;

/** Discovered models under a clock of the test, with given answers. */
function scene({ canChange = false } = {}) {
  const state = { now: 0, changes: 0, asked: 0 };
  let said: () => Promise<Discovery | DiscoveryProblem> = () => Promise.resolve({ models: [] });
  const found = new ModelDiscoveryCache(
    () => (state.changes += 1),
    () => state.now,
  );
  const question: DiscoveryRequest = {
    key: 'a',
    canChange,
    ask: () => {
      state.asked += 1;
      return said();
    },
  };
  const answer = (next: Partial<Discovery> | DiscoveryProblem) => {
    said = () => Promise.resolve('problem' in next ? next : { models: [], ...next });
  };
  return { state, found, question, answer, fail: (error: Error) => (said = () => Promise.reject(error)) };
}

describe('a discovered fact', () => {
  it('is requested and reported once', async () => {
    const { state, found, question, answer } = scene();
    answer({ window: 4_096 });
    await Promise.all([found.ensure(question), found.ensure(question)]);
    await found.ensure(question);
    expect(found.find('a')?.window).toBe(4_096);
    expect(state).toMatchObject({ asked: 1, changes: 1 });
  });

  it('is requested again while the server has not decided', async () => {
    const { state, found, question, answer } = scene();
    answer({ isUnsettled: true });
    await found.ensure(question);
    answer({ window: 4_096 });
    await found.ensure(question);
    expect(found.find('a')?.window).toBe(4_096);
    expect(state.asked).toBe(2);
  });

  it('is requested again after a while if it can change', async () => {
    const { state, found, question, answer } = scene({ canChange: true });
    answer({ window: 4_096 });
    await found.ensure(question);
    answer({ window: 8_192 });
    state.now = minute - 1;
    await found.ensure(question);
    expect(state.asked).toBe(1);
    state.now = minute;
    await found.ensure(question);
    await settled();
    expect(found.find('a')?.window).toBe(8_192);
  });

  it('is never requested again if it cannot change', async () => {
    const { state, found, question, answer } = scene();
    answer({ window: 4_096 });
    await found.ensure(question);
    state.now = 100 * minute;
    await found.ensure(question);
    await found.retry(question);
    expect(state.asked).toBe(1);
  });

  it('is not requested again soon after a failure, unless something changed', async () => {
    const { state, found, question, answer } = scene();
    answer(problem);
    await found.ensure(question);
    await found.ensure(question);
    expect(state.asked).toBe(1);
    answer({ window: 4_096 });
    await found.retry(question);
    expect(found.find('a')?.window).toBe(4_096);
    expect(found.problemOf('a')).toBeUndefined();
  });

  it('is kept after a failure and while the model is not loaded', async () => {
    const { state, found, question, answer } = scene({ canChange: true });
    answer({ window: 4_096 });
    await found.ensure(question);
    let asked = 1;
    for (const next of [problem, { isUnsettled: true }]) {
      answer(next);
      state.now += minute;
      await found.ensure(question);
      await settled();
      expect(state.asked).toBe((asked += 1));
      expect(found.find('a')?.window).toBe(4_096);
    }
  });

  it('is reported as a problem if the request throws', async () => {
    const { found, question, fail } = scene();
    fail(new Error('No secrets.'));
    await found.ensure(question);
    expect(found.problemOf('a')?.message).toBe('No secrets.');
  });
});
