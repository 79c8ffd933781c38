import { describe, expect, it } from 'vitest';
import type { ChatState } from '../../../src/protocol/chat.ts';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { conversation, snapshot } from '../support/chat-fixtures.ts';
import { chatScenes, everyRow } from '../support/chat-scenes.ts';
import { markPressable, tabThrough, tabWithin, unreached } from '../support/keyboard.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
/** A type of row that is added has to be among the rows that are gone through. */
const rowTypes: Readonly<Record<ChatRow['type'], true>> = {
  user: true,
  assistant: true,
  tool: true,
  edits: true,
  compaction: true,
  error: true,
};

/** Goes from row to row with the arrow keys, and through each with Tab. */
async function goThroughRows({ page }: ChatView): Promise<void> {
  if ((await page.locator('.row').count()) === 0) return;
  await page.locator('.log').press('Enter');
  await page.keyboard.press('Home');
  for (const row of await page.locator('.row').all()) {
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true);
    await tabWithin(row);
    await row.focus();
    await page.keyboard.press('ArrowDown');
  }
}

describe('the keyboard', () => {
  it('is tested with every type of row', () => {
    expect(new Set(everyRow.map(({ type }) => type))).toEqual(new Set(Object.keys(rowTypes)));
  });

  it.each(Object.entries(chatScenes))('reaches every control in a chat %s', async (_name, show) => {
    const view = await suite.open({ height: 3_000 });
    await show(view);
    expect(await markPressable(view.page)).toBeGreaterThan(0);
    await tabThrough(view.page);
    await goThroughRows(view);
    expect(await unreached(view.page)).toEqual([]);
  });

  it('is reported if it cannot reach a control that a mouse can press', async () => {
    const view = await suite.open();
    await chatScenes['that is empty'](view);
    await view.page.evaluate(() => {
      const trap = document.createElement('div');
      trap.className = 'for-mice changes-chat link';
      trap.textContent = 'Press me';
      document.body.prepend(trap);
      const skipped = document.createElement('button');
      skipped.tabIndex = -1;
      skipped.textContent = 'Skipped';
      document.body.prepend(skipped);
    });
    await markPressable(view.page);
    await tabThrough(view.page);
    expect(await unreached(view.page)).toEqual([
      'button. Skipped',
      'div.for-mice changes-chat link Press me',
    ]);
  });

  it('reaches every action in the menu of every row', async () => {
    const view = await suite.open({ height: 3_000 });
    await view.notify(snapshot({ rows: everyRow }));
    const { page } = view;
    const openers = await page.locator('.more').filter({ visible: true }).all();
    expect(openers.length).toBeGreaterThan(0);
    for (const opener of openers) {
      await opener.focus();
      await page.keyboard.press('Enter');
      const items = await page.getByRole('menuitem').allInnerTexts();
      expect(items).not.toEqual([]);
      const reached: string[] = [];
      while (reached.length < items.length) {
        reached.push(await page.evaluate(() => document.activeElement?.textContent.trim() ?? ''));
        await page.keyboard.press('ArrowDown');
      }
      expect(reached).toEqual(items);
      await page.keyboard.press('Escape');
      expect(await opener.evaluate((each) => each === document.activeElement)).toBe(true);
    }
  });

  it('reaches every action of a row, with visible focus', async () => {
    const view = await suite.open();
    await view.notify(
      snapshot({
        rows: [
          { type: 'user', id: 'u1', text: 'Look', isPinned: false },
          {
            type: 'compaction',
            id: 'c1',
            strategy: 'ladder',
            status: 'applied',
            tokensBefore: 2,
            tokensAfter: 1,
            isUndone: false,
          },
        ],
      }),
    );
    await view.page.locator('.log').press('Enter');
    await view.page.keyboard.press('Home');
    const names: string[] = [];
    for (const key of [
      'Tab',
      'Tab',
      'Tab',
      'Shift+Tab',
      'Shift+Tab',
      'Shift+Tab',
      'ArrowDown',
      'Tab',
      'Tab',
      'Tab',
    ]) {
      await view.page.keyboard.press(key);
      names.push(
        await view.page.evaluate(() => {
          const active = document.activeElement!;
          const { opacity, outlineStyle } = getComputedStyle(active);
          const name =
            active.getAttribute('data-key') ?? active.getAttribute('aria-label') ?? active.textContent.trim();
          return opacity === '1' && outlineStyle === 'solid' ? name : `${name} is not seen`;
        }),
      );
    }
    expect(names).toEqual([
      'Edit this message',
      'Pin this message',
      'More actions',
      'Pin this message',
      'Edit this message',
      'user:u1',
      'compaction:c1',
      'Ladder · 2 → 1',
      'Diff',
      'Undo',
    ]);
  });

  it('takes one Tab past 200 messages, and comes back to the row that it left', async () => {
    const view = await suite.open();
    const messages = Array.from({ length: 200 }, (_, index): ChatRow => ({
      type: 'user',
      id: `u${index}`,
      text: `See [it](https://example.com/${index})`,
      isPinned: false,
    }));
    await view.notify(snapshot({ rows: messages }));
    const { page } = view;
    await eventually(() => page.locator('.row').count()).toBeGreaterThan(20);
    await page.locator('.log').press('Enter');
    await page.keyboard.press('ArrowUp');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-key') ?? '');
    expect(await focused()).toBe('user:u198');
    const row = () =>
      page.evaluate(() => document.activeElement?.closest('.row')?.getAttribute('data-key') ?? 'none');
    const rows: string[] = [];
    for (let step = 0; step < 4; step++) {
      await page.keyboard.press('Tab');
      rows.push(await row());
    }
    expect(rows).toEqual(['user:u198', 'user:u198', 'user:u198', 'none']);
    while ((await row()) === 'none') await page.keyboard.press('Shift+Tab');
    expect(await row()).toBe('user:u198');
    for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('user:u198');
  });

  it('opens and closes what a row folds with Enter', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: conversation.filter(({ id }) => id === 't1') }));
    const { page } = view;
    await page.locator('.log').press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('test/session/store.test.ts:88').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('test/session/store.test.ts:88').waitFor({ state: 'hidden' });
  });
});

describe('the shortcut for the focused row', () => {
  const rows = conversation.map((row) =>
    row.type === 'user' || row.type === 'assistant' ? { ...row, isPinned: false, tokens: 120 } : row,
  );

  /** A chat with the focus on its newest message of the person. */
  async function onMessage(changes: Partial<ChatState> = {}): Promise<ChatView> {
    const view = await suite.open();
    await view.notify(snapshot({ rows, ...changes }));
    await view.page.locator('.log').focus();
    await view.page.keyboard.press('Enter');
    for (const { type } of rows.slice(rows.findIndex(({ id }) => id === 'u2') + 1)) {
      expect(type).toBe('tool');
      await view.page.keyboard.press('ArrowUp');
    }
    return view;
  }

  it('hides the row, and shows it again from the line that replaced it', async () => {
    const view = await onMessage();
    await view.expectPost({ type: 'focused-row', action: 'hide' });
    await view.notify({ type: 'act-on-row', action: 'show' });
    await view.notify({ type: 'act-on-row', action: 'hide' });
    expect(await view.posted('show')).toEqual([]);
    await view.expectPost({ type: 'hide', selection: { messageIds: ['u2'] } });

    await view.notify(snapshot({ rows, hidden: ['u2'] }, 2));
    await view.expectPost({ type: 'focused-row', action: 'show' });
    await view.notify({ type: 'act-on-row', action: 'show' });
    await view.expectPost({ type: 'show', messageIds: ['u2'] });

    await view.notify(snapshot({ rows }, 3));
    await view.expectPost({ type: 'focused-row', action: 'hide' });
  });

  it('hides the selected messages', async () => {
    const view = await onMessage();
    for (const name of ['u2', 'a1']) {
      await view.page.locator(`[data-key$=":${name}"]`).click({ modifiers: ['Control'] });
    }
    await view.notify({ type: 'act-on-row', action: 'hide' });
    await view.expectPost({ type: 'hide', selection: { messageIds: ['a1', 'u2'] } });
  });

  it('is disabled while something else has the focus', async () => {
    const view = await onMessage();
    await view.expectPost({ type: 'focused-row', action: 'hide' });
    await view.page.locator('.composer textarea').focus();
    await view.expectPost({ type: 'focused-row' });
  });

  it('is disabled while a message is being edited', async () => {
    const view = await onMessage();
    await view.page.locator('[data-key="user:u2"] .edit').press('Enter');
    await view.expectPost({ type: 'focused-row' });
  });

  it('is disabled in a read-only chat', async () => {
    const view = await onMessage({ readOnly: { reason: 'other-window', window: '' } });
    await view.notify({ type: 'act-on-row', action: 'hide' });
    expect(await view.posted('focused-row')).toEqual([]);
    expect(await view.posted('hide')).toEqual([]);
  });
});
