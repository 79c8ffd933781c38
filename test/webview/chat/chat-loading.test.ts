import { describe, expect, it } from 'vitest';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { turnWheel } from '../../support/wheel.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
const all: readonly ChatRow[] = Array.from({ length: 200 }, (_, index) => ({
  type: 'user',
  id: `u${index}`,
  text: `Question ${index}`,
}));
const end = all.slice(-60);

/** A page that has the end of a chat that is still being read. */
async function openEnd(): Promise<ChatView> {
  const view = await suite.open();
  await view.notify(snapshot({ rows: end, isLoading: true }));
  await view.page.getByText('Loading earlier messages…').waitFor({ state: 'attached' });
  return view;
}

const readRest = (view: ChatView) => view.notify(snapshot({ rows: all, earlier: 10 }, 2));
const message = (view: ChatView) => view.page.getByRole('textbox', { name: 'Message' });

describe('a chat that shows its end before the rest is loaded', () => {
  it('accepts a message, but sends it only once the chat is complete', async () => {
    const view = await openEnd();
    await message(view).fill('And now?');
    await message(view).press('Enter');
    await view.page.getByText('You can send this once the whole chat has been read.').waitFor();
    expect(await view.page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await readRest(view);
    await view.page.getByRole('button', { name: 'Show earlier (10)' }).waitFor({ state: 'attached' });
    expect(await message(view).inputValue()).toBe('And now?');
    await message(view).press('Enter');
    await view.expectPost({ type: 'send', text: 'And now?' });
  });

  it('keeps the scroll position when the rest arrives', async () => {
    const view = await openEnd();
    await turnWheel(view.page.locator('.scroller'), -300);
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const place = () =>
      view.page
        .locator('[data-key="user:u190"]')
        .evaluate((row) => Math.round(row.getBoundingClientRect().top));
    const before = await place();
    await readRest(view);
    await view.page.getByRole('button', { name: 'Show earlier (10)' }).waitFor({ state: 'attached' });
    await eventually(async () => Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
  });

  it('stays at its end when the rest arrives', async () => {
    const view = await openEnd();
    await readRest(view);
    await view.page.getByRole('button', { name: 'Show earlier (10)' }).waitFor({ state: 'attached' });
    const fromEnd = () =>
      view.page
        .locator('.scroller')
        .evaluate(({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop);
    await eventually(fromEnd).toBeLessThanOrEqual(1);
  });
});
