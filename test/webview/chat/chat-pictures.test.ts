import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PictureView } from '../../../src/protocol/chat-rows.ts';
import { bytesOf, pictures } from '../../support/pictures.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
const url = `data:image/png;base64,${pictures.png}`;
const word = '#picture-0123456789';
const said: PictureView = { key: '0:u1', size: { width: 800, height: 600 }, tokens: 765 };

async function open(
  changes: Parameters<typeof snapshot>[0] = {},
): Promise<{ view: ChatView; input: Locator }> {
  const view = await suite.open();
  await view.notify(snapshot(changes));
  const input = view.page.getByRole('textbox', { name: 'Message' });
  await input.waitFor();
  return { view, input };
}

/** Pastes a file, with a text beside it or without. */
async function paste(input: Locator, text = ''): Promise<boolean> {
  return input.evaluate(
    (target, { base64, beside }) => {
      const clipboardData = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
      if (beside !== '') clipboardData.setData('text/plain', beside);
      return target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
    },
    { base64: pictures.png, beside: text },
  );
}

describe('a picture for a message', () => {
  it('is sent to the host when it is pasted', async () => {
    const { view, input } = await open();
    expect(await paste(input)).toBe(false);
    await view.expectPost({
      type: 'add-picture',
      name: 'image.png',
      data: pictures.png,
      size: bytesOf(pictures.png).length,
    });
  });

  it('is ignored if text is pasted along with it', async () => {
    const { view, input } = await open();
    expect(await paste(input, 'cells of a table')).toBe(true);
    expect(await view.posted('add-picture')).toEqual([]);
  });

  it('is sent to the host only as data, and not by its address, when it is dropped', async () => {
    const { view, input } = await open();
    await input.evaluate((target, base64) => {
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], 'a b.png', { type: 'image/png' }));
      dataTransfer.setData('text/uri-list', 'file:///tmp/a%20b.png');
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, pictures.png);
    await view.expectPost({
      type: 'add-picture',
      name: 'a b.png',
      data: pictures.png,
      size: bytesOf(pictures.png).length,
    });
    expect(await view.posted('drop-files')).toEqual([]);
  });

  it('can be chosen with a button', async () => {
    const { view } = await open();
    await view.page.getByRole('button', { name: 'Attach pictures' }).click();
    await view.expectPost({ type: 'pick-pictures' });
  });

  it('is shown with its dimensions and tokens, and can be removed', async () => {
    const { view, input } = await open();
    const text = `Why is ${word} blue?`;
    await input.fill(text);
    await view.notify({
      type: 'price',
      text,
      tokens: 300,
      attachments: [{ label: word, tokens: 255, picture: { key: word, size: { width: 7, height: 5 } } }],
      total: 900,
      compacts: false,
    });
    const chip = view.page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await view.expectPost({ type: 'picture', key: word });
    await view.notify({ type: 'picture', key: word, url });
    await eventually(() =>
      chip.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBe(7);
    expect(await chip.innerText()).toMatch(/7 × 5\s+255/);
    await chip.getByRole('button', { name: `Remove ${word}` }).click();
    await eventually(() => input.inputValue()).toBe('Why is blue?');
  });

  it('shows why it will not be sent', async () => {
    const { view, input } = await open();
    await input.fill(word);
    const problem = 'My model does not accept pictures.';
    await view.notify({
      type: 'price',
      text: word,
      tokens: 9,
      attachments: [{ label: word, tokens: 0, problem }],
      total: 900,
      compacts: false,
    });
    await view.page.getByRole('listitem').getByText(problem).waitFor();
  });
});

describe('a picture in a sent message', () => {
  const row = {
    type: 'user',
    id: 'u1',
    text: 'Look',
    tokens: 800,
    pictures: [said],
    isPinned: false,
  } as const;

  it('is requested and shown when it becomes visible, and opens on a click', async () => {
    const { view } = await open({ rows: [row] });
    await view.expectPost({ type: 'picture', key: '0:u1' });
    await view.notify({ type: 'picture', key: '0:u1', url });
    const list = view.page.getByRole('list', { name: 'Pictures' });
    await list.getByText('800 × 600 · 765 tokens').waitFor();
    await eventually(() =>
      list.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBe(7);
    await list.getByRole('button', { name: 'Open picture 1' }).click();
    await view.expectPost({ type: 'open-picture', key: '0:u1' });
  });

  it('is replaced by an icon and not requested if its data is elsewhere', async () => {
    const { view } = await open({ rows: [{ ...row, pictures: [{ key: '0:u1' }] }] });
    const list = view.page.getByRole('list', { name: 'Pictures' });
    await list.locator('svg').waitFor();
    expect(await list.locator('img').count()).toBe(0);
    expect(await view.posted('picture')).toEqual([]);
  });
});
