import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CompactionRow } from '../../../src/protocol/chat-rows.ts';
import { strategyTitles } from '../../../src/language/english/strategy-titles-english.ts';
import { recordDetails, snapshot } from '../support/chat-fixtures.ts';
import { showSession, tabScenes, type TabTitle, tabTitles } from '../support/inspector-tabs.ts';
import { chatSuite, type ChatView, inspectorSuite } from '../support/view.ts';

const chat = chatSuite();
const inspector = inspectorSuite();

/** Ids that cannot be taken for a word of a sentence: those of several words, and some of one. */
const ids = Object.keys(strategyTitles.english).filter(
  (id) => id.includes('-') || ['ladder', 'selective', 'budgeted', 'chunked'].includes(id),
);

/** Ids in everything that a page shows and tells screen readers. */
async function idsOn(page: Page): Promise<readonly string[]> {
  const said = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body, [aria-label], [title]')]
      .flatMap((shown) => [shown.innerText, shown.ariaLabel ?? '', shown.title])
      .join('\n'),
  );
  expect(said).toMatch(/\p{L}/u);
  return ids.filter((id) => new RegExp(`\\b${id}\\b`, 'u').test(said));
}

const row: CompactionRow = {
  type: 'compaction',
  id: 'c1',
  strategy: 'hiding-then-summary',
  requestedStrategy: 'retrieve-facts',
  status: 'applied',
  tokensBefore: 100_000,
  tokensAfter: 50_000,
  isUndone: false,
};

async function openChat(rows: readonly CompactionRow[], language = 'en'): Promise<ChatView> {
  const view = await chat.open({ language });
  await view.notify(snapshot({ rows, strategy: 'last-n-messages' }));
  await view.page.locator('.compaction-words').first().waitFor();
  return view;
}

describe('strategies in the chat', () => {
  it('are shown by their titles', async () => {
    const view = await openChat([
      row,
      { ...row, id: 'c2', isUndone: true },
      { ...row, id: 'c3', status: 'refused' },
    ]);
    await view.page.getByRole('button', { name: 'Compaction strategy: Last N Messages' }).waitFor();
    await view.page.getByText('Hiding Then Summary · 100k → 50k · instead of Retrieve Facts').click();
    await view.notify({ type: 'record', recordId: 'c1', details: recordDetails });
    await view.page.getByText('Observation Masking (nothing to do)').waitFor();
    expect(await idsOn(view.page)).toEqual([]);
  });

  it('are shown by their titles in Chinese too', async () => {
    const view = await openChat([row], 'zh-cn');
    await view.page.getByText('先隐藏后摘要 · 100k → 50k').waitFor();
    expect(await idsOn(view.page)).toEqual([]);
  });

  it.each(['ladder', 'selective', 'budgeted', 'chunked'])(
    'are shown by their titles even if the id is one word: %s',
    async (strategy) => {
      const view = await openChat([{ ...row, strategy, requestedStrategy: undefined }]);
      expect(await idsOn(view.page)).toEqual([]);
    },
  );

  it('are shown by their declared titles if they are custom strategies', async () => {
    const view = await openChat([{ ...row, strategy: 'Keep Decisions', requestedStrategy: undefined }]);
    await view.page.getByText('Keep Decisions · 100k → 50k').waitFor();
  });

  it('are shown by their ids if this version does not know them', async () => {
    const view = await openChat([{ ...row, strategy: 'of-yesterday', requestedStrategy: undefined }]);
    await view.page.getByText('of-yesterday · 100k → 50k').waitFor();
  });
});

describe('strategies in the inspector', () => {
  it.each(tabTitles)('are shown by their titles in the tab %s', async (title: TabTitle) => {
    const view = await inspector.open({ width: 900 });
    await showSession(view);
    await tabScenes[title](view);
    expect(await idsOn(view.page)).toEqual([]);
  });

  it('are shown by their titles if another strategy made the compaction', async () => {
    const view = await inspector.open({ width: 900 });
    await showSession(view);
    await view.notify({ type: 'select', recordId: 'r2' });
    await view.page.getByRole('button', { name: 'Details' }).click();
    await view.page
      .getByText(/LLM Summary \(refused|LLM Summary: refused|LLM Summary refused/)
      .first()
      .waitFor();
    expect(await idsOn(view.page)).toEqual([]);
  });
});
