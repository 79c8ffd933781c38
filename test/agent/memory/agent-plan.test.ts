import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AgentPlan,
  finishedSteps,
  newestPlan,
  PlanKeeper,
  planMessage,
  planStep,
  stepStatuses,
} from '../../../src/agent/memory/agent-plan.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { append, emptyTranscript } from '../../../src/compaction/transcript/transcript.ts';
import { memory, typed } from '../../support/messages.ts';

describe('plans as messages', () => {
  const said = (id: string, plan: AgentPlan): Message => ({
    ...planMessage(plan),
    id,
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  const plans = fc.array(
    fc
      .tuple(
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('- [x] a\n- [ ] b')),
        fc.constantFrom(...stepStatuses),
      )
      .map(([text, status]) => planStep(text, status)),
    { maxLength: 30 },
  );

  describe('a plan as a message', () => {
    it('is a checklist', () => {
      const plan = [
        planStep('read', 'done'),
        planStep('write\n it', 'in_progress'),
        planStep('test', 'pending'),
      ];
      expect(planMessage(plan)).toEqual({
        role: 'user',
        origin: 'harness',
        kind: 'memory',
        source: 'plan',
        content:
          '[The plan of the agent. The newest one counts. It is no request.]\n- [x] read\n- [~] write it\n- [ ] test',
      });
    });

    it('is read back exactly, whatever the text of its steps', () => {
      fc.assert(
        fc.property(plans, (plan) => {
          expect(newestPlan([said('m1', plan)])).toEqual(plan);
        }),
      );
    });

    it('is read from the newest message with a plan, not from similar messages', () => {
      const [old, newest] = [[planStep('old', 'pending')], [planStep('new', 'done')]];
      const others = [typed('m3', '- [ ] mine'), memory('m4', '- [ ] theirs')];
      expect(newestPlan([said('m1', old), said('m2', newest), ...others])).toEqual(newest);
      expect(newestPlan(others)).toBeUndefined();
    });
  });

  describe('finished steps', () => {
    it('are steps that are done now but were not before', () => {
      const before = [planStep('a', 'done'), planStep('b', 'in_progress'), planStep('c', 'pending')];
      const now = [
        planStep('a', 'done'),
        planStep('b', 'done'),
        planStep('d', 'done'),
        planStep('c', 'pending'),
      ];
      expect(finishedSteps(before, now)).toBe(2);
      expect(finishedSteps(now, now)).toBe(0);
    });
  });
});

describe('PlanKeeper', () => {
  /** A keeper, and a transcript to which its messages are appended. */
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
    it('is sent only once after it is set', async () => {
      const { journal, keeper, say } = start();
      keeper.set([planStep('a', 'pending')]);
      await say();
      await say();
      expect(journal.transcript.view).toHaveLength(1);
      expect(newestPlan(journal.transcript.view)).toEqual([planStep('a', 'pending')]);
    });

    it('is not sent again if the same plan is set again', async () => {
      const { journal, keeper, say } = start();
      for (let time = 0; time < 2; time++) {
        keeper.set([planStep('a', 'pending')]);
        await say();
      }
      expect(journal.transcript.view).toHaveLength(1);
    });

    it('reports finished steps, also from an earlier call of the same batch', async () => {
      const { keeper, say } = start();
      keeper.set([planStep('a', 'pending'), planStep('b', 'pending')]);
      expect(await say()).toEqual({ hasFinishedStep: false });
      expect(keeper.set([planStep('a', 'done'), planStep('b', 'pending')])).toEqual({ finishedSteps: 1 });
      expect(keeper.set([planStep('a', 'done'), planStep('b', 'in_progress')])).toEqual({ finishedSteps: 0 });
      expect(await say()).toEqual({ hasFinishedStep: true });
      expect(await say()).toEqual({ hasFinishedStep: false });
    });
  });
});
