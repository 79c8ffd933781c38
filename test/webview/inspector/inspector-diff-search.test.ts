import { describe, expect, it } from 'vitest';
import type { DiffMatch } from '../../../src/protocol/inspector-compactions.ts';
import { allSummarySources } from '../support/inspector-fixtures.ts';
import { chooseFilter, focusedName, showDiff, texts } from '../support/show-diff.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();
const show = () => showDiff(suite);

const focused = focusedName;
const rowsShown = (view: InspectorView) => view.page.locator('.diff-row').count();

function match(changes: Partial<DiffMatch> & Pick<DiffMatch, 'index' | 'messageId'>): DiffMatch {
  return {
    side: 'before',
    count: 1,
    excerpt: { before: '…then ', match: 'EBUSY', after: ' again' },
    ...changes,
  };
}

/** Matches found by the host, in view order. */
const matches: readonly DiffMatch[] = [
  match({ index: 1, messageId: 'n3', count: 2 }),
  match({ index: 3, messageId: 'm71' }),
  match({ index: 8, messageId: 'k9', side: 'both' }),
];

async function search(view: InspectorView, query = 'EBUSY'): Promise<void> {
  await view.page.getByRole('searchbox', { name: 'Search both sides' }).fill(query);
  await view.expectPost({ type: 'search-diff', recordId: 'r3', query });
  await view.notify({ type: 'diff-matches', recordId: 'r3', query, matches, total: matches.length });
}

const marked = (view: InspectorView) =>
  view.page.evaluate(() => [...(CSS.highlights.get('search') ?? [])].map(String));
const status = (view: InspectorView) => view.page.locator('.search [role=status]').innerText();

describe('the search in the diff', () => {
  it('runs on the host once typing pauses, and shows the number of matches', async () => {
    const view = await show();
    await search(view);
    await eventually(() => status(view)).toBe('4 matches in 3 messages');
    expect(await view.posted('search-diff')).toHaveLength(1);
  });

  it('moves from message to message, expands each message and marks the matches', async () => {
    const view = await show();
    await search(view);
    const box = view.page.getByRole('searchbox');
    await box.press('Enter');
    await view.expectPost({ type: 'sources', recordId: 'r3', index: 1 });
    await view.notify({ type: 'sources', recordId: 'r3', index: 1, sources: allSummarySources });
    await view.expectPost({ type: 'texts', recordId: 'r3', messageId: 'n3' });
    await view.notify(texts('n3', 'first EBUSY then ebusy', ''));
    await eventually(() => marked(view)).toEqual(expect.arrayContaining(['ebusy']));
    expect(await status(view)).toBe('1 of 3 · 4 matches in 3 messages · before · …then EBUSY again');
    await box.press('Enter');
    await view.expectPost({ type: 'texts', recordId: 'r3', messageId: 'm71' });
    await box.press('Shift+Enter');
    await eventually(() => status(view)).toMatch(/^1 of 3/);
  });

  it('expands collapsed kept messages that contain a match', async () => {
    const view = await show();
    await search(view);
    await view.page.getByRole('searchbox').press('Shift+Enter');
    await view.expectPost({ type: 'sources', recordId: 'r3', index: 8 });
    expect(await status(view)).toContain('3 of 3');
    expect(await status(view)).toContain('kept');
  });

  it('marks a match that spans changed and unchanged words', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^edit_file/ }).click();
    await view.notify(texts('m76', 'keep this and lose that', 'keep this and gain that'));
    await view.page.locator('.texts pre').first().waitFor();
    await view.page.getByRole('searchbox').fill('and lose that');
    await eventually(() => marked(view)).toEqual(['and lose that']);
  });

  it('states that nothing was found', async () => {
    const view = await show();
    await view.page.getByRole('searchbox').fill('nowhere');
    await view.expectPost({ type: 'search-diff', recordId: 'r3', query: 'nowhere' });
    await view.notify({ type: 'diff-matches', recordId: 'r3', query: 'nowhere', matches: [], total: 0 });
    await eventually(() => status(view)).toBe('No matches.');
    expect(await view.page.getByRole('button', { name: /^Next match/ }).isDisabled()).toBe(true);
  });

  it('ignores the answer to an earlier query', async () => {
    const view = await show();
    await search(view);
    await view.page.getByRole('searchbox').fill('EBUSY:');
    await view.notify({ type: 'diff-matches', recordId: 'r3', query: 'EBUSY', matches, total: 3 });
    expect(await status(view)).toBe('Searching…');
  });

  it('ends with Escape', async () => {
    const view = await show();
    await search(view);
    await view.page.getByRole('searchbox').press('Escape');
    await eventually(() => status(view)).toBe('');
    await eventually(() => view.page.getByRole('searchbox').inputValue()).toBe('');
    await eventually(() => marked(view)).toEqual([]);
  });

  it('begins with Ctrl+F', async () => {
    const view = await show();
    await view.page.locator('.diff-rows [data-stop][tabindex="0"]').focus();
    await view.page.keyboard.press('ControlOrMeta+f');
    await eventually(() => focused(view)).toBe('Search both sides');
  });
});

describe('stepping through changes', () => {
  it('moves with F7, skips kept messages and wraps around the end', async () => {
    const view = await show();
    await view.page.locator('.diff-rows [data-stop][tabindex="0"]').focus();
    const visited: string[] = [];
    for (let presses = 0; presses < 7; presses++) {
      await view.page.keyboard.press('F7');
      await eventually(() => focused(view)).not.toBe(visited.at(-1));
      visited.push(await focused(view));
    }
    expect(visited).toEqual([
      expect.stringMatching(/^18 messages/),
      expect.stringMatching(/^run_command npm test -- --repeat 40/),
      expect.stringMatching(/^read_file package-lock.json/),
      expect.stringMatching(/^edit_file src\/session\/lock.ts/),
      expect.stringMatching(/^Reminder/),
      expect.stringMatching(/^inserted Ledger/),
      expect.stringMatching(/^18 messages/),
    ]);
    await view.page.keyboard.press('Shift+F7');
    await eventually(() => focused(view)).toMatch(/^inserted Ledger/);
  });

  it('announces the position of the change', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^Next change/ }).click();
    await eventually(() => view.page.locator('.steps [role=status]').innerText()).toBe('change 1 of 6');
  });

  it('skips changes that the filter hides', async () => {
    const view = await show();
    await chooseFilter(view, 'Hidden');
    await eventually(() => view.page.locator('.steps').innerText()).toContain('1 change');
    await view.page.getByRole('button', { name: /^Next change/ }).click();
    await eventually(() => focused(view)).toMatch(/^read_file package-lock/);
  });
});

describe('the filter of the diff', () => {
  it('selects rows by tool', async () => {
    const view = await show();
    await chooseFilter(view, 'edit_file');
    await eventually(() => rowsShown(view)).toBe(1);
  });

  it('selects rows by a part of a path', async () => {
    const view = await show();
    await chooseFilter(view, 'Part of a path');
    const path = view.page.getByRole('textbox', { name: 'File' });
    await path.fill('LOCK.ts');
    await eventually(() => rowsShown(view)).toBe(6);
    await path.fill('nowhere');
    await view.page.getByText('No matching messages.').waitFor();
  });

  it('is removed if it hides the current match', async () => {
    const view = await show();
    await chooseFilter(view, 'Hidden');
    await search(view);
    await view.page.getByRole('searchbox').press('Enter');
    await eventually(() => rowsShown(view)).toBe(13);
  });
});

describe('a summary and the messages that it replaced', () => {
  it('are listed together when the summary is opened', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /Summary of 18/ }).click();
    await view.expectPost({ type: 'sources', recordId: 'r3', index: 1 });
    await view.notify({ type: 'sources', recordId: 'r3', index: 1, sources: allSummarySources });
    await view.page.getByRole('button', { name: /^step 14/ }).waitFor();
  });

  it('link to each other', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^Assistant summarised/ }).click();
    await view.notify(texts('m4', 'I will look', undefined));
    await view.page.getByRole('button', { name: 'Show its replacement' }).click();
    await eventually(() => focused(view)).toMatch(/^18 messages/);
    await view.page.keyboard.press('Enter');
    await view.notify(texts('s1', '', 'Goal'));
    await view.page.getByRole('button', { name: 'Show the messages it replaces' }).click();
    await eventually(() => focused(view)).toMatch(/^Assistant summarised/);
  });
});
