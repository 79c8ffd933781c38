import type { Page } from 'playwright-core';

export interface TextColour {
  readonly text: string;
  readonly ratio: number;
}

/**
 * Contrast of the texts that a selector finds against what is behind them, as WCAG measures it.
 * Backgrounds that let something through are laid over what is behind them.
 */
export function contrasts(page: Page, selector: string): Promise<readonly TextColour[]> {
  return page.locator(`${selector} >> visible=true`).evaluateAll((elements) => {
    type Colour = readonly [number, number, number, number];
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const read = (colour: string): Colour => {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const over = (top: Colour, bottom: Colour): Colour => {
      const mix = (index: 0 | 1 | 2) => top[index] * top[3] + bottom[index] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const behind = (element: Element | null): Colour => {
      if (element === null) return [255, 255, 255, 1];
      const own = read(getComputedStyle(element).backgroundColor);
      return own[3] === 1 ? own : over(own, behind(element.parentElement));
    };
    const luminance = ([red, green, blue]: Colour) => {
      const part = (value: number) => {
        const share = value / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
    };
    return elements.map((element) => {
      const ground = behind(element);
      const ink = over(read(getComputedStyle(element).color), ground);
      const [dark = 0, light = 0] = [luminance(ink), luminance(ground)].sort((one, other) => one - other);
      return { text: element.textContent.slice(0, 40), ratio: (light + 0.05) / (dark + 0.05) };
    });
  });
}
