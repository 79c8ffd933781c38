import type { Locator } from 'playwright-core';

/**
 * Turns the wheel over a scrolling area and waits until the area stops moving, which takes a while. The area must be
 * able to move.
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
