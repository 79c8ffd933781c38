import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
async function open(
  changes: Parameters<typeof snapshot>[0] = {},
): Promise<{ view: ChatView; input: Locator }> {
  const view = await suite.open();
  await view.notify(snapshot(changes));
  const input = view.page.getByRole('textbox', { name: 'Message' });
  await input.waitFor();
  return { view, input };
}

describe('the composer', () => {
  it('sends its text on Enter, and becomes empty', async () => {
    const { view, input } = await open();
    await input.fill('Fix it');
    await input.press('Enter');
    await view.expectPost({ type: 'send', text: 'Fix it' });
    await eventually(() => input.inputValue()).toBe('');
  });

  it('starts a new line on Shift+Enter', async () => {
    const { view, input } = await open();
    await input.pressSequentially('one');
    await input.press('Shift+Enter');
    await input.pressSequentially('two');
    await eventually(() => input.inputValue()).toBe('one\ntwo');
    expect(await view.posted('send')).toEqual([]);
  });

  it('sends its text with the button, which is disabled without text', async () => {
    const { view, input } = await open();
    const send = view.page.getByRole('button', { name: 'Send' });
    await eventually(() => send.isDisabled()).toBe(true);
    await input.fill('  \n ');
    await eventually(() => send.isDisabled()).toBe(true);
    await input.fill('Go');
    await send.click();
    await view.expectPost({ type: 'send', text: 'Go' });
  });

  it('sends nothing on Enter during input-method composition', async () => {
    const { view, input } = await open();
    await input.focus();
    const session = await view.page.context().newCDPSession(view.page);
    await session.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    await view.page.keyboard.press('Enter');
    expect(await view.posted('send')).toEqual([]);
    await session.send('Input.insertText', { text: '日本' });
    await input.press('Enter');
    await view.expectPost({ type: 'send', text: '日本' });
  });

  it.each([
    ['is part of a composition', { isComposing: true }],
    ['an input method took', { keyCode: 229 }],
  ])('sends nothing for an Enter that %s', async (_name, sign) => {
    const { view, input } = await open();
    await input.fill('にほん');
    await input.evaluate((target, init) => {
      target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, ...init }));
    }, sign);
    expect(await view.posted('send')).toEqual([]);
    await eventually(() => input.inputValue()).toBe('にほん');
  });

  it('grows with its text, up to two fifths of the view', async () => {
    const { view, input } = await open();
    const small = (await input.boundingBox())!.height;
    await input.fill('line\n'.repeat(6));
    const grown = (await input.boundingBox())!.height;
    expect(grown).toBeGreaterThan(small * 2);
    await input.fill('line\n'.repeat(200));
    expect((await input.boundingBox())!.height).toBeLessThanOrEqual(0.4 * 860 + 1);
    await view.page.getByRole('button', { name: 'Send' }).waitFor();
  });

  it('inserts a word at the cursor, with spaces around it', async () => {
    const { view, input } = await open();
    await input.fill('Why?');
    await view.notify({ type: 'insert', text: '#selection' });
    await eventually(() => input.inputValue()).toBe('Why? #selection ');
    await input.press('Home');
    await view.notify({ type: 'insert', text: '@src/lock.ts' });
    await eventually(() => input.inputValue()).toBe('@src/lock.ts Why? #selection ');
  });

  it('sends the addresses or else the names of dropped files', async () => {
    const { view, input } = await open();
    const drop = (fill: (data: DataTransfer) => void) =>
      input.evaluate((target, source) => {
        const dataTransfer = new DataTransfer();
        (new Function(`return ${source}`)() as typeof fill)(dataTransfer);
        target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }, fill.toString());
    await drop((data) => data.setData('text/uri-list', '# two files\r\nfile:///w/a.ts\r\nfile:///w/b.ts'));
    await view.expectPost({ type: 'drop-files', addresses: ['file:///w/a.ts', 'file:///w/b.ts'], names: [] });
    await drop((data) => void data.items.add(new File(['x'], 'notes.txt')));
    await view.expectPost({ type: 'drop-files', addresses: [], names: ['notes.txt'] });
  });

  it('takes the focus when the host requests it, even before the first snapshot', async () => {
    const view = await suite.open();
    await view.notify({ type: 'focus' });
    await view.notify(snapshot());
    const input = view.page.getByRole('textbox', { name: 'Message' });
    await eventually(() => input.evaluate((node) => document.activeElement === node)).toBe(true);
  });
});

describe('while the agent works', () => {
  it('a button beside Send stops the agent', async () => {
    const { view } = await open({ activity: 'streaming' });
    await view.page.getByRole('button', { name: 'Send' }).waitFor();
    await view.page.getByRole('button', { name: 'Stop' }).click();
    await view.expectPost({ type: 'stop' });
  });

  it('Escape in the composer stops the agent', async () => {
    const { view, input } = await open({ activity: 'tools' });
    await input.press('Escape');
    await view.expectPost({ type: 'stop' });
  });

  it('Escape does nothing once the agent is idle', async () => {
    const { view, input } = await open();
    await input.press('Escape');
    await input.press('a');
    expect(await view.posted('stop')).toEqual([]);
  });

  it('Enter queues the typed message, which a hint explains', async () => {
    const { view, input } = await open({ activity: 'streaming' });
    await input.pressSequentially('And then');
    await view.page.getByText('Press Enter to queue this').waitFor();
    await input.press('Enter');
    await view.expectPost({ type: 'send', text: 'And then' });
    await eventually(() => input.inputValue()).toBe('');
  });

  it('the focus moves to the text field when the focused Stop button disappears', async () => {
    const { view, input } = await open({ activity: 'streaming' });
    await view.page.getByRole('button', { name: 'Stop' }).focus();
    await view.notify({
      type: 'changes',
      revision: 2,
      changes: [{ type: 'state', state: { activity: 'idle' } }],
    });
    await view.page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    expect(await input.evaluate((node) => document.activeElement === node)).toBe(true);
  });
});

describe('the draft', () => {
  it('is sent to the host once typing pauses', async () => {
    const { view, input } = await open();
    await input.pressSequentially('Half a thought', { delay: 10 });
    await view.expectPost({ type: 'draft', sessionId: 'session-1', text: 'Half a thought' });
    expect((await view.posted('draft')).length).toBeLessThan(5);
  });

  it('is sent to the host immediately when the field loses the focus', async () => {
    const { view, input } = await open();
    await input.fill('Half');
    await input.evaluate((node) => (node as HTMLElement).blur());
    expect(await view.posted('draft')).toEqual([{ type: 'draft', sessionId: 'session-1', text: 'Half' }]);
  });

  it('is sent to the host immediately when the view is hidden', async () => {
    const { view, input } = await open();
    await input.fill('Half');
    await view.page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    expect(await view.posted('draft')).toEqual([{ type: 'draft', sessionId: 'session-1', text: 'Half' }]);
  });

  it('is sent to the host immediately when the page is closed', async () => {
    const { view, input } = await open();
    await input.fill('Half');
    await view.page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
    expect(await view.posted('draft')).toEqual([{ type: 'draft', sessionId: 'session-1', text: 'Half' }]);
  });

  it('survives a reload of the page', async () => {
    const { view, input } = await open();
    await input.fill('An hour of writing');
    await view.page.reload();
    await view.notify(snapshot());
    await eventually(() => input.inputValue()).toBe('An hour of writing');
  });

  it('comes from the host if the view has none', async () => {
    const { input } = await open({ draft: 'From elsewhere' });
    await eventually(() => input.inputValue()).toBe('From elsewhere');
  });

  it('in the view takes precedence over the draft of the host', async () => {
    const { view, input } = await open();
    await input.fill('newer');
    await view.page.reload();
    await view.notify(snapshot({ draft: 'older' }));
    await eventually(() => input.inputValue()).toBe('newer');
  });

  it('is not changed by a snapshot that arrives while the user types', async () => {
    const { view, input } = await open();
    await input.fill('in the middle of');
    await view.notify(snapshot({ draft: 'older', rows: [] }, 5));
    await view.page.getByRole('list', { name: 'Examples' }).waitFor();
    await eventually(() => input.inputValue()).toBe('in the middle of');
  });

  it('is kept separately for each session', async () => {
    const { view, input } = await open();
    await input.fill('for the first');
    await view.notify(snapshot({ sessionId: 'session-2', draft: 'for the second' }, 5));
    await eventually(() => input.inputValue()).toBe('for the second');
    await view.expectPost({ type: 'draft', sessionId: 'session-1', text: 'for the first' });
  });

  it('gets back a text that could not be sent, in front of newer text', async () => {
    const { view, input } = await open();
    await input.fill('Fix it');
    await input.press('Enter');
    await view.notify({ type: 'not-sent', text: 'Fix it' });
    await eventually(() => input.inputValue()).toBe('Fix it');
    await input.fill('And test it');
    await view.notify({ type: 'not-sent', text: 'Fix it' });
    await eventually(() => input.inputValue()).toBe('Fix it\n\nAnd test it');
    await view.expectPost({ type: 'draft', sessionId: 'session-1', text: 'Fix it\n\nAnd test it' });
  });

  it('is emptied before the text is sent', async () => {
    const { view, input } = await open();
    await input.fill('Go');
    await input.press('Enter');
    await view.expectPost({ type: 'send', text: 'Go' });
    const posts = await view.posts();
    expect(posts.slice(-2)).toEqual([
      { type: 'draft', sessionId: 'session-1', text: '' },
      { type: 'send', text: 'Go' },
    ]);
  });
});

describe('the footer', () => {
  it('shows the model, and a button that changes the strategy', async () => {
    const { view } = await open();
    await view.page.getByText('gpt-5-mini').waitFor();
    await view.page.getByRole('button', { name: 'Compaction strategy: Ladder' }).click();
    await view.expectPost({ type: 'select-strategy' });
  });

  it('shows Offline model as a button that sets an API key', async () => {
    const { view } = await open({ model: { label: 'rules', isOffline: true } });
    await view.page.getByRole('button', { name: 'Offline model' }).click();
    await view.expectPost({ type: 'set-api-key' });
  });
});
