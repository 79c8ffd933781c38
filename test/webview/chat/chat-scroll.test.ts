import { describe, expect, it } from 'vitest';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { turnWheel } from '../../support/wheel.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
const long: readonly ChatRow[] = Array.from({ length: 80 }, (_, index): ChatRow => {
  const markdown = `Paragraph ${index}.\n\nAnother one.`;
  return { type: 'assistant', id: `a${index}`, markdown, reasoning: '', state: 'done' };
});

/** Pixels between what is seen and the end of the log. */
function distance(view: ChatView): Promise<number> {
  return view.page
    .locator('.scroller')
    .evaluate(({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop);
}

async function open(): Promise<ChatView> {
  const view = await suite.open();
  await view.notify(snapshot({ rows: long }));
  await eventually(() => distance(view)).toBeLessThanOrEqual(1);
  return view;
}

let added = 0;

async function grow(view: ChatView, revision: number): Promise<void> {
  const markdown = 'One more paragraph.\n\n'.repeat(5);
  const row: ChatRow = { type: 'assistant', id: `n${added++}`, markdown, reasoning: '', state: 'done' };
  await view.notify({ type: 'changes', revision, changes: [{ type: 'row', row }] });
  await view.page.locator(`[data-key="assistant:${row.id}"]`).waitFor({ state: 'attached' });
  // Two frames: one to lay the row out, one to follow it.
  await view.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

function wheel(view: ChatView, pixels: number): Promise<void> {
  return turnWheel(view.page.locator('.scroller'), pixels);
}

describe('the log', () => {
  it('opens at its end and stays there while it grows', async () => {
    const view = await open();
    await grow(view, 2);
    await grow(view, 3);
    await eventually(() => distance(view)).toBeLessThanOrEqual(1);
    expect(await view.page.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0);
  });

  it('stops following at the smallest upward scroll, and does not move from then on', async () => {
    const view = await open();
    await wheel(view, -1);
    const jump = view.page.getByRole('button', { name: 'Jump to latest' });
    await jump.waitFor();
    const row = view.page.locator('[data-key="assistant:a79"]');
    const before = (await row.boundingBox())!.y;
    await grow(view, 2);
    await grow(view, 3);
    expect((await row.boundingBox())!.y).toBeCloseTo(before, 0);
  });

  it('returns to the end with the button, and follows again', async () => {
    const view = await open();
    await wheel(view, -400);
    await view.page.getByRole('button', { name: 'Jump to latest' }).click();
    await eventually(() => distance(view)).toBeLessThanOrEqual(1);
    await grow(view, 2);
    await eventually(() => distance(view)).toBeLessThanOrEqual(1);
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'hidden' });
  });

  it('follows again when the user scrolls to the end', async () => {
    const view = await open();
    await wheel(view, -400);
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await wheel(view, 5000);
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'hidden' });
    await grow(view, 2);
    await eventually(() => distance(view)).toBeLessThanOrEqual(1);
  });

  it('also stops following when scrolled by keyboard', async () => {
    const view = await open();
    await view.page.getByRole('log').focus();
    await view.page.keyboard.press('PageUp');
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await eventually(() => distance(view)).toBeGreaterThan(100);
  });

  it('does not follow again when rows above the visible ones get higher', async () => {
    const view = await open();
    await view.page.getByRole('log').press('Enter');
    await view.page.locator('.scroller').evaluate((scroller) => (scroller.scrollTop = scroller.scrollHeight));
    await eventually(() => distance(view)).toBeLessThanOrEqual(1);
    await view.page.keyboard.press('ArrowUp');
    const jump = view.page.getByRole('button', { name: 'Jump to latest' });
    await jump.waitFor();
    await view.page.locator('.scroller').evaluate(async (scroller) => {
      const row = [...scroller.querySelectorAll<HTMLElement>('.row')].at(-12)!;
      row.style.height = `${row.offsetHeight + 200}px`;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
    expect(await distance(view)).toBeLessThanOrEqual(1);
    expect(await jump.count()).toBe(1);
  });

  it('scrolls to the end when the user sends a message', async () => {
    const view = await open();
    await wheel(view, -400);
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await view.page.getByRole('textbox').fill('Go on');
    await view.page.getByRole('textbox').press('Enter');
    await grow(view, 2);
    await eventually(() => distance(view)).toBeLessThanOrEqual(1);
  });

  it('stays at its end when the composer grows', async () => {
    const view = await open();
    await view.page.getByRole('textbox').fill('line\n'.repeat(12));
    await eventually(() => distance(view)).toBeLessThanOrEqual(1);
  });

  it('stays at its end when it becomes shorter', async () => {
    const view = await open();
    await view.notify({ type: 'changes', revision: 2, changes: [{ type: 'row-removed', id: 'a79' }] });
    await view.page.locator('[data-key="assistant:a79"]').waitFor({ state: 'detached' });
    await grow(view, 3);
    await eventually(() => distance(view)).toBeLessThanOrEqual(1);
  });

  it('restores the scroll position after a reload', async () => {
    const view = await open();
    await wheel(view, -1500);
    const topRow = () =>
      view.page.evaluate(() => document.elementFromPoint(150, 8)?.closest('.row')?.getAttribute('data-key'));
    await eventually(() => distance(view)).toBeGreaterThan(1000);
    // The wheel turns on for a few frames.
    let place = -1;
    await eventually(async () => {
      const last = place;
      place = await distance(view);
      return place === last;
    }).toBe(true);
    const before = await topRow();
    await view.page.reload();
    await view.notify(snapshot({ rows: long }));
    await eventually(topRow).toBe(before);
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  });
});
