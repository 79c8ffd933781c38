import { describe, expect, it } from 'vitest';
import type { ChatState } from '../../../src/protocol/chat.ts';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();

const rows: readonly ChatRow[] = [
  { type: 'user', id: 'u1', text: 'Close first.', isPinned: false },
  {
    type: 'tool',
    id: 'call-1',
    messageId: 'r1',
    tool: 'read_file',
    label: 'src/lock.ts',
    state: 'done',
    tokens: 1180,
    preview: 'text',
    isClipped: false,
    isPinned: true,
  },
  { type: 'assistant', id: 'a1', markdown: 'Done.', reasoning: '', state: 'done', isPinned: false },
];

async function open(changes: Partial<ChatState> = {}): Promise<ChatView> {
  const view = await suite.open();
  await view.notify(snapshot({ rows, pins: ['r1'], ...changes }));
  await view.page.locator('.row').first().waitFor();
  return view;
}

describe('a pin', () => {
  it.each([
    ['Pin this message', 'u1', true],
    ['Pin this answer', 'a1', true],
    ['Pin the result of read_file', 'r1', false],
  ])('is set and removed with the button on the row: %s', async (name, messageId, isPinned) => {
    const view = await open();
    await view.page.getByRole('button', { name }).press('Enter');
    await view.expectPost({ type: 'pin', messageId, isPinned });
  });

  it('is visible if it is set, and otherwise only on hover or focus', async () => {
    const view = await open();
    const opacity = (name: string) =>
      view.page.getByRole('button', { name }).evaluate((node) => getComputedStyle(node).opacity);
    expect(await opacity('Pin the result of read_file')).toBe('1');
    expect(await opacity('Pin this message')).toBe('0');
    await view.page.getByText('Close first.').hover();
    await eventually(() => opacity('Pin this message')).toBe('1');
  });

  it('has an accessible state', async () => {
    const view = await open();
    await view.page.getByRole('button', { name: 'Pin the result of read_file', pressed: true }).waitFor();
    await view.page.getByRole('button', { name: 'Pin this answer', pressed: false }).waitFor();
  });

  it('is not offered for a message that cannot be pinned', async () => {
    const view = await open({ rows: [{ type: 'user', id: 'u1', text: 'Close first.' }] });
    expect(await view.page.getByRole('button', { name: 'Pin this message' }).count()).toBe(0);
  });
});

describe('pinned messages', () => {
  it('are counted on a button, and listed below it', async () => {
    const view = await open({ pins: ['u1', 'r1', 'elsewhere'] });
    await view.page.getByRole('button', { name: '3 pinned' }).click();
    const list = view.page.getByRole('list', { name: 'Pinned messages' });
    await eventually(() => list.getByRole('button').allInnerTexts()).toEqual([
      'Close first.',
      'Unpin',
      'read_file src/lock.ts',
      'Unpin',
      'A message that is not shown here',
      'Unpin',
    ]);
  });

  it('can be unpinned in the list', async () => {
    const view = await open();
    await view.page.getByRole('button', { name: '1 pinned' }).click();
    await view.page.getByRole('button', { name: 'Unpin: read_file src/lock.ts' }).click();
    await view.expectPost({ type: 'pin', messageId: 'r1', isPinned: false });
  });

  it('are scrolled into view from the list', async () => {
    const many = Array.from({ length: 300 }, (_, index): ChatRow => ({
      type: 'user',
      id: `m${index}`,
      text: `Message ${index}\n\nwith more`,
    }));
    const view = await open({ rows: [...rows, ...many], pins: ['u1'] });
    await view.page.getByRole('button', { name: '1 pinned' }).click();
    await view.page.getByRole('button', { name: 'Show: Close first.' }).click();
    const row = view.page.locator('.row.user').first();
    await eventually(() => row.evaluate((node) => document.activeElement === node)).toBe(true);
    await eventually(async () => (await row.boundingBox())!.y).toBeGreaterThanOrEqual(0);
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  });

  it('take no room if no message is pinned', async () => {
    const view = await open({ pins: [] });
    expect(await view.page.locator('.pins').isVisible()).toBe(false);
  });
});
