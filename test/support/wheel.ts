import type { Locator } from 'playwright-core';

/**
 * Turns the wheel over an area that scrolls, and waits until the area has come to rest, as it moves for a while after
 * that. It has to move at all.
 *
 * @param pixels how far down; up if negative
 */
export async function turnWheel(area: Locator, pixels: number): Promise<void> {
  await area.hover();
  const scroll = await area.evaluateHandle((scroller) => ({
    ended: new Promise<void>((resolve) => {
      const rest = () => scroller.addEventListener('scrollend', () => resolve(), { once: true });
      scroller.addEventListener('wheel', rest, { once: true });
    }),
  }));
  await area.page().mouse.wheel(0, pixels);
  await scroll.evaluate(({ ended }) => ended);
}
