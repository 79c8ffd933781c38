import type { Locator } from 'playwright-core';

/**
 * Turns the wheel over a scrolling area and waits until the area rests, because it keeps moving for a while.
 * It has to move at all.
 *
 * @param pixels distance down; up if negative
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
