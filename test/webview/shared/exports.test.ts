import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diffHtml } from '../../../src/insights/export/record-export.ts';
import { sessionHtml } from '../../../src/insights/export/session-export.ts';
import { hostileRecord, hostileSession, hostileTexts } from '../../insights/export/hostile.ts';
import { typed } from '../../support/messages.ts';
import { sharedBrowser } from '../support/browser.ts';

let page: Page;
const requests: string[] = [];

beforeAll(async () => {
  page = await (await sharedBrowser()).newPage();
  page.on('request', (request) => requests.push(request.url()));
});

afterAll(() => page.close());

/** Loads an exported page in a browser and lists what it contains. */
async function look(html: string) {
  requests.length = 0;
  await page.setContent(html);
  return page.evaluate(() => {
    const elements = [...document.querySelectorAll('*')];
    return {
      tags: [...new Set(elements.map(({ localName }) => localName))],
      attributes: [...new Set(elements.flatMap((element) => element.getAttributeNames()))],
      texts: [...document.querySelectorAll('pre, .text')].map(({ textContent }) => textContent),
      title: document.title,
      isHacked: 'hacked' in window,
      isVisible: document.body.checkVisibility(),
    };
  });
}

const tags = [
  ...[
    'html',
    'head',
    'meta',
    'title',
    'style',
    'body',
    'h1',
    'h2',
    'p',
    'section',
    'details',
    'summary',
    'pre',
  ],
  ...['div', 'span', 'br', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
const attributes = ['lang', 'charset', 'http-equiv', 'content', 'name', 'class'];

describe('an exported page', () => {
  it.each(hostileTexts)('shows hostile content as text: %s', async (text) => {
    const pages = [
      sessionHtml(hostileSession(text)),
      diffHtml(hostileRecord(text), [typed('m1', text), typed('m2', text)]),
    ];
    for (const html of pages) {
      const seen = await look(html);
      expect(seen).toMatchObject({ isHacked: false, isVisible: true });
      expect(seen.tags.filter((tag) => !tags.includes(tag))).toEqual([]);
      expect(seen.attributes.filter((name) => !attributes.includes(name))).toEqual([]);
      expect(seen.texts).toContain(text);
      expect(seen.title).toContain(text);
      expect(requests).toEqual([]);
    }
  });

  it('does not run a script that was injected into it', async () => {
    const html = sessionHtml({ title: 'x', entries: [] }).replace(
      '</h1>',
      '</h1><script>window.hacked = 1</script>',
    );
    expect(await look(html)).toMatchObject({ isHacked: false });
  });

  it.each(['light', 'dark'] as const)('is %s if the system of the reader is', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await look(sessionHtml({ title: 'x', entries: [] }));
    const isDark = await page.evaluate(() => {
      const probe = document.createElement('p');
      document.body.append(probe);
      return getComputedStyle(probe).color === 'rgb(255, 255, 255)';
    });
    expect(isDark).toBe(colorScheme === 'dark');
  });
});
