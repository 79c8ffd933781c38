import type { Locator, Page } from 'playwright-core';

/** Maximum number of steps that a way through a page takes; one that takes more is a trap. */
const mostSteps = 400;

/** Marks on the elements of a page: what can be pressed, and what the keyboard has been on. */
const pressable = 'data-test-pressable';
const reached = 'data-test-reached';

/**
 * Marks everything that a person can press with a mouse: controls, links, and whatever shows the hand of a link. What
 * is disabled or cannot be seen is left out, and so are the items of a choice, which its arrow keys reach.
 *
 * @returns their number
 */
export function markPressable(page: Page): Promise<number> {
  return page.evaluate((mark) => {
    const controls =
      'button, a[href], input, textarea, select, summary, vscode-button, vscode-dropdown, [role="button"], [role="tab"], [tabindex="0"]';
    const found = [...document.body.querySelectorAll<HTMLElement>('*')].filter((each) => {
      const { cursor, visibility } = getComputedStyle(each);
      const isHand =
        cursor === 'pointer' &&
        (each.parentElement === null || getComputedStyle(each.parentElement).cursor !== 'pointer');
      if (!each.matches(controls) && !isHand) return false;
      if (each.matches(':disabled, [disabled], vscode-option, [role="menu"] *')) return false;
      return each.getClientRects().length > 0 && visibility === 'visible';
    });
    for (const each of found) each.setAttribute(mark, '');
    return found.length;
  }, pressable);
}

/**
 * Goes through the page with Tab, from its beginning to its end, and notes what has the focus on the way.
 *
 * @throws {Error} if the end is never reached
 */
export async function tabThrough(page: Page): Promise<void> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    const start = document.createElement('span');
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus();
    start.remove();
  });
  for (let step = 0; step < mostSteps; step++) {
    await page.keyboard.press('Tab');
    const isOver = await page.evaluate((mark) => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) return true;
      if (activeElement.hasAttribute(mark)) return true;
      activeElement.setAttribute(mark, '');
      return false;
    }, reached);
    if (isOver) return;
  }
  throw new Error('The way through the page with Tab does not end.');
}

/** Goes with Tab from a focused part of the page to its end, and notes what has the focus on the way. */
export async function tabWithin(part: Locator): Promise<void> {
  for (let step = 0; step < mostSteps; step++) {
    const isOver = await part.evaluate((element, mark) => {
      const { activeElement } = document;
      activeElement?.setAttribute(mark, '');
      return !element.contains(activeElement);
    }, reached);
    if (isOver) return;
    await part.page().keyboard.press('Tab');
  }
}

/** Lists the buttons and other controls that were not reached, by tag, classes and name. */
export function unreached(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    ([mark, seen]) =>
      [...document.querySelectorAll<HTMLElement>(`[${mark}]:not([${seen}])`)].map((each) => {
        const name = each.getAttribute('aria-label') ?? each.textContent;
        return `${each.localName}.${each.className} ${name.trim().slice(0, 40)}`;
      }),
    [pressable, reached] as const,
  );
}
