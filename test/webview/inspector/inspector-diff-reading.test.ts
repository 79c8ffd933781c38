import { describe, expect, it } from 'vitest';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import { soak } from '../../support/soak.ts';
import {
  allSummarySources,
  diff,
  diffRows,
  inspectorSnapshot,
  message,
} from '../support/inspector-fixtures.ts';
import { chooseFilter, focusedName, showDiff, texts } from '../support/show-diff.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();
const show = (rows?: readonly DiffRowView[]) => showDiff(suite, rows);

describe('the filters of the diff', () => {
  /** Fates of the rows that are shown. */
  const shown = (view: InspectorView) =>
    view.page
      .locator('.diff-row')
      .evaluateAll((rows) => [
        ...new Map(
          rows.map((row) => [
            row.getAttribute('data-index'),
            [...row.classList].find((name) => name.startsWith('is-'))!.slice(3),
          ]),
        ).values(),
      ]);
  const items = (view: InspectorView, group: string) =>
    view.page.getByRole('group', { name: group }).getByRole('menuitemradio');

  it('count messages by their fate', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: 'Filter', exact: true }).click();
    const texts = (await items(view, 'What happened').allInnerTexts()).map((text) =>
      text.replace(/\s+/gu, ' ').trim(),
    );
    expect(texts).toEqual([
      'Kept 61',
      'Hidden 1',
      'Clipped 1',
      'Offloaded 1',
      'Summarised 18 → 1',
      'Dropped 1',
      'Inserted 1',
    ]);
  });

  it('show one fate at a time, until they are removed', async () => {
    const view = await show();
    await chooseFilter(view, 'Hidden');
    await eventually(() => shown(view)).toEqual(['hide']);
    await view.page.getByRole('button', { name: 'Remove filter: Hidden' }).click();
    await eventually(() => shown(view)).toHaveLength(diffRows.length);
    expect(await view.page.locator('.chip').count()).toBe(0);
  });

  it('can show only one kind of message', async () => {
    const view = await show();
    await chooseFilter(view, 'Tool calls');
    await eventually(() => shown(view)).toEqual(['summarise', 'clip', 'keep']);
  });

  it('can show only messages with facts that are no longer named', async () => {
    const lossy = diffRows.map((row) => (row.index === 1 ? { ...row, lostCount: 1 } : row));
    const view = await show(lossy);
    await chooseFilter(view, 'No longer named');
    await view.expectPost({ type: 'sources', recordId: 'r3', index: 1 });
    const sources = allSummarySources.map((one) => (one.id === 'n3' ? { ...one, isLost: true } : one));
    await view.notify({ type: 'sources', recordId: 'r3', index: 1, sources });
    await eventually(() => view.page.locator('.diff-row .message').allInnerTexts()).toEqual([
      expect.stringContaining('step 3'),
    ]);
  });

  it('survive a reload of the page', async () => {
    const view = await show();
    await chooseFilter(view, 'Clipped');
    await view.page.reload();
    await view.notify(inspectorSnapshot());
    await view.notify(diff());
    await eventually(() => shown(view)).toEqual(['clip']);
  });

  it('state that nothing matches', async () => {
    const view = await show();
    await chooseFilter(view, 'Reminders');
    await chooseFilter(view, 'Hidden');
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
    await eventually(() => focused(view)).toMatch(/^18 messages/);
    await view.page.keyboard.press('End');
    await eventually(() => focused(view)).toMatch(/^50 messages kept/);
    await view.page.keyboard.press('ArrowUp');
    await eventually(() => focused(view)).toMatch(/^inserted Ledger/);
    await view.page.keyboard.press('Home');
    await eventually(() => focused(view)).toMatch(/^3 messages kept/);
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
    await eventually(() => focused(view)).toMatch(/^Reminder .* dropped/);
  });

  it('rows that the filter hides are skipped', async () => {
    const view = await show();
    await chooseFilter(view, 'Kept');
    await view.page.locator('.diff-rows [data-stop][tabindex="0"]').focus();
    await view.page.keyboard.press('ArrowDown');
    await eventually(() => focused(view)).toMatch(/^8 messages kept/);
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
      'As a table',
      'Show',
      'Copy',
      'Hand off…',
      'Undo',
      'Details',
      'Search both sides',
      'Filter',
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

  it('keeps its rows when the state changes or the same diff arrives again', async () => {
    const view = await show(many);
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

  it('keeps the elements of all rows if one changes', async () => {
    const view = await show(many);
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
    const kept = await view.page.evaluate(() =>
      (Reflect.get(window, 'cells') as Element[]).every((cell) => cell.isConnected),
    );
    expect(kept).toBe(true);
  });

  it('keeps the heads of its columns in sight', async () => {
    const { page } = await show(many);
    await page.evaluate(() => window.scrollTo(0, 3_000));
    await eventually(async () => Math.round((await page.locator('.diff-head').boundingBox())!.y)).toBe(0);
  });

  it('can be scrolled with the strip beside it', async () => {
    const { page } = await show(many);
    const { x, y, width, height } = (await page.locator('.strip').boundingBox())!;
    await page.mouse.click(x + width / 2, y + height - 1);
    await page.getByText(last).waitFor();
  });

  it('draws only the rows near the window', async () => {
    const view = await show(many);
    expect(await view.page.locator('.diff-row').count()).toBeLessThan(100);
  });

  it.each(['End', 'Shift+F7'])(
    'can be navigated by keyboard, even through rows that are not drawn: %s',
    async (key) => {
      const view = await show(many);
      await view.page.locator('.diff-rows [data-stop][tabindex="0"]').focus();
      await view.page.keyboard.press(key);
      await eventually(() => view.page.evaluate(() => document.activeElement?.textContent)).toContain(last);
    },
  );

  it('can be searched, even in rows that are not drawn', async () => {
    const view = await show(many);
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
    const view = await show(many);
    await view.page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await view.page.getByText(last).waitFor();
  });

  it('has few elements, even with 5,000 messages unfolded', async () => {
    const sources = Array.from({ length: 5_000 }, (_, index) =>
      message({ id: `n${index}`, title: 'Read', label: `src/parts/file-${index}.ts`, excerpt: 'and so on' }),
    );
    const view = await show([{ ...diffRows[1]!, index: 0, sourceCount: 5_000 }]);
    await view.page.getByRole('button', { name: '4,997 more messages' }).click();
    await view.notify({ type: 'sources', recordId: 'r3', index: 0, sources });
    await view.page.evaluate(() => window.scrollTo(0, 50_000));
    await view.page.getByText('src/parts/file-2000.ts').waitFor({ state: 'attached' });
    expect(await view.page.locator('*').count()).toBeLessThanOrEqual(3_000);
  });
});
