import { describe, expect, it } from 'vitest';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import {
  allSummarySources,
  diff,
  diffRows,
  inspectorSnapshot,
  ladder,
  message,
} from '../support/inspector-fixtures.ts';
import { focusedName, namesOf, showDiff, texts } from '../support/show-diff.ts';
import { eventually, inspectorSuite } from '../support/view.ts';

const suite = inspectorSuite();
const show = (rows?: readonly DiffRowView[]) => showDiff(suite, rows);

describe('the diff', () => {
  it('states the fate of each message in words, with the reason', async () => {
    const view = await show();
    const names = await namesOf(view.page.locator('.diff-rows [data-stop]'));
    expect(names).toEqual([
      '3 messages kept · system, memory, you 5,931 tokens',
      expect.stringMatching(
        /^18 messages · assistant, tool calls, tool results 28,670 tokens summarised Summary of 18 messages · older than the last 6 turns 1,204 tokens Goal: make /,
      ),
      'Assistant summarised I will look at how the store flushes before the test reads it back… 412 tokens',
      'read_file src/session/store.ts summarised 61 tokens',
      'Result summarised export class SessionStore { private readonly queue = new Queue(); 6,820 tokens',
      '15 more messages 21,377 tokens',
      '8 messages kept · assistant, tool results 4,102 tokens',
      expect.stringMatching(
        /^run_command npm test -- --repeat 40 .* 9,412 tokens offloaded recall\("m71"\) exit 1 .* 186 tokens$/,
      ),
      expect.stringMatching(
        /^read_file package-lock.json .* 11,030 tokens hidden read again later, newer copy kept .* 24 tokens$/,
      ),
      expect.stringMatching(
        /^edit_file src\/session\/lock.ts .* 1,330 tokens clipped arguments, head and tail kept .* 210 tokens$/,
      ),
      'Reminder The task list is empty. 40 tokens dropped the oldest turn',
      'inserted Ledger what the ledger knows Files read: 14. Commands: 31. 260 tokens',
      '50 messages kept · you, assistant, tool calls, tool results 39,817 tokens',
    ]);
  });

  it('names tokens and messages of each side above it', async () => {
    const { page } = await show();
    expect(await page.locator('.diff-side > span:first-child').allInnerTexts()).toEqual([
      'Before 109,214 · 83 messages',
      'After 51,370 · 66 messages',
    ]);
  });

  it('shows each row before and after side by side, aligned with all other rows', async () => {
    const { page } = await show();
    const lefts = await page
      .locator('.pair > .cell:last-child, .head > .cell:last-child')
      .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().left)));
    expect(lefts.length).toBeGreaterThan(4);
    expect(new Set(lefts).size).toBe(1);
  });

  it('shows fates as icons, with their words in the tooltips', async () => {
    const { page } = await show();
    const fates = await page
      .locator('.fate > .sign')
      .evaluateAll((signs) =>
        signs.map((sign) => [sign.getAttribute('title'), sign.querySelectorAll('svg').length]),
      );
    expect(fates).toEqual([
      ['summarised', 1],
      ['offloaded', 1],
      ['hidden', 1],
      ['clipped', 1],
      ['dropped', 1],
      ['inserted', 1],
    ]);
  });

  it('joins a summary with exactly the messages that it replaced', async () => {
    const { page } = await show();
    const rows = page.locator('.diff-row.is-summarise');
    const braces = await rows.locator('.brace').evaluateAll((all) => all.map((one) => one.clientHeight));
    expect(braces).toHaveLength(4);
    expect(Math.min(...braces)).toBeGreaterThan(20);
    expect(await rows.locator('.brace.is-last').count()).toBe(1);
    expect(await rows.first().locator('.fate.joins').count()).toBe(1);
  });

  it('says at a message that its facts are no longer named', async () => {
    const lost = diffRows.map((row) =>
      row.index === 5 ? { ...row, sources: row.sources.map((one) => ({ ...one, isLost: true })) } : row,
    );
    const { page } = await show(lost);
    expect(await page.locator('.pair', { hasText: 'no longer named' }).allInnerTexts()).toEqual([
      expect.stringContaining('edit_file'),
    ]);
  });
});

describe('kept messages', () => {
  it('are collapsed, and requested when they are expanded', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^8 messages kept/ }).click();
    await view.expectPost({ type: 'sources', recordId: 'r3', index: 2 });
    const sources = Array.from({ length: 8 }, (_, index) =>
      message({ id: `k${index}`, title: `kept ${index}` }),
    );
    await view.notify({ type: 'sources', recordId: 'r3', index: 2, sources });
    await view.page.getByRole('button', { name: /^kept 7/ }).waitFor();
  });

  it('are not requested again once they are known', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^3 messages kept/ }).click();
    const sources = ['m1', 'm2', 'm3'].map((id) => message({ id, title: `kept ${id}` }));
    await view.notify({ type: 'sources', recordId: 'r3', index: 0, sources });
    await view.page.getByRole('button', { name: /^kept m3/ }).waitFor();
    await view.page.getByRole('button', { name: /^3 messages kept/ }).click();
    await view.page.getByRole('button', { name: /^kept m3/ }).waitFor({ state: 'detached' });
    await view.page.getByRole('button', { name: /^3 messages kept/ }).click();
    await view.page.getByRole('button', { name: /^kept m3/ }).waitFor();
    expect(await view.posted('sources')).toHaveLength(1);
  });

  it('show their text, and offer no button to restore them', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^3 messages kept/ }).click();
    await view.page.getByRole('button', { name: /^System You are/ }).click();
    await view.expectPost({ type: 'texts', recordId: 'r3', messageId: 'm1' });
    await view.notify(texts('m1', 'You are a careful engineer.', 'You are a careful engineer.'));
    await view.page.locator('.texts pre').waitFor();
    expect(await view.page.getByRole('button', { name: 'Restore this message' }).count()).toBe(0);
  });
});

describe('summarised messages', () => {
  it('are listed in part, and in full on request', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: '15 more messages' }).click();
    await view.expectPost({ type: 'sources', recordId: 'r3', index: 1 });
    await view.notify({ type: 'sources', recordId: 'r3', index: 1, sources: allSummarySources });
    await view.page.getByRole('button', { name: /^step 14/ }).waitFor();
    await view.page.getByRole('button', { name: 'Show fewer' }).click();
    await view.page.getByRole('button', { name: /^step 14/ }).waitFor({ state: 'detached' });
  });

  it('expand to their original text', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^Assistant summarised/ }).click();
    await view.expectPost({ type: 'texts', recordId: 'r3', messageId: 'm4' });
    await view.notify(texts('m4', 'I will look at it.\nThen change it.', 'Goal: …'));
    await eventually(() => view.page.locator('.texts pre').allTextContents()).toEqual([
      'I will look at it.\nThen change it.',
    ]);
    await view.page.getByRole('button', { name: 'Restore this message' }).click();
    await view.expectPost({ type: 'restore', messageId: 'm4' });
  });

  it('have a summary that can be expanded to its full text', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /Summary of 18 messages/ }).click();
    await view.expectPost({ type: 'texts', recordId: 'r3', messageId: 's1' });
    await view.notify(texts('s1', '', 'Goal: all of it'));
    await eventually(() => view.page.locator('.texts pre').allTextContents()).toEqual(['Goal: all of it']);
  });
});

describe('a changed message', () => {
  it('expands to its old and new text, compared word by word', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^edit_file/ }).click();
    await view.expectPost({ type: 'texts', recordId: 'r3', messageId: 'm76' });
    await view.page.getByText('Loading…').waitFor();
    await view.notify(texts('m76', 'head and the middle and tail', 'head and [1,120 tokens] and tail'));
    await view.page.getByText('Original', { exact: true }).waitFor();
    const [before, after] = await view.page.locator('.texts pre').allTextContents();
    expect(before).toBe('head and the middle and tail');
    expect(after).toBe('head and [1,120 tokens] and tail');
    expect((await view.page.locator('del').allTextContents()).join('')).toContain('middle');
    expect((await view.page.locator('ins').allTextContents()).join('')).toContain('1,120');
    expect((await view.page.locator('del').allTextContents()).join('')).not.toContain('tail');
  });

  it('expands to two plain columns if the texts are too long to compare', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^edit_file/ }).click();
    const long = 'word '.repeat(30_000);
    await view.notify(texts('m76', long, `${long.slice(0, 1000)}[…]`));
    await view.page.getByText('Only the first 100,000 characters are shown').waitFor();
    expect(await view.page.locator('del, ins').count()).toBe(0);
    expect((await view.page.locator('.texts pre').first().textContent())!.length).toBe(100_000);
  });

  it('shows markup literally', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^read_file package-lock/ }).click();
    await view.notify(texts('m74', '<img src=x onerror=alert(1)>', '<b>hidden</b>'));
    await eventually(() => view.page.locator('.texts pre').allTextContents()).toEqual([
      '<img src=x onerror=alert(1)>',
      '<b>hidden</b>',
    ]);
    expect(await view.page.locator('img').count()).toBe(0);
  });

  it('states that it has no replacement', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^Reminder/ }).click();
    await view.notify(texts('m80', 'The task list is empty.'));
    await view.page.getByText('This message has no replacement in the current context.').waitFor();
  });

  it('opens in the diff editor', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^edit_file/ }).click();
    await view.notify(texts('m76', 'a', 'b'));
    await view.page.getByRole('button', { name: 'Open in diff editor' }).click();
    await view.expectPost({ type: 'open-diff-editor', recordId: 'r3', messageId: 'm76' });
  });

  it('stays expanded after a reload', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^edit_file/ }).click();
    await view.page.reload();
    await view.notify(inspectorSnapshot());
    await view.notify(diff());
    await view.expectPost({ type: 'texts', recordId: 'r3', messageId: 'm76' });
  });
});

describe('restoring a message', () => {
  const restoredRows = diffRows.map((row) =>
    row.index === 5
      ? { ...row, sources: row.sources.map((source) => ({ ...source, isRestored: true })) }
      : row,
  );

  it('is requested from the host, shown when done, and not offered again', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^edit_file/ }).click();
    await view.notify(texts('m76', 'a b c', 'a c'));
    await view.page.getByRole('button', { name: 'Restore this message' }).click();
    await view.expectPost({ type: 'restore', messageId: 'm76' });
    await view.notify(inspectorSnapshot({}, 2));
    await eventually(async () => (await view.posted('diff')).length).toBe(2);
    await view.notify(diff('r3', restoredRows));
    const row = view.page.getByRole('button', { name: /^edit_file.*restored/ });
    await row.waitFor();
    expect(await row.getAttribute('aria-expanded')).toBe('true');
    await view.page.getByRole('button', { name: 'Open in diff editor' }).waitFor();
    expect(await view.page.getByRole('button', { name: 'Restore this message' }).count()).toBe(0);
  });

  it('keeps the focus', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^edit_file/ }).click();
    await view.notify(texts('m76', 'a b c', 'a c'));
    await view.page.getByRole('button', { name: 'Restore this message' }).press('Enter');
    await view.notify(inspectorSnapshot({}, 2));
    await view.notify(diff('r3', restoredRows));
    await eventually(() => focusedName(view)).toMatch(/^edit_file.*restored/);
  });

  it('is not offered if the whole compaction was undone', async () => {
    const view = await suite.open({ width: 1200 });
    await view.notify(inspectorSnapshot({ records: [{ ...ladder, isUndone: true }] }));
    await view.notify(diff());
    await view.page.getByRole('button', { name: /^edit_file/ }).click();
    await view.notify(texts('m76', 'a b c', 'a c'));
    await view.page.getByRole('button', { name: 'Open in diff editor' }).waitFor();
    expect(await view.page.getByRole('button', { name: 'Restore this message' }).count()).toBe(0);
  });
});

describe('a row with a long path', () => {
  it('keeps the file name if its folders do not fit', async () => {
    const label = `Read ${'folder/'.repeat(30)}search.ts`;
    const view = await show([{ ...diffRows[4]!, index: 0, sources: [message({ id: 'm1', label })] }]);
    const [row, name] = await view.page
      .locator('.label')
      .first()
      .evaluate((shown) =>
        [shown, shown.querySelector('.path-name')!].map((one) => one.getBoundingClientRect().right),
      );
    const folders = await view.page
      .locator('.path-folders')
      .first()
      .evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(await view.page.locator('.path-name').first().innerText()).toBe('search.ts');
    expect(name).toBeLessThanOrEqual(row! + 1);
    expect(folders).toBeGreaterThan(0);
  });
});
