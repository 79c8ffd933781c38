import { expect, it } from 'vitest';
import { showSession, tabScenes, tabTitles } from '../support/inspector-tabs.ts';
import { inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();

/** Most words that each tab shows with everything unfolded. A ceiling only falls. */
const ceilings = { Window: 422, Timeline: 257, Compactions: 417, 'What if': 111, Facts: 105 } as const;

/** The words that a user sees below the header and the tabs. */
function wordsOf({ page }: InspectorView): Promise<readonly string[]> {
  return page.evaluate(() => {
    const seen: string[] = [];
    const texts = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() !== null) {
      const { data, parentElement } = texts.currentNode as Text;
      if (
        parentElement?.checkVisibility() === true &&
        parentElement.closest('.spoken, header, [role="tablist"]') === null
      )
        seen.push(...data.split(/\s+/));
    }
    return seen.filter((word) => /[\p{L}\p{N}]/u.test(word));
  });
}

it.each(tabTitles)('the tab %s shows no more words than it did', async (title) => {
  const view = await suite.open({ width: 900, height: 860 });
  await showSession(view);
  await tabScenes[title](view);
  const words = await wordsOf(view);
  expect(words.length).toBeLessThanOrEqual(ceilings[title]);
});
