import { describe, expect, it } from 'vitest';
import { PlanKeeper } from '../../../src/agent/plan/plan-keeper.ts';
import { planIn, planStep } from '../../../src/agent/plan/plan.ts';
import type { Message } from '../../../src/compaction/message.ts';
import { append, emptyTranscript } from '../../../src/compaction/transcript.ts';

/** A keeper beside a transcript that grows with what it says. */
function start() {
  const journal = { transcript: emptyTranscript };
  const keeper = new PlanKeeper(journal);
  const say = () =>
    keeper.say((message: Omit<Message, 'id' | 'createdAt'>) => {
      const id = `m${journal.transcript.entries.length + 1}`;
      const whole = { ...message, id, createdAt: '2026-01-01T00:00:00.000Z' };
      journal.transcript = append(journal.transcript, { type: 'message', message: whole });
      return Promise.resolve();
    });
  return { journal, keeper, say };
}

describe('a plan', () => {
  it('is said once after it was set', async () => {
    const { journal, keeper, say } = start();
    keeper.set([planStep('a', 'pending')]);
    await say();
    await say();
    expect(journal.transcript.view).toHaveLength(1);
    expect(planIn(journal.transcript.view)).toEqual([planStep('a', 'pending')]);
  });

  it('is not said again where nothing in it changed', async () => {
    const { journal, keeper, say } = start();
    for (let time = 0; time < 2; time++) {
      keeper.set([planStep('a', 'pending')]);
      await say();
    }
    expect(journal.transcript.view).toHaveLength(1);
  });

  it('tells of steps that were finished, also by an earlier call of the same batch', async () => {
    const { keeper, say } = start();
    keeper.set([planStep('a', 'pending'), planStep('b', 'pending')]);
    expect(await say()).toEqual({ hasFinishedStep: false });
    expect(keeper.set([planStep('a', 'done'), planStep('b', 'pending')])).toEqual({ finishedSteps: 1 });
    expect(keeper.set([planStep('a', 'done'), planStep('b', 'in_progress')])).toEqual({ finishedSteps: 0 });
    expect(await say()).toEqual({ hasFinishedStep: true });
    expect(await say()).toEqual({ hasFinishedStep: false });
  });
});
