import { describe, expect, it } from 'vitest';
import { diff, inspectorSnapshot, ladder, masking, usage } from '../support/inspector-fixtures.ts';
import { budgetAnswer, triggerRange } from '../support/tab-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView, type OpenOptions } from '../support/view.ts';

const suite = inspectorSuite();
async function show(options: OpenOptions): Promise<InspectorView> {
  const view = await suite.open(options);
  await view.notify(
    inspectorSnapshot({ usage: { ...usage, triggerRange, background: 89_600 }, records: [ladder, masking] }),
  );
  await view.notify(diff());
  await view.page.locator('.diff-row').first().waitFor();
  return view;
}

/** Of the numbers above the tabs, in pixels. */
async function heightOfNumbers({ page }: InspectorView): Promise<number> {
  return (await page.locator('.usage').boundingBox())!.height;
}

describe('the inspector at a glance', () => {
  it('shows the first changed message of a diff on a small screen without scrolling', async () => {
    const { page } = await show({ width: 1280, height: 720 });
    const changed = page.locator('.diff-row:not(.is-keep)').first();
    const { y, height } = (await changed.locator('.cell').first().boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(720);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  it.each(['Timeline', 'Compactions', 'What if', 'Facts', 'Window'])(
    'shows the session, its fill and the trigger in one line above the tab %s',
    async (name) => {
      const view = await show({ width: 1280, height: 720 });
      await view.page.getByRole('tab', { name }).click();
      expect((await view.page.locator('header').boundingBox())!.height).toBeLessThan(32);
    },
  );

  it('shows all numbers on a very narrow page in an area that scrolls', async () => {
    const view = await show({ width: 170 });
    const { page } = view;
    await page.getByRole('tab', { name: 'Window' }).click();
    const table = page.getByRole('table', { name: 'Tokens in use' });
    expect(await table.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'All numbers', expanded: false }).click();
    await table.waitFor();
    await page.getByRole('button', { name: 'All numbers', expanded: true }).waitFor();
    expect(await heightOfNumbers(view)).toBeLessThanOrEqual(250);
    expect(await view.overflow()).toBe(0);
    const details = page.locator('.usage-details');
    await details.focus();
    await page.keyboard.press('End');
    await eventually(() => details.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  });

  it('explains the share of a group in words', async () => {
    const view = await show({ width: 1280, height: 720 });
    await view.page.getByRole('tab', { name: 'Window' }).click();
    await view.notify(budgetAnswer());
    await view.page
      .getByText(/^\d+% of its 45% share$/)
      .first()
      .waitFor();
    await view.page.getByText('A share is the part of the window meant for a group').waitFor();
  });
});
