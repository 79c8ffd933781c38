import { describe, expect, it } from 'vitest';
import type { AgentPlan } from '../../../src/agent/memory/agent-plan.ts';
import { createUpdatePlan } from '../../../src/agent/tools/update-plan.ts';
import { englishOf } from '../../../src/compaction/records/reason.ts';

const signal = new AbortController().signal;

function start(finishedSteps = 0) {
  const plans: AgentPlan[] = [];
  const tool = createUpdatePlan((plan) => {
    plans.push(plan);
    return { finishedSteps };
  });
  return { plans, tool, run: (steps: unknown) => tool.run({ steps }, signal) };
}

const step = (text: string, status = 'pending') => ({ text, status });

describe('update_plan', () => {
  it('sets the plan, each step on one line', async () => {
    const { plans, run } = start(1);
    const result = await run([step(' read\n it ', 'done'), step('write', 'in_progress')]);
    expect(plans).toEqual([[step('read it', 'done'), step('write', 'in_progress')]]);
    expect(result.content).toBe('The plan is written down. Finished now: 1. Left: 1 of 2.');
  });

  it('abandons a plan', async () => {
    const { plans, run } = start();
    expect((await run([])).content).toBe('There is no plan any more.');
    expect(plans).toEqual([[]]);
  });

  it('is described by its current step', () => {
    const { tool } = start();
    const label = tool.describe({ steps: [step('a', 'done'), step('b', 'in_progress')] });
    expect(englishOf(label)).toBe('1 of 2 done: b');
  });

  it.each([
    [Array.from({ length: 31 }, (_, index) => step(`step ${index}`)), 'at most 30 steps, not 31'],
    [[step('a', 'in_progress'), step('b', 'in_progress')], 'Only one step can be in_progress, not 2.'],
    [[step('a'), step(' \n ')], 'Step 2 has no text.'],
    [[step('x'.repeat(301))], 'Step 1 is longer than 300 characters.'],
    [[step('a'), step('a')], 'Step 2 is the same as an earlier one.'],
    [[step('a', 'finished')], '"steps[0].status" must be one of pending, in_progress, done.'],
  ])('refuses an invalid plan, and keeps the previous one', async (steps, sentence) => {
    const { plans, run } = start();
    const result = await run(steps);
    expect(result.isError).toBe(true);
    expect(result.content).toContain(sentence);
    expect(plans).toEqual([]);
  });
});
