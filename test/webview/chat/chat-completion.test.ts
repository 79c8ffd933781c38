import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Completion } from '../../../src/protocol/chat.ts';
import { commands, snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
const files: readonly Completion[] = [
  { label: 'src/lock.ts', detail: '', insert: '@src/lock.ts' },
  { label: 'src/log.ts', detail: '', insert: '@src/log.ts' },
  { label: 'src/session/', detail: 'folder', insert: '@src/session/' },
];

async function open(width = 380): Promise<{ view: ChatView; input: Locator; list: Locator }> {
  const view = await suite.open({ width });
  await view.notify(snapshot({ commands }));
  const input = view.page.getByRole('textbox', { name: 'Message' });
  await input.focus();
  return { view, input, list: view.page.getByRole('listbox', { name: 'Suggestions' }) };
}

/** Types text and answers the view's request about its last word. */
async function typeAndAnswer(
  { view, input }: { readonly view: ChatView; readonly input: Locator },
  text: string,
  query: string,
  items: readonly Completion[] = files,
): Promise<void> {
  await input.pressSequentially(text);
  await view.expectPost({ type: 'complete', trigger: '@', query });
  await view.notify({ type: 'completions', trigger: '@', query, items });
}

/** A screen reader's announcement of the list while the focus stays in the field. */
async function heard(view: ChatView, input: Locator): Promise<string | undefined> {
  const id = await input.getAttribute('aria-activedescendant');
  return id === null ? undefined : view.page.locator(`[id="${id}"]`).innerText();
}

describe('a slash at the beginning', () => {
  it('lists the commands with their arguments and descriptions', async () => {
    const { input, list } = await open();
    await input.pressSequentially('/');
    await list.waitFor();
    await eventually(() => list.getByRole('option').allInnerTexts()).toEqual([
      '/compact [focus]\nMakes the conversation smaller now.',
      '/context\nShows what fills the context window.',
      '/undo\nTakes the newest compaction back.',
      '/strategy [id]\nChooses how the conversation is made smaller.',
    ]);
  });

  it('narrows the list as the user types, and Tab inserts the first command', async () => {
    const { input, list } = await open();
    await input.pressSequentially('/co');
    await eventually(() => list.getByRole('option').count()).toBe(2);
    await input.press('Tab');
    await eventually(() => input.inputValue()).toBe('/compact ');
    expect(await list.isVisible()).toBe(false);
  });

  it('sends a fully typed command with one Enter', async () => {
    const { view, input, list } = await open();
    await input.pressSequentially('/undo');
    await list.waitFor();
    await input.press('Enter');
    await view.expectPost({ type: 'send', text: '/undo' });
  });

  it('asks the host for the arguments of a command', async () => {
    const { view, input, list } = await open();
    await input.pressSequentially('/strategy la');
    await view.expectPost({ type: 'complete', trigger: '/', query: 'strategy la' });
    const items = [{ label: 'ladder', detail: '', insert: '/strategy ladder' }];
    await view.notify({ type: 'completions', trigger: '/', query: 'strategy la', items });
    await list.waitFor();
    await input.press('Enter');
    await eventually(() => input.inputValue()).toBe('/strategy ladder');
  });

  it('has no suggestions later in the text', async () => {
    const { input, list } = await open();
    await input.pressSequentially('and /co');
    expect(await list.isVisible()).toBe(false);
  });
});

describe('an @', () => {
  it('completes a path anywhere in the text', async () => {
    const page = await open();
    await typeAndAnswer(page, 'Look at @src/l', 'src/l');
    await page.list.waitFor();
    await page.input.press('Enter');
    await eventually(() => page.input.inputValue()).toBe('Look at @src/lock.ts ');
    expect(await page.view.posted('send')).toEqual([]);
  });

  it('suggests the content of a folder once it is inserted', async () => {
    const page = await open();
    await typeAndAnswer(page, '@src/se', 'src/se', files.slice(2));
    await page.list.waitFor();
    await page.input.press('Tab');
    await eventually(() => page.input.inputValue()).toBe('@src/session/');
    await page.view.expectPost({ type: 'complete', trigger: '@', query: 'src/session/' });
  });

  it('leaves the focus in the field, and announces the active suggestion', async () => {
    const page = await open();
    const { view, input, list } = page;
    await typeAndAnswer(page, '@', '');
    await list.waitFor();
    await eventually(() => heard(view, input)).toBe('src/lock.ts');
    await input.press('ArrowDown');
    await eventually(() => heard(view, input)).toBe('src/log.ts');
    await input.press('ArrowUp');
    await input.press('ArrowUp');
    await eventually(() => heard(view, input)).toContain('src/session/');
    await view.page.getByText('3 suggestions').waitFor({ state: 'attached' });
  });

  it('inserts the suggestion that is clicked', async () => {
    const page = await open();
    await typeAndAnswer(page, '@', '');
    await page.list.getByRole('option', { name: 'src/log.ts' }).click();
    await eventually(() => page.input.inputValue()).toBe('@src/log.ts ');
    expect(await page.input.evaluate((node) => document.activeElement === node)).toBe(true);
  });

  it('inserts a suggestion that Ctrl+Z can undo', async () => {
    const page = await open();
    await typeAndAnswer(page, '@lo', 'lo');
    await page.list.waitFor();
    await page.input.press('Tab');
    await page.input.press('Control+z');
    await eventually(() => page.input.inputValue()).toBe('@lo');
  });

  it('suggests nothing more after Escape, which then does not stop the agent', async () => {
    const page = await open();
    const { view, input, list } = page;
    await view.notify({
      type: 'changes',
      revision: 2,
      changes: [{ type: 'state', state: { activity: 'tools' } }],
    });
    await typeAndAnswer(page, '@', '');
    await list.waitFor();
    await input.press('Escape');
    expect(await list.isVisible()).toBe(false);
    await input.pressSequentially('lo');
    expect(await list.isVisible()).toBe(false);
    expect(await view.posted('stop')).toEqual([]);
  });

  it('ignores suggestions for an earlier text', async () => {
    const { view, input, list } = await open();
    await input.pressSequentially('@src');
    await view.expectPost({ type: 'complete', trigger: '@', query: 'src' });
    await input.pressSequentially(' now');
    await view.notify({ type: 'completions', trigger: '@', query: 'src', items: files });
    expect(await list.isVisible()).toBe(false);
  });

  it('suggests nothing within an e-mail address', async () => {
    const { view, input } = await open();
    await input.pressSequentially('write to me@example.com now');
    expect(await view.posted('complete')).toEqual([]);
  });
});

describe('a #', () => {
  it('suggests context from the editor', async () => {
    const { view, input, list } = await open();
    await input.pressSequentially('Explain #se');
    await view.expectPost({ type: 'complete', trigger: '#', query: 'se' });
    const items = [{ label: '#selection', detail: 'lock.ts, 12 lines', insert: '#selection' }];
    await view.notify({ type: 'completions', trigger: '#', query: 'se', items });
    await list.waitFor();
    await input.press('Tab');
    await eventually(() => input.inputValue()).toBe('Explain #selection ');
  });
});

it('the list of suggestions fits the narrowest side bar', async () => {
  const page = await open(170);
  const wide = { label: 'x'.repeat(200), detail: 'y'.repeat(200), insert: `@${'x'.repeat(200)}` };
  await typeAndAnswer(page, '@', '', [wide, ...files]);
  await page.list.waitFor();
  expect(await page.view.overflow()).toBe(0);
  expect(await page.list.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
});
