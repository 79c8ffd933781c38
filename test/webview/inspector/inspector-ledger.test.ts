import { describe, expect, it } from 'vitest';
import type { InspectorNotification } from '../../../src/protocol/inspector.ts';
import { inspectorSnapshot, subAgentSnapshot } from '../support/inspector-fixtures.ts';
import { facts, factsAnswer, hits } from '../support/tab-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView, type OpenOptions } from '../support/view.ts';

const suite = inspectorSuite();
async function show(options: OpenOptions = { width: 900 }): Promise<InspectorView> {
  const view = await suite.open(options);
  await view.notify(inspectorSnapshot());
  await view.page.getByRole('tab', { name: 'Facts' }).click();
  await view.notify(factsAnswer());
  await view.page.getByRole('button', { name: /lock\.ts/ }).waitFor();
  return view;
}

const list = ({ page }: InspectorView) => page.getByRole('list', { name: 'Facts' });
const places = ({ page }: InspectorView) => page.getByRole('list', { name: 'Matches' });
const answer = (query: string, hasMore = false): InspectorNotification => ({
  type: 'archive-hits',
  sessionId: 'session-1',
  query,
  hits,
  hasMore,
});

async function search(view: InspectorView, query = 'EBUSY'): Promise<void> {
  await view.page.getByRole('searchbox', { name: 'Search all messages' }).fill(query);
  await view.expectPost({ type: 'archive-search', query });
  await view.notify(answer(query));
  await eventually(() => places(view).getByRole('listitem').count()).toBe(2);
}

describe('the ledger', () => {
  it('lists facts with their kind, their current place and the number of their sources', async () => {
    const view = await show();
    const rows = await list(view).locator('.fact-row').allInnerTexts();
    expect(rows.map((row) => row.replace(/\s+/g, ' ').trim())).toEqual([
      'Your messages Why does “reopens after kill” fail once in forty runs? in context 1 source',
      'Files modified src/session/lock.ts in context as a copy 5 sources',
      'Commands npm test -- session-store --repeat 40 exit 1 only in the archive 1 source',
    ]);
  });

  it('expands a fact to its sources, and a source to its text', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /Files modified/ }).click();
    await view.page.getByText('and 3 earlier').waitFor();
    await view.page.getByRole('button', { name: /edit_file/ }).click();
    await view.expectPost({ type: 'archive-text', messageId: 'm76' });
    await view.notify({
      type: 'archive-text',
      sessionId: 'session-1',
      messageId: 'm76',
      text: '<b>what</b> was said',
      isCut: true,
    });
    await eventually(() => view.page.locator('.texts pre').innerText()).toBe('<b>what</b> was said');
    await view.page.getByText('Open it in the editor to read the rest.').waitFor();
  });

  it('can restore, pin and open a source', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /Files modified/ }).click();
    await view.page.getByRole('button', { name: /edit_file/ }).click();
    await view.page.getByRole('button', { name: 'Restore this message' }).click();
    await view.expectPost({ type: 'restore', messageId: 'm76' });
    await view.page.getByRole('button', { name: 'Pin', exact: true }).click();
    await view.expectPost({ type: 'pin', messageId: 'm76', isPinned: true });
    await view.page.getByRole('button', { name: 'Open in editor' }).click();
    await view.expectPost({ type: 'open-message', messageId: 'm76' });
  });

  it('can be filtered by text, kind and place', async () => {
    const view = await show();
    await view.page.getByRole('searchbox', { name: 'Filter facts' }).fill('lock');
    await view.expectPost({ type: 'facts', filter: { text: 'lock' }, from: 0 });
    const filter = { text: 'lock' };
    await view.notify(factsAnswer({ filter, facts: facts.slice(1, 2), total: 1 }));
    await eventually(() => list(view).getByRole('listitem').count()).toBe(1);
    await view.page.getByText('1 of 1').waitFor();
    await view.page.getByRole('combobox', { name: 'Kind of fact' }).click();
    await view.page.getByRole('option', { name: 'Files modified (1)' }).click();
    await view.expectPost({ type: 'facts', filter: { text: 'lock', section: 'filesModified' }, from: 0 });
  });

  it('does not show an answer to an earlier filter', async () => {
    const view = await show();
    await view.page.getByRole('searchbox', { name: 'Filter facts' }).fill('lock');
    await view.expectPost({ type: 'facts', filter: { text: 'lock' }, from: 0 });
    await view.notify(factsAnswer({ facts: [], total: 0 }));
    expect(await list(view).getByRole('listitem').count()).toBe(3);
  });

  it('loads in parts, and shows the total', async () => {
    const view = await show();
    const many = Array.from({ length: 150 }, (_, index) => ({ ...facts[2]!, text: `command ${index}` }));
    await view.notify(inspectorSnapshot({}, 2));
    await view.notify(factsAnswer({ facts: many.slice(0, 100), total: 150 }));
    await view.page.getByText('100 of 150').waitFor();
    await view.page.getByRole('button', { name: 'Show more' }).click();
    await view.notify(factsAnswer({ facts: many.slice(0, 100), total: 150 }));
    await view.expectPost({ type: 'facts', filter: { text: '' }, from: 100 });
    await view.notify(factsAnswer({ from: 100, facts: many.slice(100), total: 150 }));
    await view.page.getByText('150 of 150').waitFor();
    expect(await view.page.getByRole('button', { name: 'Show more' }).isVisible()).toBe(false);
  });

  it('keeps facts expanded while the session grows', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /Files modified/ }).click();
    await view.notify(inspectorSnapshot({}, 2));
    await view.notify(factsAnswer({ facts: [...facts].reverse() }));
    await view.page.getByRole('button', { name: /edit_file/ }).waitFor();
  });
});

describe('the search in all messages', () => {
  it('shows each match with its text, its size, and whether it is in context', async () => {
    const view = await show();
    await search(view);
    await view.page.getByText('2 matches').waitFor();
    await eventually(() => places(view).locator('mark').allInnerTexts()).toEqual(['EBUSY', 'EBUSY']);
    const rows = await places(view).locator('.said').allInnerTexts();
    expect(rows[0]!.replace(/\s+/g, ' ')).toContain('in the archive 9,412 tokens');
    expect(rows[1]!.replace(/\s+/g, ' ')).toContain('in context, pinned 212 tokens');
  });

  it('offers to restore only messages out of context', async () => {
    const view = await show();
    await search(view);
    await places(view)
      .getByRole('button', { name: /rename runs/ })
      .click();
    await view.page.getByRole('button', { name: 'Unpin' }).waitFor();
    expect(await view.page.getByRole('button', { name: 'Restore this message' }).count()).toBe(0);
  });

  it('does not show matches of an earlier query', async () => {
    const view = await show();
    await view.page.getByRole('searchbox', { name: 'Search all messages' }).fill('other');
    await view.expectPost({ type: 'archive-search', query: 'other' });
    await view.notify(answer('EBUSY'));
    expect(await places(view).getByRole('listitem').count()).toBe(0);
  });

  it('states that nothing was found', async () => {
    const view = await show();
    await view.page.getByRole('searchbox', { name: 'Search all messages' }).fill('nowhere');
    await view.expectPost({ type: 'archive-search', query: 'nowhere' });
    await view.notify({
      type: 'archive-hits',
      sessionId: 'session-1',
      query: 'nowhere',
      hits: [],
    });
    await view.page.getByText('No matches.').waitFor();
  });

  it('shows more matches on request, and few matches again for another query', async () => {
    const view = await show();
    await search(view);
    await view.notify(answer('EBUSY', true));
    await view.page.getByText('the best 2 matches').waitFor();
    await view.page.getByRole('button', { name: 'Show more matches' }).click();
    await view.expectPost({ type: 'archive-search', query: 'EBUSY', most: 70 });
    await view.notify(answer('EBUSY'));
    await view.page.getByText('2 matches', { exact: true }).waitFor();
    expect(await view.page.getByRole('button', { name: 'Show more matches' }).isVisible()).toBe(false);
    await search(view, 'rename');
  });

  it('is repeated once the session has grown', async () => {
    const view = await show();
    await search(view);
    await view.notify(inspectorSnapshot({}, 2));
    await eventually(async () => (await view.posted('archive-search')).length).toBe(2);
  });
});

describe('a read-only session', () => {
  it('can be searched, but offers no actions to restore or pin', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(subAgentSnapshot());
    await view.page.getByRole('tab', { name: 'Facts' }).click();
    await view.notify(factsAnswer({ sessionId: 'session-1.b' }));
    await view.page.getByRole('button', { name: /Files modified/ }).click();
    await view.page.getByRole('button', { name: /edit_file/ }).click();
    await view.page.getByRole('button', { name: 'Open in editor' }).waitFor();
    for (const name of ['Restore this message', 'Pin', 'Unpin']) {
      expect(await view.page.getByRole('button', { name, exact: true }).count()).toBe(0);
    }
  });
});

it('the Facts tab does not overflow at any width', async () => {
  const view = await show({ width: 1600 });
  const endless = 'x'.repeat(300);
  await view.notify(inspectorSnapshot({}, 2));
  const source = { ...facts[1]!.sources[0]!, title: endless };
  await view.notify(factsAnswer({ facts: [{ ...facts[1]!, text: endless, sources: [source] }], total: 1 }));
  await view.page.getByRole('button', { name: /^Files modified x+/ }).click();
  await view.page.getByRole('button', { name: /^Assistant x+/ }).click();
  for (const width of [1600, 300, 170]) {
    await view.resize({ width });
    expect(await view.overflow(), `${width} pixels`).toBe(0);
  }
});
