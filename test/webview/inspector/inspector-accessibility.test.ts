import { describe, expect, it } from 'vitest';
import { graveFindings, ownFindings } from '../support/accessibility.ts';
import { inspectorSnapshot, ladder, masking, refused } from '../support/inspector-fixtures.ts';
import { showSession, tabScenes, tabTitles } from '../support/inspector-tabs.ts';
import { triedThemes } from '../support/themes.ts';
import { eventually, inspectorSuite, type InspectorView, type OpenOptions } from '../support/view.ts';

const suite = inspectorSuite();

/** A column of the editor, and a window of 1280 × 720 pixels at twice the size. */
const wide = { width: 900, height: 860 };
const enlarged = { width: 640, height: 360 };

async function show(options: OpenOptions): Promise<InspectorView> {
  const view = await suite.open(options);
  await showSession(view);
  return view;
}

/** Elements that overflow the page, except inside boxes that scroll. */
function sticksOut({ page }: InspectorView): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { clientWidth } = document.documentElement;
    const isBoxed = (node: Element) => {
      for (let box = node.parentElement; box !== null; box = box.parentElement) {
        if (getComputedStyle(box).overflowX !== 'visible') return true;
      }
      return false;
    };
    return [...document.querySelectorAll('main *')]
      .filter((node) => {
        const { left, right, width } = node.getBoundingClientRect();
        return width > 1 && (left < -0.5 || right > clientWidth + 0.5) && !isBoxed(node);
      })
      .map((node) => `${node.tagName} ${node.getAttribute('class') ?? ''} ${node.textContent.slice(0, 40)}`);
  });
}

// A page is opened once for all tabs: that is how a person goes through them, too.
describe.each(triedThemes)('in the theme %s', (theme) => {
  it('every tab is accessible, also at twice the size', async () => {
    const view = await show({ theme, ...wide });
    for (const title of tabTitles) {
      await view.resize(wide);
      await tabScenes[title](view);
      for (const size of [wide, enlarged]) {
        await view.resize(size);
        const where = `${title}, ${size.width} pixels wide`;
        expect(ownFindings(await graveFindings(view.page), theme), where).toEqual([]);
      }
    }
  });
});

/** The sizes that a column of the editor has; the last is 900 pixels at twice the size. */
const sizes = [{ width: 170 }, { width: 300 }, { width: 900 }, { width: 450, height: 430 }] as const;

it('no tab overflows at any size', async () => {
  const view = await show(sizes[0]);
  for (const title of tabTitles) {
    await view.resize(sizes[0]);
    await tabScenes[title](view);
    for (const size of sizes) {
      await view.resize(size);
      const where = `${title}, ${size.width} pixels wide`;
      expect(await view.overflow(), where).toBe(0);
      expect(await sticksOut(view), where).toEqual([]);
    }
  }
});

it('every tab is accessible in a narrow column', async () => {
  const view = await show({ width: 170 });
  for (const title of tabTitles) {
    await tabScenes[title](view);
    expect(await graveFindings(view.page), title).toEqual([]);
  }
});

it('every tab is accessible in Chinese', async () => {
  const view = await suite.open({ width: 900, language: 'zh-cn' });
  await view.notify(inspectorSnapshot());
  const tabs = view.page.getByRole('tab');
  await tabs.first().waitFor();
  for (const tab of await tabs.all()) {
    await tab.click();
    expect(await graveFindings(view.page)).toEqual([]);
  }
});

describe('the keyboard', () => {
  it.each(tabTitles)('reaches every control in the tab %s, with visible focus', async (title) => {
    const view = await show({ width: 900 });
    await tabScenes[title](view);
    const { page } = view;
    await page.evaluate(() => {
      document.body.tabIndex = -1;
      document.body.focus();
    });
    const unseen: string[] = [];
    for (let step = 0; step < 200; step++) {
      await page.keyboard.press('Tab');
      const seen = await page.evaluate(() => {
        const active = document.activeElement;
        if (active === null || active === document.body) return undefined;
        active.setAttribute('data-reached', '');
        // The toolkit draws inside its elements; of a list, the chosen line has the frame.
        const drawn = active.matches('.records') ? active.querySelector('[aria-selected="true"]') : active;
        const { outlineStyle, borderStyle } = getComputedStyle(drawn ?? active);
        const isSeen =
          active.localName.startsWith('vscode-') || outlineStyle === 'solid' || borderStyle === 'solid';
        return isSeen ? '' : active.textContent;
      });
      if (seen === undefined) break;
      if (seen !== '') unseen.push(seen);
    }
    expect(unseen).toEqual([]);
    // Others of a row of tabs, and of the lines of a diff, are reached with the arrow keys.
    const missed = await page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLElement>(
          ':is(button, input, [role="slider"], [role="listbox"], vscode-button, vscode-dropdown):not([role="tab"], [data-stop], [disabled], [data-reached])',
        ),
      ]
        .filter((control) => control.checkVisibility())
        .map((control) => control.getAttribute('aria-label') ?? control.innerText),
    );
    expect(missed).toEqual([]);
  });
});

describe('a screen reader', () => {
  const status = ({ page }: InspectorView) => page.locator('main > [role="status"]');

  it('announces in any tab when a compaction begins and how it ends', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(inspectorSnapshot({ records: [masking] }));
    await view.page.getByRole('tab', { name: 'Facts' }).click();
    await eventually(() => status(view).textContent()).toBe('');
    await view.notify(inspectorSnapshot({ records: [masking], isCompacting: true }, 2));
    await eventually(() => status(view).textContent()).toBe('Compacting…');
    await view.notify(inspectorSnapshot({ records: [ladder, masking] }, 3));
    await eventually(() => status(view).textContent()).toBe(
      'Compacted with Ladder: 109,214 → 51,370 tokens.',
    );
  });

  it('announces that a compaction was refused or undone', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(inspectorSnapshot({ records: [ladder] }));
    await view.notify(inspectorSnapshot({ records: [refused, ladder] }, 2));
    await eventually(() => status(view).textContent()).toBe('The result of LLM Summary was refused.');
    await view.notify(inspectorSnapshot({ records: [refused, { ...ladder, isUndone: true }] }, 3));
    await eventually(() => status(view).textContent()).toBe('A compaction was undone.');
  });

  it('announces nothing about another session', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(inspectorSnapshot({ records: [masking] }));
    await view.notify(inspectorSnapshot({ sessionId: 'other', chatId: 'other', title: 'Other' }, 2));
    await view.page.getByRole('heading', { name: 'Other' }).waitFor();
    await eventually(() => status(view).textContent()).toBe('');
  });
});
