import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
const state = { rows: [{ type: 'user', id: 'u1', text: 'Close first.' }] } as const;
const editor = ({ page }: ChatView): Locator => page.getByRole('textbox', { name: 'Edited message' });
const edit = ({ page }: ChatView): Locator => page.getByRole('button', { name: 'Edit this message' });

async function startEditing(): Promise<ChatView> {
  const view = await suite.open();
  await view.notify(snapshot(state));
  await edit(view).press('Enter');
  return view;
}

describe('an earlier message', () => {
  it('shows its Edit button on hover and on focus', async () => {
    const view = await suite.open();
    await view.notify(snapshot(state));
    const opacity = () => edit(view).evaluate((node) => getComputedStyle(node).opacity);
    expect(await opacity()).toBe('0');
    await view.page.locator('.user').hover();
    await eventually(opacity).toBe('1');
    await view.page.mouse.move(0, 0);
    await edit(view).focus();
    await eventually(opacity).toBe('1');
  });

  it('has no buttons over its field', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [{ ...state.rows[0], isPinned: true }] }));
    await edit(view).press('Enter');
    const buttons = view.page.locator('.row.user').locator('.pin, .more, .edit');
    expect(await buttons.filter({ visible: true }).count()).toBe(0);
  });

  it('becomes editable, and states what sending it will do', async () => {
    const view = await startEditing();
    await eventually(() => editor(view).inputValue()).toBe('Close first.');
    expect(await editor(view).evaluate((node) => document.activeElement === node)).toBe(true);
    await view.page.getByText('starts a new chat from this message').waitFor();
  });

  it.each([
    ['the button', (view: ChatView) => view.page.getByRole('button', { name: 'Send in a new chat' }).click()],
    ['Enter', (view: ChatView) => editor(view).press('Enter')],
  ])('is sent in a new chat by %s', async (_name, save) => {
    const view = await startEditing();
    await editor(view).fill('Retry first.');
    await save(view);
    await view.expectPost({ type: 'edit-message', id: 'u1', text: 'Retry first.' });
    await view.page.getByText('Close first.').waitFor();
  });

  it.each([
    ['Cancel', (view: ChatView) => view.page.getByRole('button', { name: 'Cancel' }).click()],
    ['Escape', (view: ChatView) => editor(view).press('Escape')],
  ])('stays unchanged after %s', async (_name, cancel) => {
    const view = await startEditing();
    await editor(view).fill('Retry first.');
    await cancel(view);
    await view.page.getByText('Close first.').waitFor();
    expect(await edit(view).evaluate((node) => document.activeElement === node)).toBe(true);
    expect(await view.posted('edit-message')).toEqual([]);
  });

  it('cannot be sent without text', async () => {
    const view = await startEditing();
    await editor(view).fill('  \n');
    await editor(view).press('Enter');
    const save = view.page.getByRole('button', { name: 'Send in a new chat' });
    await eventually(() => save.isDisabled()).toBe(true);
    expect(await view.posted('edit-message')).toEqual([]);
  });

  it('is still being edited after a reload of the page', async () => {
    const view = await startEditing();
    await editor(view).fill('Retry fir');
    await view.page.reload();
    await view.notify(snapshot(state));
    await eventually(() => editor(view).inputValue()).toBe('Retry fir');
  });
});
