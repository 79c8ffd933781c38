import { describe, expect, it } from 'vitest';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { conversation, snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
async function open(rows: readonly ChatRow[] = conversation): Promise<ChatView> {
  const view = await suite.open({ height: 500 });
  await view.notify(snapshot({ rows }));
  await view.page.getByRole('textbox', { name: 'Message' }).focus();
  return view;
}

const field = ({ page }: ChatView) => page.getByRole('textbox', { name: 'Find in chat' });
const count = ({ page }: ChatView) => page.getByRole('search').getByRole('status');

async function find(view: ChatView, text: string): Promise<void> {
  await view.page.keyboard.press('Control+f');
  await field(view).fill(text);
}

/** Text highlighted as the current match. */
function current({ page }: ChatView): Promise<string> {
  return page.evaluate(() => {
    const [range] = [...(CSS.highlights.get('find-current') ?? [])];
    if (range === undefined) return '';
    const live = document.createRange();
    live.setStart(range.startContainer, range.startOffset);
    live.setEnd(range.endContainer, range.endOffset);
    return live.toString();
  });
}

/** True if the current match is visible. */
function isSeen({ page }: ChatView): Promise<boolean> {
  return page.evaluate(() => {
    const [range] = [...(CSS.highlights.get('find-current') ?? [])];
    if (range === undefined) return false;
    const live = document.createRange();
    live.setStart(range.startContainer, range.startOffset);
    live.setEnd(range.endContainer, range.endOffset);
    const box = live.getBoundingClientRect();
    const { bottom } = document.querySelector('.scroller')!.getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= bottom;
  });
}

const long: readonly ChatRow[] = Array.from({ length: 400 }, (_, index): ChatRow => ({
  type: 'assistant',
  id: `a${index}`,
  markdown: `Paragraph **${index}**\n\nwith more to say about it.`,
  reasoning: '',
  state: 'done',
}));

describe('finding in the chat', () => {
  it('begins with Ctrl+F in a separate field', async () => {
    const view = await open();
    await view.page.keyboard.press('Control+f');
    await eventually(() => field(view).evaluate((node) => document.activeElement === node)).toBe(true);
  });

  it('counts and highlights matches regardless of case', async () => {
    const view = await open();
    await find(view, 'CLOSE');
    await eventually(() => count(view).innerText()).toMatch(/^1 of \d+$/);
    expect((await current(view)).toLowerCase()).toBe('close');
  });

  it('finds text across formatting within a line, but not across blocks', async () => {
    const row: ChatRow = {
      type: 'assistant',
      id: 'a',
      markdown: 'The **re**name\n\nruns',
      reasoning: '',
      state: 'done',
    };
    const view = await open([row]);
    await find(view, 'the rename');
    await eventually(() => count(view).innerText()).toBe('1 of 1');
    await find(view, 'renameruns');
    await eventually(() => count(view).innerText()).toBe('No results');
  });

  it('moves forward with Enter and back with Shift+Enter, and wraps around both ends', async () => {
    const view = await open(long);
    await find(view, 'paragraph 39');
    await eventually(() => count(view).innerText()).toBe('1 of 11');
    await field(view).press('Enter');
    await eventually(() => count(view).innerText()).toBe('2 of 11');
    await field(view).press('Shift+Enter');
    await field(view).press('Shift+Enter');
    await eventually(() => count(view).innerText()).toBe('11 of 11');
    await view.page.getByRole('button', { name: 'Next match' }).click();
    await eventually(() => count(view).innerText()).toBe('1 of 11');
  });

  it('scrolls to a distant match and stays there', async () => {
    const view = await open(long);
    await find(view, 'paragraph 17');
    await eventually(() => isSeen(view)).toBe(true);
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await field(view).press('Enter');
    await eventually(() => current(view)).toBe('Paragraph 17');
    await eventually(() => isSeen(view)).toBe(true);
  });

  it('expands a call whose output contains the match', async () => {
    const view = await open();
    await find(view, 'open(path)');
    await eventually(() => current(view)).toBe('open(path)');
    await eventually(() => isSeen(view)).toBe(true);
    await view.page.getByRole('button', { name: /^read_file/, expanded: true }).waitFor();
  });

  it('expands the thinking that contains the match', async () => {
    const view = await open();
    await find(view, 'finally block');
    await eventually(() => current(view)).toBe('finally block');
  });

  it('searches for the typed text literally', async () => {
    const row: ChatRow = { type: 'user', id: 'u', text: 'a+b (c) [d] \\e' };
    const view = await open([row]);
    await find(view, 'a+b (c) [d] \\e');
    await eventually(() => count(view).innerText()).toBe('1 of 1');
  });

  it('ends with Escape, which restores the focus and removes the highlights', async () => {
    const view = await open();
    await find(view, 'close');
    await eventually(() => current(view)).not.toBe('');
    await field(view).press('Escape');
    expect(await view.page.getByRole('search').isVisible()).toBe(false);
    expect(await current(view)).toBe('');
    expect(await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Message',
    );
  });

  it('counts new matches without scrolling', async () => {
    const view = await open(long);
    await find(view, 'paragraph 17');
    await eventually(() => count(view).innerText()).toBe('1 of 11');
    await eventually(() => isSeen(view)).toBe(true);
    const row: ChatRow = { type: 'user', id: 'new', text: 'And paragraph 17?' };
    await view.notify({ type: 'changes', revision: 2, changes: [{ type: 'row', row }] });
    await eventually(() => count(view).innerText()).toBe('1 of 12');
    expect(await isSeen(view)).toBe(true);
  });
});
