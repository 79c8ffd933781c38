import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { ThemeName } from './themes.ts';

/** Findings of the accessibility checker, one line each. */
export type Finding = string;

/** Findings severe enough to keep people from using a page. */
const grave: ReadonlySet<string> = new Set(['serious', 'critical']);

/**
 * Serious and critical findings of axe in everything that a page, or a frame of one, shows.
 *
 * @param ignored ids of rules that are known not to hold, each with its reason at the call
 */
export async function graveFindings(
  page: Pick<Page, 'evaluate'>,
  ignored: readonly string[] = [],
): Promise<readonly Finding[]> {
  // Half a megabyte, once for a page that is looked at several times.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (rules) =>
      (window as unknown as { readonly axe: typeof axe }).axe.run(document, {
        // Style sheets are not fetched a second time: the page's policy would not let them in.
        preload: false,
        resultTypes: ['violations'],
        rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])),
      }),
    ignored,
  );
  return violations
    .filter(({ impact }) => grave.has(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary = '' }) => {
        const [, ...reasons] = failureSummary.split('\n');
        return `${id} at ${target.join(' ')}: ${reasons.join(' ').trim()}`;
      }),
    );
}

/** Text and background that a theme gives its own controls, errors and matches, and that are too near to each other. */
const ownPairs: Partial<Record<ThemeName, RegExp>> = {
  light: /foreground color: #f85149, background color: #ffffff/,
  'solarized-light':
    /foreground color: (#ffffff, background color: #(ac9d57|8b7e44)|#586e75, background color: #ddd6c1|#616161, background color: #(c2d9ea|bad1e4))/,
};

/** Findings that the pages can mend, because the theme did not choose both colours. */
export function ownFindings(findings: readonly Finding[], theme: ThemeName): readonly Finding[] {
  return findings.filter((finding) => ownPairs[theme]?.test(finding) !== true);
}
