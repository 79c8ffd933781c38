import { describe, expect, it } from 'vitest';
import type { ChatState, ReadOnlyView } from '../../../src/protocol/chat.ts';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { queue, runningCommand } from '../support/action-fixtures.ts';
import { conversation, meter, snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
const elsewhere: ReadOnlyView = { reason: 'other-window', window: 'project' };
const newer: ReadOnlyView = { reason: 'newer-version', window: '' };

/** Rows with everything that can be done to a chat. */
const rows: readonly ChatRow[] = [
  ...conversation.map((row) => (row.type === 'user' ? { ...row, isPinned: true } : row)),
  runningCommand,
  {
    type: 'edits',
    id: 'edits:u2',
    files: [{ path: 'src/session/lock.ts', change: 'modified', added: 2, removed: 1 }],
    isUndone: false,
  },
  { type: 'error', id: 'error', message: 'The provider does not answer.', canRetry: true },
  { type: 'assistant', id: 'a2', markdown: 'Half of', reasoning: '', state: 'stopped', isPinned: false },
];

async function open(changes: Partial<ChatState>, language?: string): Promise<ChatView> {
  const view = await suite.open({ language });
  await view.notify(
    snapshot({
      rows,
      queue,
      pins: ['u1'],
      proposal: 'ratio',
      meter: { ...meter, isBreakerOpen: true },
      ...changes,
    }),
  );
  await view.page.locator('.row').first().waitFor();
  return view;
}
const banner = (view: ChatView) => view.page.locator('.read-only');
const choices = (view: ChatView) => banner(view).getByRole('button').allInnerTexts();

/** Names of everything that changes a chat, in the order of the page. */
const changing =
  /^(Edit|Pin|Unpin|Undo|Undo Edits|Retry|Continue|Stop|Compact now|Preview…|With a focus|Other strategy|Not now|Send)\b/i;

describe('a chat that another window has open', () => {
  it('states the name of that window, even to a screen reader', async () => {
    const view = await open({ readOnly: elsewhere });
    const reason = banner(view).getByRole('status');
    await eventually(() => reason.innerText()).toBe('This chat is open in another window (project).');
  });

  it('states no name if that window has none', async () => {
    const view = await open({ readOnly: { ...elsewhere, window: '' } });
    const reason = banner(view).getByRole('status');
    await eventually(() => reason.innerText()).toBe('This chat is open in another window.');
  });

  it('shows markup in the name of that window literally', async () => {
    const view = await open({ readOnly: { ...elsewhere, window: '<img src=x onerror=alert(1)>' } });
    await eventually(() => banner(view).getByRole('status').innerText()).toContain(
      '(<img src=x onerror=alert(1)>)',
    );
    expect(await banner(view).locator('img').count()).toBe(0);
  });

  it.each([
    ['Take over', { type: 'take-over' }],
    ['Fork', { type: 'fork' }],
  ] as const)('can be operated by keyboard: %s', async (name, request) => {
    const view = await open({ readOnly: elsewhere });
    expect(await choices(view)).toEqual(['Take over', 'Fork']);
    await banner(view).getByRole('button', { name }).press('Enter');
    await view.expectPost(request);
  });

  it('states in Chinese that another window has it open', async () => {
    const view = await open({ readOnly: elsewhere }, 'zh-cn');
    await eventually(() => banner(view).getByRole('status').innerText()).toBe(
      '此聊天已在另一个窗口（project）中打开。',
    );
    expect(await choices(view)).toEqual(['接管', '分叉']);
  });

  it('can be continued with its draft once this window owns it', async () => {
    const view = await open({ readOnly: elsewhere, draft: 'half a thought' });
    const changes = [{ type: 'state', state: { readOnly: undefined } }] as const;
    await view.notify({ type: 'changes', revision: 2, changes });
    const input = view.page.getByRole('textbox', { name: 'Message' });
    await input.waitFor();
    await eventually(() => input.inputValue()).toBe('half a thought');
    expect(await banner(view).isVisible()).toBe(false);
    await view.page.getByRole('button', { name: 'Edit this message' }).first().waitFor();
  });
});

describe('a chat written by a newer version', () => {
  it('explains how to continue it, and cannot be taken over or forked', async () => {
    const view = await open({ readOnly: newer });
    const reason = 'A newer version of Context Budget wrote this chat. Update the extension to continue.';
    await eventually(() => banner(view).getByRole('status').innerText()).toBe(reason);
    expect(await choices(view)).toEqual([]);
  });

  it('explains in Chinese how to continue it', async () => {
    const view = await open({ readOnly: newer }, 'zh-cn');
    const reason = '此聊天由较新版本的 Context Budget 写入。请更新扩展以继续。';
    await eventually(() => banner(view).getByRole('status').innerText()).toBe(reason);
  });
});

describe.each([
  ['is open elsewhere', elsewhere],
  ['a newer version wrote', newer],
])('a read-only chat that %s', (_name, readOnly) => {
  const buttons = async (view: ChatView) => {
    const visible = await view.page.getByRole('button').filter({ visible: true }).all();
    return Promise.all(
      visible.map(async (button) => (await button.getAttribute('aria-label')) ?? button.innerText()),
    );
  };

  it('has no composer', async () => {
    const view = await open({ readOnly });
    expect(await view.page.getByRole('textbox').count()).toBe(0);
  });

  it('offers only actions that do not change it', async () => {
    const view = await open({ readOnly });
    await view.page.locator('.pins .disclosure').click();
    const offered = await buttons(view);
    expect(offered.filter((name) => changing.test(name))).toEqual([]);
    expect(offered).toContain('Diff');
  });

  it('offers the other actions once it can be changed', async () => {
    const view = await open({});
    await view.page.locator('.pins .disclosure').click();
    const offered = (await buttons(view)).filter((name) => changing.test(name));
    for (const name of [
      'Edit this message',
      'Pin this answer',
      'Undo',
      'Undo Edits',
      'Retry',
      'Not now',
      'Continue',
    ]) {
      expect(offered).toContain(name);
    }
  });

  it('still expands its rows', async () => {
    const view = await open({ readOnly });
    await view.page.locator('.compaction .disclosure').click();
    await eventually(() => view.posted('record-summary')).toHaveLength(1);
  });
});
