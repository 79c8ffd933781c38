import { describe, expect, it } from 'vitest';
import type { ChatRequest, ChatState } from '../../../src/protocol/chat.ts';
import type { ChatRow, CompactionRow } from '../../../src/protocol/chat-rows.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
const rows: readonly ChatRow[] = [
  { type: 'user', id: 'u1', text: 'Close first.', tokens: 12, isPinned: false },
  {
    type: 'assistant',
    id: 'a1',
    markdown: 'Let me look.',
    reasoning: '',
    state: 'done',
    tokens: 30,
    isPinned: false,
  },
  {
    type: 'tool',
    id: 'a1:0',
    callerId: 'a1',
    messageId: 'r1',
    tool: 'read_file',
    label: 'src/lock.ts',
    path: 'src/lock.ts',
    state: 'done',
    tokens: 1_180,
    preview: 'text',
    isClipped: false,
    isPinned: false,
  },
  { type: 'user', id: 'u2', text: 'Look at this', tokens: 900, pictures: [{ key: '0:u2' }], isPinned: false },
  {
    type: 'assistant',
    id: 'a2',
    markdown: 'Done.',
    reasoning: '',
    state: 'done',
    tokens: 5,
    isPinned: false,
  },
];

async function open(changes: Partial<ChatState> = {}): Promise<ChatView> {
  const view = await suite.open();
  await view.notify(snapshot({ rows, ...changes }));
  await view.page.locator('.row').first().waitFor();
  return view;
}

const row = ({ page }: ChatView, text: string) => page.locator('.row').filter({ hasText: text });
const more = (view: ChatView, text: string) => row(view, text).getByRole('button', { name: 'More actions' });
const menu = ({ page }: ChatView) => page.getByRole('menu', { name: 'Message actions' });
const items = (view: ChatView) => menu(view).getByRole('menuitem').allInnerTexts();
const item = (view: ChatView, name: string) => menu(view).getByRole('menuitem', { name, exact: true });
const bar = ({ page }: ChatView) => page.getByRole('group', { name: 'Selected messages' });
const focused = ({ page }: ChatView) =>
  page.evaluate(() => document.activeElement?.closest('[data-key]')?.getAttribute('data-key'));

describe('the menu of a message', () => {
  it.each([
    ['Close first.', ['Hide', 'Compact everything below', 'Continue from here', 'Copy message', 'Select']],
    [
      'src/lock.ts',
      [
        'Hide',
        'Hide the call and its results',
        'Hide all results of read_file',
        'Hide all results for src/lock.ts',
        'Compact everything above',
        'Compact everything below',
        'Continue from here',
        'Copy message',
        'Select',
      ],
    ],
    [
      'Look at this',
      [
        'Hide',
        'Hide pictures',
        'Compact everything above',
        'Compact everything below',
        'Continue from here',
        'Copy message',
        'Select',
      ],
    ],
    ['Done.', ['Hide', 'Compact everything above', 'Copy message', 'Select']],
  ])('offers the actions that apply to the message: %s', async (text, expected) => {
    const view = await open();
    await more(view, text).press('Enter');
    expect(await items(view)).toEqual(expected);
  });

  it.each<[string, string, ChatRequest]>([
    ['src/lock.ts', 'Hide', { type: 'hide', selection: { messageIds: ['r1'] } }],
    ['src/lock.ts', 'Hide the call and its results', { type: 'hide', selection: { messageIds: ['a1'] } }],
    ['src/lock.ts', 'Hide all results of read_file', { type: 'hide', selection: { tool: 'read_file' } }],
    ['src/lock.ts', 'Hide all results for src/lock.ts', { type: 'hide', selection: { path: 'src/lock.ts' } }],
    ['Look at this', 'Hide pictures', { type: 'hide', selection: { pictureIds: ['u2'] } }],
    // A call and its results are not taken apart.
    ['src/lock.ts', 'Compact everything above', { type: 'compact-part', to: 'u1' }],
    ['Let me look.', 'Compact everything below', { type: 'compact-part', from: 'u2' }],
    ['src/lock.ts', 'Continue from here', { type: 'rewind', messageId: 'a1' }],
    ['src/lock.ts', 'Copy message', { type: 'copy-message', messageId: 'r1' }],
  ])('offers for “%s” the action: %s', async (text, name, request) => {
    const view = await open();
    await more(view, text).press('Enter');
    await item(view, name).click();
    await view.expectPost(request);
    expect(await menu(view).count()).toBe(0);
  });

  it('opens on a right click, unless text is selected', async () => {
    const view = await open();
    await row(view, 'Done.').click({ button: 'right' });
    await menu(view).waitFor();
    await view.page.keyboard.press('Escape');
    await view.page.getByText('Done.').selectText();
    await row(view, 'Done.').click({ button: 'right' });
    expect(await menu(view).count()).toBe(0);
  });

  it.each(['ContextMenu', 'Shift+F10'])(
    'opens with %s, and restores the focus when it closes',
    async (key) => {
      const view = await open();
      const line = row(view, 'src/lock.ts').getByRole('button').first();
      await line.press(key);
      await eventually(() => menu(view).locator(':focus').innerText()).toBe('Hide');
      await view.page.keyboard.press('Escape');
      await eventually(() => line.evaluate((node) => node === document.activeElement)).toBe(true);
    },
  );

  it('can be used with the arrow keys, Home, End and letters', async () => {
    const view = await open();
    await more(view, 'Close first.').press('Enter');
    const walked: string[] = [];
    for (const key of ['ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home', 'c', 'c']) {
      await view.page.keyboard.press(key);
      walked.push(await menu(view).locator(':focus').innerText());
    }
    expect(walked).toEqual([
      'Compact everything below',
      'Select',
      'Hide',
      'Select',
      'Hide',
      'Compact everything below',
      'Continue from here',
    ]);
  });

  it('stays inside the page, even if the page is narrow', async () => {
    const view = await suite.open({ width: 170, height: 400 });
    await view.notify(snapshot({ rows }));
    await more(view, 'Done.').press('Enter');
    const { x, y, width, height } = (await menu(view).boundingBox())!;
    expect([x >= 0, y >= 0, x + width <= 170, y + height <= 400]).toEqual([true, true, true, true]);
    expect(await view.overflow()).toBe(0);
  });

  it('closes when the user clicks elsewhere', async () => {
    const view = await open();
    await more(view, 'Done.').press('Enter');
    await view.page.getByRole('textbox', { name: 'Message' }).click();
    expect(await menu(view).count()).toBe(0);
  });

  it('offers only to copy the message in a read-only chat', async () => {
    const view = await open({ readOnly: { reason: 'other-window', window: '' } });
    await more(view, 'Done.').press('Enter');
    expect(await items(view)).toEqual(['Copy message']);
  });

  it('does not offer to hide a message that a compaction removed from the context', async () => {
    const view = await open({ absent: ['u1', 'a1', 'r1'] });
    await more(view, 'src/lock.ts').press('Enter');
    expect(await items(view)).toEqual(['Compact everything below', 'Copy message']);
  });

  it('shows hidden characters in file names', async () => {
    const evil = rows.map((one) => (one.type === 'tool' ? { ...one, path: 'evil\u202Etxt.exe' } : one));
    const view = await open({ rows: evil });
    await more(view, 'src/lock.ts').press('Enter');
    await item(view, 'Hide all results for evil⟨U+202E⟩txt.exe').waitFor();
  });
});

describe('selecting messages', () => {
  it('selects and hides messages with the keyboard alone', async () => {
    const view = await open();
    await more(view, 'Close first.').press('Enter');
    await item(view, 'Select').press('Enter');
    for (const key of ['ArrowDown', 'ArrowDown', 'Space', 'ArrowDown', 'Space', 'Space']) {
      await view.page.keyboard.press(key);
    }
    await bar(view).getByText('2 selected').waitFor();
    await bar(view).getByRole('button', { name: 'Hide' }).press('Enter');
    await view.expectPost({ type: 'hide', selection: { messageIds: ['u1', 'r1'] } });
    expect(await bar(view).isVisible()).toBe(false);
  });

  it('selects messages with clicks, and compacts from the first to the last', async () => {
    const view = await open();
    await row(view, 'src/lock.ts').click({ modifiers: ['Control'] });
    await row(view, 'Done.').click({ modifiers: ['Shift'] });
    await bar(view).getByText('3 selected').waitFor();
    expect(await view.page.locator('.row.is-selected').count()).toBe(3);
    await bar(view).getByRole('button', { name: 'Compact from first to last' }).click();
    await view.expectPost({ type: 'compact-part', from: 'a1', to: 'a2' });
    expect(await view.page.locator('.row.is-selected').count()).toBe(0);
  });

  it('ends with Escape, and leaves the focus in place', async () => {
    const view = await open();
    await row(view, 'Look at this').click({ modifiers: ['Control'] });
    await view.page.keyboard.press('Escape');
    expect(await bar(view).isVisible()).toBe(false);
    expect(await focused(view)).toBe('user:u2');
  });

  it('deselects messages that were hidden in the meantime', async () => {
    const view = await open();
    await row(view, 'Look at this').click({ modifiers: ['Control'] });
    await row(view, 'Done.').click();
    await view.notify(snapshot({ rows, hidden: ['u2'] }, 2));
    await bar(view).getByText('1 selected').waitFor();
  });
});

describe('the selection of one chat', () => {
  it('is not kept in another chat', async () => {
    const view = await open();
    await row(view, 'Look at this').click({ modifiers: ['Control'] });
    await bar(view).getByText('1 selected').waitFor();
    await view.notify(snapshot({ rows, sessionId: 'session-2' }, 2));
    expect(await bar(view).isVisible()).toBe(false);
    expect(await view.page.locator('.is-selected').count()).toBe(0);
  });
});

describe('hidden messages', () => {
  const line = ({ page }: ChatView) => page.locator('.hidden-messages');

  it('are shown as one line with their first words and tokens', async () => {
    const view = await open({ hidden: ['r1'] });
    expect((await line(view).innerText()).replace(/\s+/g, ' ')).toBe(
      'Hidden: read_file src/lock.ts 1,180 tokens Show',
    );
    await line(view).getByRole('button').click();
    await view.expectPost({ type: 'show', messageIds: ['r1'] });
    await view.notify(snapshot({ rows, hidden: [] }, 2));
    await eventually(() => focused(view)).toBe('tool:a1:0');
    expect(await line(view).count()).toBe(0);
  });

  it('share one line if they are adjacent', async () => {
    const view = await open({ hidden: ['u1', 'a1', 'r1', 'a2'] });
    await eventually(async () =>
      (await line(view).allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
    ).toEqual(['3 messages hidden 1,222 tokens Show all', 'Hidden: Done. 5 tokens Show']);
    await line(view).first().getByRole('button').click();
    // The result comes back with its call.
    await view.expectPost({ type: 'show', messageIds: ['u1', 'a1'] });
  });

  it('have their line marked when one of them should be revealed', async () => {
    const view = await open({ hidden: ['u1', 'a1', 'r1'] });
    await view.notify({ type: 'reveal', messageId: 'r1' });
    await eventually(() => line(view).getAttribute('class')).toContain('is-revealed');
  });

  it('cannot be shown again in a read-only chat', async () => {
    const view = await open({ hidden: ['u1'], readOnly: { reason: 'other-window', window: '' } });
    expect(await line(view).getByRole('button').count()).toBe(0);
  });
});

describe('the row of a compaction by hand', () => {
  const compaction: CompactionRow = {
    type: 'compaction',
    id: 'c1',
    strategy: 'hide',
    status: 'applied',
    tokensBefore: 9_200,
    tokensAfter: 8_000,
    byHand: { what: 'hide', messages: 2 },
    isUndone: false,
  };

  it.each<[Partial<CompactionRow>, string]>([
    [{}, 'You hid 2 messages (1,200 tokens)'],
    [{ isUndone: true }, 'You hid 2 messages (1,200 tokens) · undone'],
    [{ byHand: { what: 'pictures', messages: 1 } }, 'You hid the pictures of 1 message'],
    [
      { strategy: 'rewind', byHand: { what: 'rewind', messages: 8 } },
      'Continued from an earlier message · 9.2k → 8k',
    ],
    [
      { strategy: 'ladder', byHand: { what: 'part', messages: 12 } },
      'Ladder · 9.2k → 8k · 12 messages that you chose',
    ],
    [{ status: 'refused', reason: 'It is pinned.' }, 'Hide was refused: It is pinned.'],
  ])('describes the compaction: %j', async (changes, words) => {
    const view = await open({ rows: [...rows, { ...compaction, ...changes }] });
    await eventually(() => view.page.locator('.compaction-words').innerText()).toBe(words);
    const undo = view.page.getByRole('button', { name: 'Undo', exact: true });
    expect(await undo.count()).toBe(changes.isUndone === true || changes.status === 'refused' ? 0 : 1);
  });
});
