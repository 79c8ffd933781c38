import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import {
  allSummarySources,
  diff,
  flow,
  inspectorSnapshot,
  ladder,
  masking,
  refused,
  otherSessions,
  usage,
} from './inspector-fixtures.ts';
import { unfold } from './content.ts';
import { texts } from './show-diff.ts';
import { budgetAnswer, factsAnswer, hits, timelineAnswer, triggerRange } from './tab-fixtures.ts';
import { eventually, type InspectorView } from './view.ts';
import { whatIf } from './what-if-fixtures.ts';

/** Each tab by its title, and what shows everything in it that there is to show. */
export const tabScenes = {
  Window: showWindow,
  Timeline: showTimeline,
  Compactions: showCompactions,
  'What if': showWhatIf,
  Facts: showFacts,
} as const satisfies Readonly<Record<string, (view: InspectorView) => Promise<void>>>;

export type TabTitle = keyof typeof tabScenes;

export const tabTitles = Object.keys(tabScenes) as TabTitle[];

/** A session that was compacted with losses, whose trigger can be moved. */
export async function showSession(view: InspectorView): Promise<void> {
  await view.notify(
    inspectorSnapshot({
      usage: { ...usage, triggerRange },
      records: [lossy, masking, refused],
      otherSessions,
    }),
  );
  await view.page.getByRole('tablist').waitFor();
}

/** Lost names of every length. */
const lossy: RecordView = {
  ...ladder,
  warnings: ['One message alone fills more than half of the window.'],
  coverage: {
    ...ladder.coverage,
    files: { kept: 13, total: 14, missing: [`src/${'very-long-folder/'.repeat(20)}store.ts`] },
  },
};

async function choose({ page }: InspectorView, title: TabTitle): Promise<void> {
  await page.getByRole('tab', { name: title }).click();
}

async function showWindow(view: InspectorView): Promise<void> {
  await choose(view, 'Window');
  await view.notify(budgetAnswer());
  await view.page.getByRole('list', { name: 'Checks' }).waitFor();
  await unfold(view.page);
}

async function showTimeline(view: InspectorView): Promise<void> {
  await choose(view, 'Timeline');
  await view.notify(timelineAnswer());
  const { page } = view;
  await page.locator('.timeline').waitFor();
  // A narrow page has the list instead of the chart.
  if ((await page.locator('.stage').count()) === 0) return;
  await page.getByRole('button', { name: 'As a table' }).click();
  await page.locator('.virtual-row').first().waitFor();
  await page.locator('.stage').focus();
  await view.page.keyboard.press('ArrowLeft');
}

async function showCompactions(view: InspectorView): Promise<void> {
  const { page } = view;
  await choose(view, 'Compactions');
  await view.notify(diff());
  await view.notify({ type: 'flow', recordId: 'r3', flow });
  await page.getByRole('button', { name: 'As a table' }).click();
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.locator('.is-clip .pair').click();
  await view.notify(texts('m76', 'await rename(tmp, path) and then', 'await rename(tmp, path) [clipped]'));
  await page.locator('.is-output').first().click();
  await view.notify({ type: 'sources', recordId: 'r3', index: 1, sources: allSummarySources });
  await view.notify(texts('s1', '', 'Goal: make the test stable.'));
  await page.getByRole('button', { name: 'Bring back…' }).click();
  await view.notify({
    type: 'bring-back-plan',
    recordId: 'r3',
    plan: {
      messages: [{ message: allSummarySources[1]!, facts: ['npm test -- lock'] }],
      missing: 2,
      unreachable: ['git log -3 --oneline'],
      tokensBefore: 82_746,
      tokensAfter: 110_011,
      trigger: 108_800,
    },
  });
  await page.locator('.brought').waitFor();
  // What is under the pointer has other colours.
  await page.mouse.move(0, 0);
}

async function showWhatIf(view: InspectorView): Promise<void> {
  await choose(view, 'What if');
  await view.notify(whatIf());
  await view.page.getByRole('table', { name: 'Comparison of strategies' }).waitFor();
}

async function showFacts(view: InspectorView): Promise<void> {
  const { page } = view;
  await choose(view, 'Facts');
  await view.notify(factsAnswer());
  await page.locator('.fact-row').nth(1).click();
  await page.getByText('and 3 earlier').waitFor();
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search facts and messages' }).fill('EBUSY');
  await eventually(async () => (await view.posted('archive-search')).length).toBeGreaterThan(0);
  await view.notify(factsAnswer({ filter: { text: 'EBUSY' } }));
  await view.notify({ type: 'archive-hits', sessionId: 'session-1', query: 'EBUSY', hits });
  await page.locator('.said').first().click();
  await view.notify({
    type: 'archive-text',
    sessionId: 'session-1',
    messageId: 'm71',
    text: '39 passed, 1 failed',
    isCut: true,
  });
}
