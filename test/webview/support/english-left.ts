import type { Page } from 'playwright-core';
import { pageTables } from '../../../scripts/house/untranslated.ts';
import type { TextTable } from '../../../src/language/page-texts.ts';

/** Texts and labels on a Chinese page that are English although they have a translation. */
export async function englishLeft(page: Page): Promise<readonly string[]> {
  const shown = await page.evaluate(() => {
    const texts: (string | null)[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() !== null) texts.push(walker.currentNode.nodeValue);
    const labels = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'placeholder'];
    for (const element of document.querySelectorAll('*'))
      texts.push(...labels.map((label) => element.getAttribute(label)));
    return texts.map((text) => text?.trim() ?? '');
  });
  return [...new Set(shown)].filter((text) => translated.some((template) => template.test(text)));
}

const placeholder = /\{\w+(?::[^{}]*)?\}/u;

/** Minimum number of letters of a template. Shorter ones match words of the session that the page shows. */
const fewestLetters = 10;

/** The English templates whose translation differs. */
const translated = Object.values(pageTables).flatMap(({ english, chinese }) =>
  differing(english, chinese)
    .map((template) => template.split(placeholder))
    .filter((parts) => lettersIn(parts.join('')) >= fewestLetters)
    .map((parts) => new RegExp(`^${parts.map(escaped).join('.+')}$`, 'u')),
);

function differing(english: TextTable, chinese: TextTable): readonly string[] {
  return Object.entries(english).flatMap(([name, entry]) => {
    const other = chinese[name];
    if (typeof entry !== 'string') return typeof other === 'object' ? differing(entry, other) : [];
    return other === undefined || other === entry ? [] : [entry];
  });
}

function lettersIn(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
}
