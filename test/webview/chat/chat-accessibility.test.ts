import { describe, expect, it } from 'vitest';
import { graveFindings } from '../support/accessibility.ts';
import { chatScenes } from '../support/chat-scenes.ts';
import { triedThemes } from '../support/themes.ts';
import { chatSuite } from '../support/view.ts';

const suite = chatSuite();

/** A narrow side bar, and a wider one at twice the size. */
const sizes = [{ width: 170 }, { width: 190, height: 430 }] as const;

describe.each(triedThemes)('in the theme %s', (theme) => {
  it.each(Object.entries(chatScenes))('a chat %s is accessible', async (_name, show) => {
    const view = await suite.open({ theme });
    await show(view);
    // A theme whose own text is pale cannot have text that is not: our text is measured relative to it.
    const ignored = theme === 'solarized-light' ? ['color-contrast'] : [];
    expect(await graveFindings(view.page, ignored)).toEqual([]);
    await view.resize(sizes[1]);
    expect(await graveFindings(view.page, ignored), 'at twice the size').toEqual([]);
  });
});

describe('in a narrow side bar, even at double size', () => {
  it.each(Object.entries(chatScenes))('a chat %s is accessible', async (_scene, show) => {
    const view = await suite.open(sizes[0]);
    await show(view);
    for (const size of sizes) {
      await view.resize(size);
      expect(await graveFindings(view.page), `${size.width} pixels`).toEqual([]);
      expect(await view.overflow(), `${size.width} pixels`).toBe(0);
    }
  });
});

describe('in Chinese', () => {
  it.each(Object.entries(chatScenes))('a chat %s is accessible', async (_name, show) => {
    const view = await suite.open({ language: 'zh-cn' });
    await show(view);
    expect(await graveFindings(view.page)).toEqual([]);
  });
});
