import { describe, expect, it } from 'vitest';
import {
  diff,
  inspectorSnapshot,
  ladder,
  masking,
  subAgentSnapshot,
  usage,
} from '../support/inspector-fixtures.ts';
import { triggerRange } from '../support/tab-fixtures.ts';
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

async function showHeader(): Promise<InspectorView> {
  const view = await suite.open({ width: 1200 });
  await view.notify(inspectorSnapshot());
  return view;
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
});

describe('the header of the inspector', () => {
  it('shows the title, the model, the strategy, the fill and the trigger in one line', async () => {
    const view = await showHeader();
    await view.page.getByRole('heading', { level: 1, name: 'Fix the flaky session-store test' }).waitFor();
    await eventually(async () => (await view.page.locator('header').innerText()).split(/\s*\n\s*/)).toEqual([
      'Fix the flaky session-store test',
      'gpt-5-mini',
      '· Ladder',
      '65% of 128k',
      'compacts at 109k',
    ]);
  });

  it('names the agent of an opened session, and its tokens if the window is unknown', async () => {
    const view = await suite.open({ width: 1200 });
    const changes = { window: undefined, trigger: undefined, target: undefined };
    await view.notify(subAgentSnapshot({ agent: 'Codex', model: '', usage: { ...usage, ...changes } }));
    await eventually(() => view.page.locator('.header-facts').innerText()).toBe('Codex');
    await eventually(() => view.page.locator('.header-fill').innerText()).toBe('83k tokens');
  });

  it('opens the choice of a strategy', async () => {
    const view = await showHeader();
    await view.page.getByRole('button', { name: 'Strategy: Ladder' }).click();
    await view.expectPost({ type: 'select-strategy' });
  });

  it('compacts from its menu', async () => {
    const view = await showHeader();
    await view.page.getByRole('button', { name: 'More actions' }).click();
    await view.page.getByRole('menuitem', { name: 'Compact now' }).click();
    await view.expectPost({ type: 'compact' });
  });

  it('does not offer a second compaction while one is running', async () => {
    const view = await suite.open({ width: 1200 });
    await view.notify(inspectorSnapshot({ isCompacting: true }));
    await view.page.getByRole('button', { name: 'More actions' }).click();
    await view.page.getByRole('menuitem', { name: 'Select strategy…' }).waitFor();
    expect(await view.page.getByRole('menuitem', { name: 'Compact now' }).count()).toBe(0);
  });
});
