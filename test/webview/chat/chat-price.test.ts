import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Price } from '../../../src/protocol/chat.ts';
import { commands, meter, snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
const text = 'Look at @src/store.ts and @gone.ts';
const price: Price = {
  text,
  tokens: 1310,
  attachments: [
    { label: '@src/store.ts', tokens: 1204 },
    { label: '@gone.ts', tokens: 0, problem: 'There is no such file.' },
  ],
  total: 48_200,
  window: 128_000,
  compacts: false,
};

async function open(): Promise<{ view: ChatView; input: Locator }> {
  const view = await suite.open();
  await view.notify(snapshot({ commands }));
  const input = view.page.getByRole('textbox', { name: 'Message' });
  await input.waitFor();
  return { view, input };
}

async function openPriced(changes: Partial<Price> = {}): Promise<{ view: ChatView; input: Locator }> {
  const page = await open();
  await page.input.fill(text);
  await page.view.notify({ type: 'price', ...price, ...changes });
  return page;
}

const numbers = ({ page }: ChatView) => page.locator('.price-numbers');

describe('the price of a message', () => {
  it('is requested once typing pauses', async () => {
    const { view, input } = await open();
    await input.pressSequentially('Look');
    await view.expectPost({ type: 'price', text: 'Look' });
    expect((await view.posted('price')).length).toBeLessThan(4);
  });

  it('is shown below the message, with the sizes of the next request and the window', async () => {
    const { view } = await openPriced();
    await eventually(() => numbers(view).innerText()).toBe(
      'This message 1,310 · next request 48,200 of 128,000',
    );
  });

  it('is shown without the size of the window if that is unknown', async () => {
    const { view } = await openPriced({ window: undefined });
    await eventually(() => numbers(view).innerText()).toBe('This message 1,310 · next request 48,200');
  });

  it('announces that sending will trigger a compaction', async () => {
    const { view } = await openPriced({ compacts: true });
    const warning = numbers(view).getByRole('status');
    await eventually(() => warning.innerText()).toBe('Sending this will trigger a compaction.');
  });

  it('includes the price of each attachment, or states its problem', async () => {
    const { view } = await openPriced();
    const items = view.page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await eventually(() => items.count()).toBe(2);
    await eventually(() => items.nth(0).innerText()).toMatch(/@src\/store\.ts\s+1,204/);
    await eventually(() => items.nth(1).innerText()).toMatch(/@gone\.ts\s+There is no such file\./);
  });

  it("is part of the field's accessible description", async () => {
    const { view, input } = await openPriced();
    await eventually(() => numbers(view).innerText()).not.toBe('');
    const ids = ((await input.getAttribute('aria-describedby')) ?? '').split(' ');
    const texts = await Promise.all(ids.map((id) => view.page.locator(`[id="${id}"]`).textContent()));
    expect(texts.join(' ')).toContain('This message 1,310');
  });

  it('is not shown if it was calculated for an earlier text', async () => {
    const { view, input } = await open();
    await input.fill('another');
    await view.notify({ type: 'price', ...price });
    await view.expectPost({ type: 'price', text: 'another' });
    expect(await numbers(view).isVisible()).toBe(false);
  });

  it('disappears when the message is sent', async () => {
    const { view, input } = await openPriced();
    await numbers(view).waitFor();
    await input.press('Enter');
    await eventually(() => numbers(view).isVisible()).toBe(false);
    expect(await view.page.getByRole('list', { name: 'Attachments' }).isVisible()).toBe(false);
  });

  it('is requested again when the conversation has grown', async () => {
    const { view, input } = await open();
    await input.fill('Go');
    await view.expectPost({ type: 'price', text: 'Go' });
    const state = { meter: { ...meter, tokens: 90_000 } };
    await view.notify({ type: 'changes', revision: 2, changes: [{ type: 'state', state }] });
    await eventually(async () => (await view.posted('price')).length).toBe(2);
  });

  it('is not requested for a command', async () => {
    const { view, input } = await open();
    await input.fill('Hello');
    await view.expectPost({ type: 'price', text: 'Hello' });
    for (const command of ['/', '/com', '/compact the lock', '/unknown']) await input.fill(command);
    await input.fill('Bye');
    await view.expectPost({ type: 'price', text: 'Bye' });
    expect((await view.posted('price')).map((request) => request.text)).toEqual(['Hello', 'Bye']);
  });
});

describe('the attachments of a sent message', () => {
  it('are listed below the message, and each file can be opened', async () => {
    const { view } = await open();
    const attachments = [
      { label: '@src/store.ts:10-20', tokens: 204, path: 'src/store.ts', lines: { first: 10, last: 20 } },
      { label: '#problems', tokens: 88 },
    ];
    await view.notify(snapshot({ rows: [{ type: 'user', id: 'u1', text: 'Look', attachments }] }, 2));
    await view.page.getByRole('button', { name: '@src/store.ts:10-20 204 tokens' }).click();
    await view.expectPost({ type: 'open-file', path: 'src/store.ts', line: 10 });
    await view.page.getByText('#problems').waitFor();
  });
});
