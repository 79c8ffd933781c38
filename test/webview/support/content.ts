import type { Page } from 'playwright-core';
import { eventually } from './view.ts';

/** Words of people, models, tools and providers that sound like sentences of the extension, one for each place. */
export class Content {
  private readonly given: string[] = [];

  /** Words for a place. */
  say(place: string): string {
    const text = `Run the tests. Edit the notes. Nothing to free. (${place})`;
    this.given.push(text);
    return text;
  }

  /** Waits until all words given so far are on the page as they were given. */
  async expectShown(page: Page): Promise<void> {
    await eventually(async () => {
      const shown = await everythingShown(page);
      return this.given.filter((text) => !shown.includes(text));
    }).toEqual([]);
  }
}

/** Opens everything folded on a page; folds nothing. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll<HTMLElement>('button[aria-expanded="false"]'))
      folded.click();
  });
}

/** Texts, tooltips, labels and values of fields. */
function everythingShown(page: Page): Promise<string> {
  return page.evaluate(() => {
    const titles = [...document.querySelectorAll('[title], [aria-label]')].flatMap((element) => [
      element.getAttribute('title') ?? '',
      element.getAttribute('aria-label') ?? '',
    ]);
    const typed = [...document.querySelectorAll<HTMLTextAreaElement | HTMLInputElement>('textarea, input')];
    return [document.body.textContent, ...titles, ...typed.map(({ value }) => value)].join('\n');
  });
}
