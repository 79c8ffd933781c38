import { describe, expect, it } from 'vitest';
import { inspectorSnapshot, subAgentSnapshot } from '../support/inspector-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();
async function show(notification = inspectorSnapshot()): Promise<InspectorView> {
  const view = await suite.open({ width: 900 });
  await view.notify(notification);
  await view.page.getByRole('tablist').waitFor();
  return view;
}

const tabs = ({ page }: InspectorView) => page.getByRole('tab').allInnerTexts();
const chosen = ({ page }: InspectorView) => page.locator('[role="tab"][aria-selected="true"]').innerText();

describe('the tabs of the inspector', () => {
  it('open with the compactions, and show their number', async () => {
    const view = await show();
    expect(await chosen(view)).toBe('Compactions 3');
    await view.page.getByRole('tabpanel', { name: 'Compactions 3' }).waitFor();
  });

  it('can be navigated with the arrow keys, Home and End, around both ends', async () => {
    const view = await show();
    await view.page.getByRole('tab', { name: 'Compactions' }).focus();
    const reached: string[] = [];
    for (const key of ['Home', 'ArrowLeft', 'ArrowRight', 'ArrowRight', 'End']) {
      await view.page.keyboard.press(key);
      reached.push(await view.page.locator('[role="tab"]:focus').innerText());
    }
    expect(reached.map((name) => name.trim())).toEqual(['Window', 'Facts', 'Window', 'Timeline', 'Facts']);
    expect((await chosen(view)).trim()).toBe('Facts');
  });

  it('are a single stop for the Tab key', async () => {
    const view = await show();
    expect(await view.page.locator('[role="tab"][tabindex="0"]').count()).toBe(1);
  });

  it('show the same tab after a reload', async () => {
    const view = await show();
    await view.page.getByRole('tab', { name: 'Timeline' }).click();
    await view.page.reload();
    await view.notify(inspectorSnapshot());
    await eventually(async () => (await chosen(view)).trim()).toBe('Timeline');
  });

  it('request the content of a tab only when it is shown', async () => {
    const view = await show();
    expect(await view.posted('budget')).toEqual([]);
    await view.page.getByRole('tab', { name: 'Window' }).click();
    await view.expectPost({ type: 'budget' });
  });

  it('do not request content again before the host has answered', async () => {
    const view = await show();
    await view.page.getByRole('tab', { name: 'Window' }).click();
    await view.expectPost({ type: 'budget' });
    await view.notify(inspectorSnapshot({}, 2));
    await view.notify(inspectorSnapshot({}, 3));
    expect(await view.posted('budget')).toHaveLength(1);
  });

  it('switch to a compaction that the host selects', async () => {
    const view = await show();
    await view.page.getByRole('tab', { name: 'Facts' }).click();
    await view.notify({ type: 'select', recordId: 'r2' });
    await eventually(() => chosen(view)).toBe('Compactions 3');
    await eventually(() => view.page.locator('.record[aria-selected="true"]').innerText()).toContain(
      '101k → 64k',
    );
  });

  it('include the messages of a sub-agent, and its compactions if it has any', async () => {
    const view = await show(subAgentSnapshot());
    expect((await tabs(view)).map((name) => name.trim())).not.toContain('Compactions');
    expect(await chosen(view)).toBe('Messages 4');
  });
});
