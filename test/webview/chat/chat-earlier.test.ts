import { describe, expect, it } from 'vitest';
import type { ChatState } from '../../../src/protocol/chat.ts';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { turnWheel } from '../../support/wheel.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();

const all: readonly ChatRow[] = Array.from({ length: 700 }, (_, index) => ({
  type: 'user',
  id: `u${index}`,
  text: `Question ${index}`,
  isPinned: false,
}));

/** A page that has the last rows of the conversation. */
async function open(count: number, state: Partial<ChatState> = {}): Promise<ChatView> {
  const view = await suite.open();
  const rows = all.slice(-count);
  await view.notify(snapshot({ rows, earlier: all.length - count, ...state }));
  await view.page.locator('.row').last().waitFor();
  return view;
}

/** Answers a request for earlier rows. */
function answer(view: ChatView, from: number, to: number, revision = 2): Promise<void> {
  const rows = all.slice(from, to);
  return view.notify({ type: 'changes', revision, changes: [{ type: 'earlier', rows, earlier: from }] });
}

describe('earlier rows', () => {
  it('are counted on a button above the visible rows, which requests them', async () => {
    const view = await open(100);
    await view.page.getByRole('button', { name: 'Show earlier (600)' }).press('Enter');
    await view.expectPost({ type: 'earlier-rows' });
    await answer(view, 500, 600);
    await view.page.getByRole('button', { name: 'Show earlier (500)' }).waitFor();
    await answer(view, 0, 500, 3);
    await eventually(() => view.page.getByRole('button', { name: /Show earlier/ }).count()).toBe(0);
  });

  it('are inserted before the visible rows', async () => {
    const view = await open(30);
    await answer(view, 640, 670);
    // Only rows near the visible part are drawn.
    await view.resize({ width: 380, height: 4_000 });
    const ids = () => view.page.locator('.row').evaluateAll((rows) => rows.map((row) => row.dataset.key));
    await eventually(ids).toEqual(all.slice(640).map(({ id }) => `user:${id}`));
  });

  it('are requested when the user scrolls near them, and the view does not move', async () => {
    const view = await open(100);
    await turnWheel(view.page.locator('.scroller'), -200);
    await view.page.locator('.scroller').evaluate((scroller) => (scroller.scrollTop = 40));
    await view.expectPost({ type: 'earlier-rows' });
    const place = () =>
      view.page
        .locator('[data-key="user:u602"]')
        .evaluate((row) => Math.round(row.getBoundingClientRect().top));
    const before = await place();
    await answer(view, 500, 600);
    await eventually(async () => Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
  });

  it('are requested when the user searches', async () => {
    const view = await open(100);
    await view.page.getByRole('textbox', { name: 'Message' }).press('Control+f');
    await view.expectPost({ type: 'earlier-rows' });
    await view.page.getByRole('textbox', { name: 'Find in chat' }).fill('Question 123');
    await answer(view, 300, 600);
    await answer(view, 0, 300, 3);
    await eventually(() => view.page.getByRole('search').getByRole('status').innerText()).toBe('1 of 1');
  });

  it('are listed among the pins, and requested when the user opens one there', async () => {
    const view = await open(100, { pins: ['u7'], pinTexts: { u7: 'Question 7' } });
    await view.page.getByRole('button', { name: '1 pinned' }).press('Enter');
    await view.page
      .getByRole('button', { name: /Question 7/ })
      .first()
      .press('Enter');
    await view.expectPost({ type: 'show-message', messageId: 'u7' });
    await answer(view, 0, 600);
    await view.notify({ type: 'reveal', messageId: 'u7' });
    await view.page.locator('[data-key="user:u7"].is-revealed').waitFor();
  });

  it('are released while the user is at the end of a very long conversation', async () => {
    const view = await open(200);
    const more = Array.from({ length: 400 }, (_, index) => ({
      type: 'row' as const,
      row: { ...all[0], id: `new${index}` } as ChatRow,
    }));
    await view.notify({ type: 'changes', revision: 2, changes: more });
    await view.expectPost({ type: 'rows-let-go', first: 'new200' });
    await view.page.getByRole('button', { name: 'Show earlier (900)' }).waitFor({ state: 'attached' });
    // The host may tell of a row before it knows that it is gone.
    const late = { type: 'row', row: { ...all[699], isPinned: true } as ChatRow } as const;
    await view.notify({ type: 'changes', revision: 3, changes: [late] });
    await answer(view, 699, 700, 4);
    await view.page.getByRole('button', { name: 'Show earlier (699)' }).waitFor({ state: 'attached' });
    await view.page.locator('.scroller').evaluate((scroller) => (scroller.scrollTop = 0));
    await eventually(() => view.page.locator('.row').first().getAttribute('data-key')).toBe('user:u699');
    expect(await view.page.locator('[data-key="user:u699"]').count()).toBe(1);
  });
});
