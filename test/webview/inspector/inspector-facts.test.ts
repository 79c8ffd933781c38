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
const places = ({ page }: InspectorView) => page.getByRole('list', { name: 'Messages' });
const answer = (query: string, hasMore = false): InspectorNotification => ({
  type: 'archive-hits',
  sessionId: 'session-1',
  query,
  hits,
  hasMore,
});

const openSearch = ({ page }: InspectorView) =>
  page.getByRole('button', { name: 'Search', exact: true }).click();
const field = ({ page }: InspectorView) => page.getByRole('searchbox', { name: 'Search facts and messages' });

async function search(view: InspectorView, query = 'EBUSY'): Promise<void> {
  if ((await field(view).count()) === 0) await openSearch(view);
  await field(view).fill(query);
  await view.expectPost({ type: 'archive-search', query });
  await view.notify(answer(query));
  await eventually(() => places(view).getByRole('listitem').count()).toBe(2);
}

describe('the facts', () => {
  it('say how many are gone, and how many of each kind are still there', async () => {
    const view = await show();
    await view.page.getByText('1 of 3 facts is gone.').waitFor();
    const kinds = await view.page
      .getByRole('group', { name: 'Kinds of facts' })
      .getByRole('button')
      .allInnerTexts();
    expect(kinds.map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      'Your messages 1/1',
      'Files 1/1',
      'Commands 0/1',
    ]);
  });

  it('are listed under their kinds, with what became of them and where they came from', async () => {
    const view = await show();
    const rows = await list(view).getByRole('listitem').allInnerTexts();
    expect(rows.map((row) => row.replace(/\s+/g, ' ').trim())).toEqual([
      'Your messages',
      'Why does “reopens after kill” fail once in forty runs? 1 source',
      'Files',
      'src/session/lock.ts changed copied 5 sources',
      'Commands, gone',
      'npm test -- session-store --repeat 40 exit 1 gone 1 source',
    ]);
  });

  it('unfold to their sources, and a source to its text', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /lock\.ts/ }).click();
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
    await view.page.getByText('Only the beginning.').waitFor();
  });

  it('have sources that can be restored, pinned and opened', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /lock\.ts/ }).click();
    await view.page.getByRole('button', { name: /edit_file/ }).click();
    await view.page.getByRole('button', { name: 'Restore', exact: true }).click();
    await view.expectPost({ type: 'restore', messageId: 'm76' });
    await view.page.getByRole('button', { name: 'Pin', exact: true }).click();
    await view.expectPost({ type: 'pin', messageId: 'm76', isPinned: true });
    await view.page.getByRole('button', { name: 'Open in editor' }).click();
    await view.expectPost({ type: 'open-message', messageId: 'm76' });
  });

  it('are filtered by kind, text and place', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^Files/ }).click();
    await view.expectPost({ type: 'facts', filter: { text: '', kind: 'files' }, from: 0 });
    await view.notify(
      factsAnswer({ filter: { text: '', kind: 'files' }, facts: facts.slice(1, 2), total: 1 }),
    );
    await eventually(() => list(view).getByRole('listitem').count()).toBe(2);
    await openSearch(view);
    await field(view).fill('lock');
    await view.expectPost({ type: 'facts', filter: { text: 'lock', kind: 'files' }, from: 0 });
    const filter = { text: 'lock', kind: 'files' } as const;
    await view.notify(factsAnswer({ filter, facts: facts.slice(1, 2), total: 1 }));
    await view.page.getByRole('combobox', { name: 'Where it is now' }).click();
    await view.page.getByRole('option', { name: 'copied (1)' }).click();
    await view.expectPost({ type: 'facts', filter: { ...filter, presence: 'ledger' }, from: 0 });
  });

  it('load more when the end of the list is reached', async () => {
    const view = await show();
    const many = Array.from({ length: 150 }, (_, index) => ({ ...facts[2]!, text: `command ${index}` }));
    await view.notify(inspectorSnapshot({}, 2));
    await view.notify(factsAnswer({ facts: many.slice(0, 100), total: 150 }));
    expect(await view.posted('facts')).toHaveLength(2);
    await view.page.getByRole('button', { name: /command 0/ }).press('End');
    await view.expectPost({ type: 'facts', filter: { text: '' }, from: 100 });
    await view.notify(factsAnswer({ from: 100, facts: many.slice(100), total: 150 }));
    await view.page.getByRole('button', { name: /command 100/ }).waitFor({ state: 'attached' });
    await view.page.keyboard.press('End');
    await view.page.getByRole('button', { name: /command 149/ }).waitFor();
  });

  it('stay unfolded while the session grows', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /lock\.ts/ }).click();
    await view.notify(inspectorSnapshot({}, 2));
    await view.notify(factsAnswer({ facts: [...facts].reverse() }));
    await view.page.getByRole('button', { name: /edit_file/ }).waitFor();
  });
});

describe('the search', () => {
  it('shows each message with its text, its size, and what sets it apart', async () => {
    const view = await show();
    await search(view);
    await view.page.getByText('2 messages').waitFor();
    await eventually(() => places(view).locator('mark').allInnerTexts()).toEqual(['EBUSY', 'EBUSY']);
    const rows = await places(view).locator('.said').allInnerTexts();
    expect(rows[0]!.replace(/\s+/g, ' ')).toContain('gone 9,412 tokens');
    expect(rows[1]!.replace(/\s+/g, ' ')).toContain('pinned 212 tokens');
  });

  it('offers to restore only messages out of context', async () => {
    const view = await show();
    await search(view);
    await places(view)
      .getByRole('button', { name: /rename runs/ })
      .click();
    await view.page.getByRole('button', { name: 'Unpin' }).waitFor();
    expect(await view.page.getByRole('button', { name: 'Restore', exact: true }).count()).toBe(0);
  });

  it('unfolds a message that is also the source of a fact in its own list only', async () => {
    const view = await show();
    await search(view);
    await view.notify(factsAnswer({ filter: { text: 'EBUSY' } }));
    await list(view)
      .getByRole('button', { name: /--repeat/ })
      .click();
    const [hit, source] = [places(view), list(view)].map((part) =>
      part.getByRole('button', { name: /run_command npm test/ }),
    );
    await hit!.click();
    await eventually(() => hit!.getAttribute('aria-expanded')).toBe('true');
    expect(await source!.getAttribute('aria-expanded')).toBe('false');
  });

  it('does not show matches of an earlier query', async () => {
    const view = await show();
    await openSearch(view);
    await field(view).fill('other');
    await view.expectPost({ type: 'archive-search', query: 'other' });
    await view.notify(answer('EBUSY'));
    expect(await places(view).count()).toBe(0);
  });

  it('states that nothing was found', async () => {
    const view = await show();
    await openSearch(view);
    await field(view).fill('nowhere');
    await view.expectPost({ type: 'archive-search', query: 'nowhere' });
    await view.notify({ type: 'archive-hits', sessionId: 'session-1', query: 'nowhere', hits: [] });
    await view.page.getByText('No messages match.').waitFor();
    await view.notify(factsAnswer({ filter: { text: 'nowhere' }, facts: [], total: 0 }));
    await view.page.getByText('No fact matches.').waitFor();
  });

  it('shows more messages on request, and few again for another query', async () => {
    const view = await show();
    await search(view);
    await view.notify(answer('EBUSY', true));
    await view.page.getByText('The best 2 messages').waitFor();
    await view.page.getByRole('button', { name: 'Show more messages' }).click();
    await view.expectPost({ type: 'archive-search', query: 'EBUSY', most: 70 });
    await view.notify(answer('EBUSY'));
    await view.page.getByText('2 messages', { exact: true }).waitFor();
    expect(await view.page.getByRole('button', { name: 'Show more messages' }).count()).toBe(0);
    await search(view, 'rename');
  });

  it('is repeated once the session has grown', async () => {
    const view = await show();
    await search(view);
    await view.notify(inspectorSnapshot({}, 2));
    await eventually(async () => (await view.posted('archive-search')).length).toBe(2);
  });

  it('is forgotten when it is closed', async () => {
    const view = await show();
    await search(view);
    await openSearch(view);
    await view.expectPost({ type: 'facts', filter: { text: '' }, from: 0 });
    expect(await places(view).count()).toBe(0);
  });
});

describe('a read-only session', () => {
  it('can be searched, but offers no actions to restore or pin', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(subAgentSnapshot());
    await view.page.getByRole('tab', { name: 'Facts' }).click();
    await view.notify(factsAnswer({ sessionId: 'session-1.b' }));
    await view.page
      .getByRole('button', { name: /lock\.ts/ })
      .first()
      .click();
    await view.page.getByRole('button', { name: /edit_file/ }).click();
    await view.page.getByRole('button', { name: 'Open in editor' }).waitFor();
    for (const name of ['Restore', 'Pin', 'Unpin']) {
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
  await view.page.getByRole('button', { name: /^x+/ }).click();
  await view.page.getByRole('button', { name: /^Assistant x+/ }).click();
  for (const width of [1600, 300, 170]) {
    await view.resize({ width });
    expect(await view.overflow(), `${width} pixels`).toBe(0);
  }
});
