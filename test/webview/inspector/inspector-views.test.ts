import { describe, expect, it } from 'vitest';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import type { PointView, ViewDifferenceView } from '../../../src/protocol/inspector-views.ts';
import { diff, inspectorSnapshot, message, usage } from '../support/inspector-fixtures.ts';
import { timelineAnswer } from '../support/tab-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();
const sessionId = 'session-1';
const points: readonly PointView[] = [
  { type: 'request', number: 1, at: 2 },
  { type: 'request', number: 2, at: 4 },
  { type: 'compaction', recordId: 'r3', strategy: 'ladder', at: 6 },
  { type: 'request', number: 3, at: 6 },
  { type: 'undo', at: 9 },
  { type: 'now', at: 9 },
];
const difference = (from: number, to: number): ViewDifferenceView => ({
  from,
  to,
  before: { messages: 3, tokens: 1_200, byKind: { ...usage.byKind, toolResult: 900 } },
  after: { messages: 5, tokens: 1_500, byKind: { ...usage.byKind, toolResult: 100 } },
});
const one = { sourceCount: 1, kinds: { toolResult: 1 } } as const;
const rows: readonly DiffRowView[] = [
  {
    ...one,
    index: 0,
    fate: 'hide',
    reason: 'old output',
    sources: [message({ id: 'r1', kind: 'toolResult', title: 'read_file', tokens: 900 })],
    output: message({ id: 'r1', kind: 'toolResult', title: 'read_file', tokens: 10 }),
    tokensBefore: 900,
    tokensAfter: 10,
  },
  {
    ...one,
    index: 1,
    fate: 'restore',
    reason: 'in context again',
    sources: [message({ id: 'r2', kind: 'toolResult', title: 'run_command', tokens: 12 })],
    output: message({ id: 'r2', kind: 'toolResult', title: 'run_command', tokens: 80 }),
    tokensBefore: 12,
    tokensAfter: 80,
  },
  {
    index: 2,
    fate: 'insert',
    reason: 'added in between',
    sources: [],
    sourceCount: 0,
    kinds: {},
    output: message({ id: 'u2', kind: 'user', title: 'You', tokens: 9 }),
    tokensBefore: 0,
    tokensAfter: 9,
  },
];

/** The Timeline tab; as of a session of another agent, if it has a number of messages. */
async function timeline(messageCount?: number): Promise<InspectorView> {
  const view = await suite.open({ width: 1200 });
  await view.notify(inspectorSnapshot(messageCount === undefined ? {} : { messageCount }));
  await view.page.getByRole('tab', { name: 'Timeline' }).click();
  await view.notify(timelineAnswer());
  return view;
}

/** Compares request 1 with now. */
async function compare(view: InspectorView): Promise<void> {
  await view.page.getByRole('button', { name: 'Compare…' }).click();
  await view.notify({ type: 'view-points', sessionId, points });
  await view.notify({ type: 'view-difference', sessionId, view: difference(2, 9) });
  await view.notify(diff('views:2:9', rows));
  await view.page.locator('.diff-row').first().waitFor();
}

describe('the context at two points', () => {
  it('is compared from the first request to the present', async () => {
    const view = await timeline();
    await compare(view);
    await view.expectPost({ type: 'view-difference', from: 2, to: 9 });
    await view.expectPost({ type: 'diff', recordId: 'views:2:9' });
    const fates = await view.page.locator('.diff-row .fate').allInnerTexts();
    expect(fates).toEqual(['hidden', 'restored', 'inserted']);
    const sizes = await view.page.locator('.views-size > span').allInnerTexts();
    expect(sizes).toEqual(['1,200 tokens in 3 messages', '1,500 tokens in 5 messages']);
  });

  it('lists tokens of kinds that differ', async () => {
    const view = await timeline();
    await compare(view);
    await view.page.getByText('Tool results 900 → 100').waitFor();
  });

  it('offers every request and change, and merges points with no changes between them', async () => {
    const view = await timeline();
    await compare(view);
    const offered = await view.page.getByLabel('From', { exact: true }).locator('option').allInnerTexts();
    expect(offered).toEqual(['Request 1', 'Request 2', 'After Ladder = Request 3', 'After an undo = Now']);
  });

  it('has the earlier point first, regardless of the order in which they were chosen', async () => {
    const view = await timeline();
    await compare(view);
    await view.page.getByLabel('From', { exact: true }).selectOption('9');
    await view.page.getByLabel('To', { exact: true }).selectOption('4');
    await view.expectPost({ type: 'view-difference', from: 4, to: 9 });
    expect(await view.page.getByLabel('From', { exact: true }).inputValue()).toBe('4');
  });

  it('ignores an answer about points that are no longer chosen', async () => {
    const view = await timeline();
    await compare(view);
    await view.page.getByLabel('From', { exact: true }).selectOption('6');
    await view.notify({ type: 'view-difference', sessionId, view: difference(4, 9) });
    expect(await view.page.locator('.diff-row').count()).toBe(0);
  });

  it('is compared at both ends of the selected range', async () => {
    const view = await timeline();
    const { page } = view;
    await page.locator('.stage').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByRole('button', { name: 'Compare both ends' }).click();
    await view.notify({ type: 'view-points', sessionId, points });
    await view.expectPost({ type: 'view-difference', from: 2, to: 4 });
  });

  it('can be compared from a compaction to the present', async () => {
    const view = await suite.open({ width: 1200 });
    await view.notify(inspectorSnapshot());
    await view.page.getByRole('button', { name: 'Details' }).click();
    await view.page.getByRole('button', { name: 'Compare with now…' }).click();
    await view.notify({ type: 'view-points', sessionId, points });
    await view.expectPost({ type: 'view-difference', from: 6, to: 9 });
  });

  it('can be compared, but not changed, in a read-only session', async () => {
    const view = await timeline(40);
    await compare(view);
    await view.page.locator('.is-hide .pair').click();
    await view.notify({ type: 'texts', recordId: 'views:2:9', messageId: 'r1', before: 'long', after: '' });
    await view.page.locator('.texts pre').first().waitFor();
    expect(await view.page.locator('.texts-actions').allInnerTexts()).toEqual(['Open in diff editor']);
  });

  it('follows the session when one point is the present', async () => {
    const view = await timeline();
    await compare(view);
    await view.notify(inspectorSnapshot({}, 2));
    await view.notify({
      type: 'view-points',
      sessionId,
      points: [...points.slice(0, -1), { type: 'now', at: 12 }],
    });
    await view.expectPost({ type: 'view-difference', from: 2, to: 12 });
  });

  it('is closed by Escape, which shows the chart again', async () => {
    const view = await timeline();
    await compare(view);
    await view.page.keyboard.press('Escape');
    await view.page.locator('.stage').waitFor();
    await eventually(() => view.page.locator(':focus').innerText()).toContain('Compare…');
  });

  it('can be stepped through from change to change with F7', async () => {
    const view = await timeline();
    await compare(view);
    await view.page.locator('.views h3').first().focus();
    await view.page.keyboard.press('F7');
    await view.page.getByText('change 1 of 3', { exact: true }).waitFor();
  });
});
