import { describe, expect, it } from 'vitest';
import type { PlanStepView } from '../../../src/protocol/chat-rows.ts';
import { plan } from '../support/action-fixtures.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();

async function show(steps: readonly PlanStepView[]): Promise<ChatView> {
  const view = await suite.open();
  await view.notify(snapshot({ plan: steps }));
  return view;
}

describe('the plan', () => {
  it('is one line above the meter, with the progress and the current step', async () => {
    const view = await show(plan);
    const line = view.page.getByRole('button', { name: 'Plan 2/4 · Add a test that opens the store twice' });
    const [box, meter] = await Promise.all([line.boundingBox(), view.page.locator('.meter').boundingBox()]);
    expect(box!.height).toBeLessThan(24);
    expect(box!.y + box!.height).toBeLessThanOrEqual(meter!.y);
  });

  it('expands to the steps with their states, and marks the current step', async () => {
    const view = await show(plan);
    await view.page.getByRole('button', { name: /^Plan/ }).click();
    const steps = view.page.getByRole('list', { name: 'Plan' }).getByRole('listitem');
    expect(
      (await steps.allInnerTexts()).map((step) =>
        step
          .trim()
          .split(/\s*\n\s*/)
          .at(-1),
      ),
    ).toEqual(['done', 'done', 'now', 'to do']);
    await eventually(() => steps.and(view.page.locator('[aria-current="step"]')).innerText()).toContain(
      'Add a test that opens the store twice',
    );
  });

  it('stays expanded when the view is hidden and shown again', async () => {
    const view = await show(plan);
    await view.page.getByRole('button', { name: /^Plan/ }).click();
    await view.page.reload();
    await view.notify(snapshot({ plan }));
    await view.page.getByRole('list', { name: 'Plan' }).waitFor();
  });

  it('is updated as the agent works', async () => {
    const view = await show(plan);
    const done = plan.map((step) => ({ ...step, status: 'done' }) as const);
    const changes = [{ type: 'state', state: { plan: done } }] as const;
    await view.notify({ type: 'changes', revision: 2, changes });
    await eventually(() => view.page.getByRole('button', { name: /^Plan/ }).innerText()).toBe('Plan 4/4');
  });

  it('takes no room if there is no plan', async () => {
    const view = await show([]);
    await view.page.getByRole('textbox').waitFor();
    expect(await view.page.locator('.plan').isVisible()).toBe(false);
  });
});
