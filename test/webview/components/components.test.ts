import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { graveFindings, ownFindings } from '../support/accessibility.ts';
import { componentSuite } from '../support/view.ts';
import { themes, type ThemeName } from '../support/themes.ts';

const suite = componentSuite();

/** The tags of all components in the sources of the pages. */
const tags = globSync('webview/**/*.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:component|customElements\.define)\(\s*'(cb-[\w-]+)'/gu)].map(
    ([, tag]) => tag!,
  ),
);

describe('the page of components', () => {
  it.each(Object.keys(themes) as ThemeName[])('passes axe in the theme %s', async (theme) => {
    const { page } = await suite.open({ width: 960, theme });
    await page.getByRole('heading', { level: 1, name: 'Components' }).waitFor();
    const findings = await graveFindings(page, ['duplicate-id', 'duplicate-id-aria']);
    // The theme chooses both colours of primary buttons, and one theme's are hard to read.
    expect(
      ownFindings(findings, theme).filter((finding) => !finding.includes('[appearance="primary"]')),
    ).toEqual([]);
  });

  it('shows every component', async () => {
    const { page } = await suite.open({ width: 960 });
    await page.getByRole('heading', { level: 1, name: 'Components' }).waitFor();
    const shown = await page.evaluate(
      (all) => all.filter((tag) => document.querySelector(tag) !== null),
      tags,
    );
    expect(shown).toEqual(tags);
  });

  it.each([300, 960])('does not overflow a width of %d pixels', async (width) => {
    const view = await suite.open({ width });
    await view.page.getByRole('heading', { level: 1, name: 'Components' }).waitFor();
    expect(await view.overflow()).toBe(0);
  });
});
