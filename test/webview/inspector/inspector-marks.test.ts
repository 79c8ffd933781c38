import { describe, expect, it } from 'vitest';
import type { FactView, MarkName } from '../../../src/protocol/inspector-ledger.ts';
import { graveFindings } from '../support/accessibility.ts';
import { contrasts } from '../support/colours.ts';
import { inspectorSnapshot, subAgentSnapshot } from '../support/inspector-fixtures.ts';
import { factsAnswer } from '../support/tab-fixtures.ts';
import { triedThemes } from '../support/themes.ts';
import { eventually, inspectorSuite, type InspectorView, type OpenOptions } from '../support/view.ts';

const suite = inspectorSuite();
const source = {
  messageId: 'm2',
  kind: 'user',
  title: 'Repair it',
  isInView: true,
  isPinned: false,
} as const;
const fact = (section: FactView['section'], text: string, as?: MarkName): FactView => ({
  section,
  text,
  ...(as === undefined ? {} : { mark: { as, sentence: text } }),
  presence: 'verbatim',
  sources: [source],
  sourceCount: 1,
});
const facts: readonly FactView[] = [
  fact('marked', 'Answer in Chinese.', 'rule'),
  fact('requests', 'Repair the lock.'),
  fact('constraints', 'Never push.'),
  fact('filesModified', 'src/lock.ts'),
  fact('struck', 'Use tabs.', 'struck'),
];

async function show(options: OpenOptions = { width: 900 }, canMark = true): Promise<InspectorView> {
  const view = await suite.open(options);
  await view.notify(inspectorSnapshot({ canMark }));
  await view.page.getByRole('tab', { name: 'Facts' }).click();
  await view.notify(factsAnswer({ facts, total: facts.length }));
  await row(view, 'Repair the lock.').waitFor();
  return view;
}

const row = ({ page }: InspectorView, text: string) => page.locator('.fact-row', { hasText: text });
const menu = ({ page }: InspectorView) => page.getByRole('menu', { name: 'Mark the sentence' });
const items = async (view: InspectorView) =>
  (await menu(view).getByRole('menuitem').allInnerTexts()).map((item) => item.replace(/\s+/gu, ' ').trim());
const isSaid = (view: InspectorView, text: string) =>
  view.page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });

/** Opens the source of a fact, and selects a part of what it says. */
async function select(view: InspectorView, words: string): Promise<void> {
  await row(view, 'Never push.').click();
  await view.page.getByRole('button', { name: /Repair it/ }).click();
  await view.notify({
    type: 'archive-text',
    sessionId: 'session-1',
    messageId: 'm2',
    text: 'Repair the lock. The tests are slow.\nNever push.',
    isCut: false,
  });
  await view.page.locator('pre[data-said]').waitFor();
  await view.page.evaluate((wanted) => {
    const pre = document.querySelector('pre[data-said]') as HTMLElement;
    const text = pre.firstChild as Text;
    const start = text.data.indexOf(wanted);
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, start + wanted.length);
    pre.focus();
    getSelection()!.removeAllRanges();
    getSelection()!.addRange(range);
  }, words);
}

describe('a sentence in the list of facts', () => {
  it.each([
    ['r', 'rule', 'Marked as rule: Never push.'],
    ['d', 'decision', 'Marked as decision: Never push.'],
    ['x', 'done', 'Marked as done: Never push.'],
    ['Delete', 'struck', 'Marked as struck: Never push.'],
  ] as const)('is marked with the key %s, which a status message confirms', async (key, as, outcome) => {
    const view = await show();
    await row(view, 'Never push.').press(key);
    await view.expectPost({ type: 'mark-sentence', sentence: 'Never push.', messageId: 'm2', as });
    await isSaid(view, outcome);
  });

  it('is reworded in a field in which shortcut keys only type text', async () => {
    const view = await show();
    await row(view, 'Never push.').press('e');
    const field = view.page.getByLabel('Your words in its place');
    expect(await field.inputValue()).toBe('Never push.');
    await field.fill('');
    await view.page.keyboard.type('Push to dev, never to red');
    await view.page.keyboard.press('Enter');
    await view.expectPost({
      type: 'mark-sentence',
      sentence: 'Never push.',
      messageId: 'm2',
      as: 'rule',
      words: 'Push to dev, never to red',
    });
    expect(await view.posted('mark-sentence')).toHaveLength(1);
  });

  it('stays unchanged if the rewording is cancelled', async () => {
    const view = await show();
    await row(view, 'Never push.').press('e');
    await view.page.keyboard.type('x');
    await view.page.keyboard.press('Escape');
    await eventually(() => row(view, 'Never push.').evaluate((one) => one === document.activeElement)).toBe(
      true,
    );
    expect(await view.posted('mark-sentence')).toEqual([]);
  });

  it.each(['Answer in Chinese.', 'Use tabs.'])('loses its mark with u: %s', async (sentence) => {
    const view = await show();
    await row(view, sentence).press('u');
    await view.expectPost({ type: 'mark-sentence', sentence });
    await isSaid(view, `Mark removed: ${sentence}`);
  });

  it('is marked and unmarked with the mouse in a menu that shows the keys', async () => {
    const view = await show();
    await row(view, 'Answer in Chinese.').click({ button: 'right' });
    expect(await items(view)).toEqual([
      'Decision D',
      'Done X',
      'Reword… E',
      'Strike Delete',
      'Remove the mark U',
    ]);
    await menu(view).getByRole('menuitem', { name: 'Done' }).click();
    await view.expectPost({
      type: 'mark-sentence',
      sentence: 'Answer in Chinese.',
      messageId: 'm2',
      as: 'done',
    });
    await view.page
      .locator('.fact-head', { hasText: 'Use tabs.' })
      .getByRole('button', { name: 'Mark sentence…' })
      .click();
    expect(await items(view)).toEqual(['Remove the mark U']);
  });

  it('loses its newest mark with Ctrl+Z', async () => {
    const view = await show();
    await row(view, 'Repair the lock.').press('x');
    await row(view, 'Never push.').press('Delete');
    await view.page.keyboard.press('Control+z');
    await isSaid(view, 'Mark removed: Never push.');
    await view.page.keyboard.press('Control+z');
    await isSaid(view, 'Mark removed: Repair the lock.');
  });

  it('passes the focus to the next sentence when it disappears', async () => {
    const view = await show();
    await row(view, 'Repair the lock.').press('Delete');
    await view.notify(
      factsAnswer({ facts: facts.filter(({ section }) => section !== 'requests'), total: 4 }),
    );
    await eventually(() => view.page.evaluate(() => document.activeElement?.textContent ?? '')).toContain(
      'Never push.',
    );
  });

  it('cannot be marked if it is only a path', async () => {
    const view = await show();
    await row(view, 'src/lock.ts').press('r');
    await row(view, 'src/lock.ts').click({ button: 'right' });
    expect(await menu(view).count()).toBe(0);
    expect(await view.posted('mark-sentence')).toEqual([]);
  });
});

describe('a sentence of a message', () => {
  it('is marked with a key when it is selected', async () => {
    const view = await show();
    await select(view, 'The tests are slow.');
    await view.page.keyboard.press('d');
    await view.expectPost({
      type: 'mark-sentence',
      sentence: 'The tests are slow.',
      messageId: 'm2',
      as: 'decision',
    });
  });

  it('is marked with the button beside the selection', async () => {
    const view = await show();
    await select(view, 'The tests are slow.');
    await view.page.locator('.mark-beside').click();
    await menu(view).getByRole('menuitem', { name: 'Rule' }).click();
    await view.expectPost({
      type: 'mark-sentence',
      sentence: 'The tests are slow.',
      messageId: 'm2',
      as: 'rule',
    });
  });

  it('cannot be marked unless it is selected', async () => {
    const view = await show();
    await select(view, 'The tests are slow.');
    await view.page.evaluate(() => getSelection()!.collapseToStart());
    await view.page.keyboard.press('r');
    await isSaid(view, 'Select a sentence first.');
  });
});

describe('a read-only session', () => {
  it('offers no marks, and explains this', async () => {
    const view = await show({ width: 900 }, false);
    expect(await view.page.getByRole('button', { name: 'Mark sentence…' }).count()).toBe(0);
    await row(view, 'Never push.').press('r');
    await isSaid(view, 'Sentences of this session cannot be marked, because it is read-only.');
    expect(await view.posted('mark-sentence')).toEqual([]);
  });

  it('offers no marks in a sub-agent', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(subAgentSnapshot());
    await view.page.getByRole('tab', { name: 'Facts' }).click();
    await view.notify(factsAnswer({ sessionId: 'session-1.b', facts, total: facts.length }));
    await row(view, 'Never push.').press('r');
    await isSaid(view, 'cannot be marked');
  });
});

describe.each(triedThemes)('in the theme %s', (theme) => {
  it('marks are readable and accessible', async () => {
    const view = await show({ theme, width: 900 });
    await row(view, 'Never push.').click({ button: 'right' });
    const found = await contrasts(view.page, '.fact-mark, .menu-item, .menu-hint');
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
    expect(await graveFindings(view.page)).toEqual([]);
  });
});
