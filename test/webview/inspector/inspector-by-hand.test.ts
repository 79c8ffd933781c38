import { describe, expect, it } from 'vitest';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { inspectorSnapshot, message } from '../support/inspector-fixtures.ts';
import { graveFindings } from '../support/accessibility.ts';
import { focusedName, showDiff, texts } from '../support/show-diff.ts';
import { unfold } from '../support/content.ts';
import { budgetAnswer, factsAnswer, hits, timelineAnswer } from '../support/tab-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();

const clipped: DiffRowView = {
  index: 0,
  fate: 'clip',
  reason: 'head and tail kept',
  sources: [message({ id: 'm1', title: 'Result', label: 'src/store.ts', isInContext: true })],
  sourceCount: 1,
  kinds: { toolResult: 1 },
  output: message({ id: 'm1', title: 'Result' }),
  tokensBefore: 100,
  tokensAfter: 20,
};
const hidden: DiffRowView = {
  ...clipped,
  index: 1,
  sources: [message({ id: 'm2', title: 'Result', label: 'src/lock.ts', isHidden: true })],
};
const gone: DiffRowView = {
  ...clipped,
  index: 2,
  sources: [message({ id: 'm3', title: 'Result', label: 'src/old.ts' })],
};

const rows = [clipped, hidden, gone];
const line = ({ page }: InspectorView, name: string) => page.locator('.pair', { hasText: name });
const items = ({ page }: InspectorView) => page.getByRole('menuitem').allInnerTexts();

describe('a message in the diff', () => {
  it('has a menu of manual actions on a right click', async () => {
    const view = await showDiff(suite, rows);
    await line(view, 'src/store.ts').click({ button: 'right' });
    expect(await items(view)).toEqual([
      'Hide…',
      'Select or deselect',
      'Compact everything above…',
      'Compact everything below…',
      'Continue from here…',
    ]);
    expect(await graveFindings(view.page)).toEqual([]);
  });

  it.each([
    ['Hide…', { type: 'hide', selection: { messageIds: ['m1'] } }],
    ['Compact everything above…', { type: 'compact-part', above: 'm1' }],
    ['Compact everything below…', { type: 'compact-part', below: 'm1' }],
    ['Continue from here…', { type: 'rewind', messageId: 'm1' }],
  ] satisfies [string, InspectorRequest][])('offers the action %s', async (name, request) => {
    const view = await showDiff(suite, rows);
    await line(view, 'src/store.ts').click({ button: 'right' });
    await view.page.getByRole('menuitem', { name }).click();
    await view.expectPost(request);
  });

  it('opens its menu with a key, and gets the focus back afterwards', async () => {
    const view = await showDiff(suite, rows);
    await line(view, 'src/store.ts').focus();
    const name = await focusedName(view);
    await view.page.keyboard.press('Shift+F10');
    await eventually(() => focusedName(view)).toBe('Hide…');
    await view.page.keyboard.press('End');
    expect(await focusedName(view)).toBe('Continue from here…');
    await view.page.keyboard.press('Escape');
    expect(await focusedName(view)).toBe(name);
    expect(await view.page.getByRole('menu').count()).toBe(0);
  });

  it('is hidden with Delete', async () => {
    const view = await showDiff(suite, rows);
    await line(view, 'src/store.ts').press('Delete');
    await view.expectPost({ type: 'hide', selection: { messageIds: ['m1'] } });
  });

  it('shows that it was hidden by hand, and can be shown again', async () => {
    const view = await showDiff(suite, rows);
    const row = line(view, 'src/lock.ts');
    await row.getByText('hidden by hand').waitFor();
    await row.click();
    await view.notify(texts('m2', 'all of it', 'gone'));
    await view.page.locator('.diff').getByRole('button', { name: 'Show', exact: true }).click();
    await view.expectPost({ type: 'show', messageIds: ['m2'] });
    await view.notify(inspectorSnapshot({}, 2));
    await eventually(async () => (await view.posted('diff')).length).toBe(2);
  });

  it('has no menu if it is out of context, or if the session is read-only', async () => {
    const view = await showDiff(suite, rows);
    await line(view, 'src/old.ts').click({ button: 'right' });
    expect(await view.page.getByRole('menu').count()).toBe(0);
    await view.notify(inspectorSnapshot({ messageCount: 3 }, 2));
    await line(view, 'src/store.ts').click({ button: 'right' });
    expect(await view.page.getByRole('menu').count()).toBe(0);
  });

  it('can be selected with others and hidden together', async () => {
    const view = await showDiff(suite, rows);
    await line(view, 'src/store.ts').click({ modifiers: ['ControlOrMeta'] });
    await line(view, 'src/lock.ts').click({ modifiers: ['ControlOrMeta'] });
    const bar = view.page.getByRole('group', { name: 'Selected messages' });
    await bar.getByText('2 messages selected').waitFor();
    expect(await view.page.locator('[data-picked]').count()).toBe(2);
    await bar.getByRole('button', { name: 'Hide…' }).click();
    await view.expectPost({ type: 'hide', selection: { messageIds: ['m1'] } });
    expect(await bar.isVisible()).toBe(false);
  });

  it('is counted if it was kept and then hidden', async () => {
    const kept: DiffRowView = { ...clipped, fate: 'keep', sources: [], sourceCount: 4, hiddenCount: 2 };
    const view = await showDiff(suite, [kept]);
    await view.page.getByText('2 hidden by hand').waitFor();
  });
});

describe('the tab Window', () => {
  async function show(): Promise<InspectorView> {
    const view = await suite.open({ width: 1200 });
    await view.notify(inspectorSnapshot());
    await view.page.getByRole('tab', { name: 'Window' }).click();
    await view.notify(
      budgetAnswer({ hidden: [{ id: 'm5', kind: 'toolResult', title: 'git log', tokens: 900 }] }),
    );
    await view.page.getByRole('button', { name: 'Files' }).waitFor();
    await unfold(view.page);
    return view;
  }

  it.each([
    ['Largest messages', 'package-lock.json', 'Hide…', { messageIds: ['m74'] }],
    ['Tools', 'read_file', 'Hide all results of read_file…', { tool: 'read_file' }],
    ['Files', 'package-lock.json', 'Hide all results for package-lock.json…', { path: 'package-lock.json' }],
  ])('hides messages from the list %s', async (name, entry, item, selection) => {
    const view = await show();
    const list = view.page.getByRole('list', { name });
    await list.getByRole('button', { name: entry }).click({ button: 'right' });
    await view.page.getByRole('menuitem', { name: item }).click();
    await view.expectPost({ type: 'hide', selection });
  });

  it('has a visible menu button that the keyboard can reach', async () => {
    const view = await show();
    const row = view.page.getByRole('list', { name: 'Largest messages' }).getByRole('listitem').first();
    const more = row.getByRole('button', { name: 'More actions…' });
    expect(await more.getAttribute('title')).toBe('More actions for read_file package-lock.json');
    await more.focus();
    await view.page.keyboard.press('Enter');
    await view.page.getByRole('menuitem', { name: 'Hide…' }).click();
    await view.expectPost({ type: 'hide', selection: { messageIds: ['m74'] } });
    expect(await view.overflow()).toBe(0);
  });

  it('lists hidden messages, and can show them again', async () => {
    const view = await show();
    const list = view.page.getByRole('list', { name: 'Hidden by hand' });
    await list.getByRole('button', { name: 'git log' }).click({ button: 'right' });
    await view.page.getByRole('menuitem', { name: 'Show' }).click();
    await view.expectPost({ type: 'show', messageIds: ['m5'] });
  });
});

describe('the Facts tab', () => {
  it('hides a match, and marks hidden matches', async () => {
    const view = await suite.open({ width: 1200 });
    await view.notify(inspectorSnapshot());
    await view.page.getByRole('tab', { name: 'Facts' }).click();
    await view.notify(factsAnswer());
    await view.page.getByRole('button', { name: 'Search', exact: true }).click();
    await view.page.getByRole('searchbox').fill('EBUSY');
    await eventually(async () => (await view.posted('archive-search')).length).toBeGreaterThan(0);
    const found = { ...hits[0]!, isInView: true };
    const other = { ...found, messageId: 'm9', excerpt: 'EBUSY again', isInView: false, isHidden: true };
    await view.notify({
      type: 'archive-hits',
      sessionId: 'session-1',
      query: 'EBUSY',
      hits: [
        { ...found, ranges: [] },
        { ...other, ranges: [] },
      ],
    });
    await view.page.locator('.said').nth(1).getByText('hidden by hand').waitFor();
    await view.page.locator('.said').first().press('Delete');
    await view.expectPost({ type: 'hide', selection: { messageIds: [found.messageId] } });
  });
});

describe('the Timeline tab', () => {
  async function show(): Promise<InspectorView> {
    const view = await suite.open({ width: 900 });
    await view.notify(inspectorSnapshot());
    await view.page.getByRole('tab', { name: 'Timeline' }).click();
    await view.notify(timelineAnswer({ hidden: [0] }));
    await view.page.locator('.stage').waitFor();
    return view;
  }

  /** Clicks on a request of the 96. */
  async function clickOn({ page }: InspectorView, request: number, shift = false): Promise<void> {
    const { width, height } = (await page.locator('.stage').boundingBox())!;
    const position = { x: ((request - 0.5) / 96) * width, y: height / 2 };
    await page.locator('.stage').click({ position, modifiers: shift ? ['Shift'] : [] });
  }

  const press = ({ page }: InspectorView, name: string) => page.getByRole('button', { name }).click();

  it('can compact a range selected with two clicks, the second one with Shift', async () => {
    const view = await show();
    await clickOn(view, 3);
    await view.page.getByText('Request 3', { exact: true }).waitFor();
    await clickOn(view, 7, true);
    await view.page.getByText('Requests 3 to 7', { exact: true }).waitFor();
    await press(view, 'Compact from here to here…');
    await view.expectPost({ type: 'compact-part', from: 'u3', to: 'a7' });
  });

  it('can compact a range selected with Shift and an arrow key', async () => {
    const view = await show();
    await view.page.locator('.stage').press('Home');
    await view.page.keyboard.press('Shift+ArrowRight');
    await press(view, 'Compact from here to here…');
    await view.expectPost({ type: 'compact-part', from: 'u1', to: 'a2' });
  });

  it.each([
    ['Hide…', { type: 'hide', selection: { messageIds: ['a3'] } }],
    ['Compact everything above…', { type: 'compact-part', to: 'a2' }],
    ['Compact everything below…', { type: 'compact-part', from: 'u4' }],
    ['Continue from here…', { type: 'rewind', messageId: 'a3' }],
  ] satisfies [string, InspectorRequest][])('offers for a selected request: %s', async (name, request) => {
    const view = await show();
    await clickOn(view, 3);
    await press(view, name);
    await view.expectPost(request);
  });

  it('can show a hidden reply again', async () => {
    const view = await show();
    await clickOn(view, 1);
    await press(view, 'Show');
    await view.expectPost({ type: 'show', messageIds: ['a1'] });
  });
});
