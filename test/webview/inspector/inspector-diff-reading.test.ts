import { describe, expect, it } from 'vitest';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import { soak } from '../../support/soak.ts';
import { diff, diffRows, inspectorSnapshot, message } from '../support/inspector-fixtures.ts';
import { focusedName, showDiff, texts } from '../support/show-diff.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();
const show = (rows?: readonly DiffRowView[]) => showDiff(suite, rows);

describe('the filters of the diff', () => {
  const shown = (view: InspectorView) =>
    view.page
      .locator('.diff-row:not([hidden])')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.classList].find((name) => name.startsWith('is-'))!.slice(3)),
      );

  it('count messages by their fate', async () => {
    const view = await show();
    const chips = view.page.getByRole('group', { name: 'Show' }).getByRole('button');
    await eventually(() => chips.allInnerTexts()).toEqual([
      'All 83',
      'Kept 61',
      'Hidden 1',
      'Clipped 1',
      'Offloaded 1',
      'Summarised 18 → 1',
      'Dropped 1',
      'Inserted 1',
    ]);
  });

  it('show one fate at a time, or all fates again', async () => {
    const view = await show();
    const hidden = view.page.getByRole('button', { name: 'Hidden 1' });
    await hidden.click();
    expect(await shown(view)).toEqual(['hide']);
    expect(await hidden.getAttribute('aria-pressed')).toBe('true');
    await view.page.getByRole('button', { name: 'All 83' }).click();
    expect(await shown(view)).toHaveLength(diffRows.length);
  });

  it('can show only one kind of message', async () => {
    const view = await show();
    await view.page.getByRole('combobox', { name: 'Kind' }).click();
    await view.page.getByRole('option', { name: 'Tool calls' }).click();
    await eventually(() => shown(view)).toEqual(['summarise', 'clip', 'keep']);
  });

  it('survive a reload of the page', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: 'Clipped 1' }).click();
    await view.page.reload();
    await view.notify(inspectorSnapshot());
    await view.notify(diff());
    await eventually(() => shown(view)).toEqual(['clip']);
  });

  it('state that nothing matches', async () => {
    const view = await show();
    await view.page.getByRole('combobox', { name: 'Kind' }).click();
    await view.page.getByRole('option', { name: 'Reminders' }).click();
    await view.page.getByRole('button', { name: 'Hidden 1' }).click();
    await view.page.getByText('No matching messages.').waitFor();
  });
});

describe('with the keyboard alone', () => {
  const focused = focusedName;

  it('the diff is one tab stop, and arrow keys move between its rows', async () => {
    const view = await show();
    expect(await view.page.locator('.diff-rows [data-stop][tabindex="0"]').count()).toBe(1);
    await view.page.locator('.diff-rows [data-stop][tabindex="0"]').focus();
    expect(await focused(view)).toMatch(/^3 messages kept/);
    await view.page.keyboard.press('ArrowDown');
    expect(await focused(view)).toMatch(/^Assistant summarised/);
    await view.page.keyboard.press('End');
    expect(await focused(view)).toMatch(/^50 messages kept/);
    await view.page.keyboard.press('ArrowUp');
    expect(await focused(view)).toMatch(/^Ledger/);
    await view.page.keyboard.press('Home');
    expect(await focused(view)).toMatch(/^3 messages kept/);
  });

  it('a row expands, its actions can be reached, and the arrow keys continue from that row', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^edit_file/ }).focus();
    await view.page.keyboard.press('Enter');
    await view.notify(texts('m76', 'a b c', 'a c'));
    await view.page.getByRole('button', { name: 'Restore this message' }).waitFor();
    const reached: string[] = [];
    for (let presses = 0; presses < 5; presses++) {
      await view.page.keyboard.press('Tab');
      reached.push(await focused(view));
    }
    expect(reached.slice(-3)).toEqual(['Restore this message', 'Pin', 'Open in diff editor']);
    await view.page.getByRole('button', { name: /^edit_file/ }).focus();
    await view.page.keyboard.press('ArrowDown');
    expect(await focused(view)).toMatch(/^Reminder 40 tokens .* dropped/);
  });

  it('rows that the filter hides are skipped', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: 'Kept 61' }).click();
    await view.page.locator('.diff-rows [data-stop][tabindex="0"]').focus();
    await view.page.keyboard.press('ArrowDown');
    expect(await focused(view)).toMatch(/^8 messages kept/);
  });

  it('everything is reached in reading order', async () => {
    const view = await show();
    const reached: string[] = [];
    for (let presses = 0; presses < 30; presses++) {
      await view.page.keyboard.press('Tab');
      reached.push(await focused(view));
    }
    const order = [
      'Strategy: Ladder',
      'More actions',
      'Compactions',
      'commands, 2 missing',
      'Bring back missing facts',
      'Re-run with…',
      'Undo',
      'Export as HTML',
      'All 83',
      'Inserted 1',
      'Kind',
      'Tool',
      'File',
      'Search both sides',
      'Next change',
      '3 messages kept',
    ];
    const places = order.map((name) => reached.findIndex((label) => label.startsWith(name)));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places.every((place) => place >= 0)).toBe(true);
  });
});

describe('a long diff', () => {
  const many: readonly DiffRowView[] = Array.from({ length: soak(600, 2_000) }, (_, index) => ({
    ...diffRows[4]!,
    index,
    sources: [message({ id: `m${index}`, label: `file-${index}.ts`, tokens: 500 })],
  }));

  const last = `file-${many.length - 1}.ts`;

  /** Rows are drawn when the page has nothing else to do, which is soon or not, as the machine has time. */
  async function showMany(): Promise<InspectorView> {
    const view = await show(many);
    const isDrawn = (count: number) => document.querySelectorAll('.diff-row').length === count;
    await view.page.waitForFunction(isDrawn, many.length, { polling: 200 });
    return view;
  }

  it('keeps its rows when the state changes or the same diff arrives again', async () => {
    const view = await showMany();
    await view.page.evaluate(() => {
      const changes: string[] = [];
      new MutationObserver((records) => {
        for (const { target } of records) changes.push(target.nodeName);
      }).observe(document.querySelector('.diff-rows')!, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
      Object.assign(window, { changes, rows: [...document.querySelectorAll('.diff-row')] });
    });
    await view.notify(inspectorSnapshot({ title: 'Another title' }, 2));
    await view.page.getByRole('heading', { name: 'Another title' }).waitFor();
    await view.notify(diff('r3', structuredClone(many)));
    const result = await view.page.evaluate(() => {
      const { changes, rows } = window as unknown as { changes: string[]; rows: Element[] };
      const now = [...document.querySelectorAll('.diff-row')];
      return { changes, isSame: now.every((row, index) => row === rows[index]) };
    });
    expect(result).toEqual({ changes: [], isSame: true });
  });

  it('redraws only the row that changed', async () => {
    const view = await showMany();
    await view.page.evaluate(() =>
      Object.assign(window, { cells: [...document.querySelectorAll('.diff-row > *')] }),
    );
    const changed = many.map((row) =>
      row.index === 7
        ? { ...row, sources: row.sources.map((source) => ({ ...source, isRestored: true })) }
        : row,
    );
    await view.notify(diff('r3', changed));
    await view.page.getByText('restored').waitFor();
    const kept = await view.page.evaluate(() => {
      const before = new Set(Reflect.get(window, 'cells') as Element[]);
      return [...document.querySelectorAll('.diff-row')].filter((row) => before.has(row.firstElementChild!))
        .length;
    });
    expect(kept).toBe(many.length - 1);
  });

  /** A diff that draws only what is visible or requested. */
  async function showUndrawn(): Promise<InspectorView> {
    const view = await suite.open({ width: 1200 });
    await view.notify(inspectorSnapshot());
    await view.page.evaluate(() => {
      scheduler.postTask = () => new Promise(() => {});
    });
    await view.notify(diff('r3', many));
    await view.page.locator('.diff-row').first().waitFor();
    expect(await view.page.locator('.diff-row').count()).toBeLessThan(many.length);
    return view;
  }

  it('draws the first 25 rows immediately', async () => {
    const view = await suite.open({ width: 1200 });
    await view.notify(inspectorSnapshot());
    await view.page.locator('.diff').waitFor();
    const drawn = await view.page.evaluate(
      (data) => {
        window.dispatchEvent(new MessageEvent('message', { data }));
        return document.querySelectorAll('.diff-row').length;
      },
      diff('r3', many) as unknown,
    );
    expect(drawn).toBe(25);
  });

  it.each(['End', 'Shift+F7'])(
    'can be navigated by keyboard, even through rows that are not drawn: %s',
    async (key) => {
      const view = await showUndrawn();
      await view.page.locator('.diff-rows [data-stop][tabindex="0"]').focus();
      await view.page.keyboard.press(key);
      expect(await view.page.evaluate(() => document.activeElement?.textContent)).toContain(last);
    },
  );

  it('can be searched, even in rows that are not drawn', async () => {
    const view = await showUndrawn();
    await view.page.getByRole('searchbox', { name: 'Search both sides' }).fill('needle');
    await view.expectPost({ type: 'search-diff', recordId: 'r3', query: 'needle' });
    const excerpt = { before: '', match: 'needle', after: '' };
    await view.notify({
      type: 'diff-matches',
      recordId: 'r3',
      query: 'needle',
      matches: [{ index: 500, messageId: 'm500', side: 'before', count: 1, excerpt }],
      total: 1,
    });
    await view.page.getByRole('searchbox').press('Enter');
    await view.expectPost({ type: 'texts', recordId: 'r3', messageId: 'm500' });
  });

  it('draws rows when they are scrolled near the window', async () => {
    const view = await showUndrawn();
    await view.page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await view.page.getByText(last).waitFor();
  });

  it('lets the browser skip rows outside the window', async () => {
    const view = await showMany();
    const skipped = await view.page
      .locator('.diff-row')
      .last()
      .evaluate((row) => getComputedStyle(row).contentVisibility);
    expect(skipped).toBe('auto');
  });
});
