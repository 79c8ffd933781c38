import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ChatChange } from '../../../src/protocol/chat.ts';
import type { ChatRow, EditsRow, ToolRow } from '../../../src/protocol/chat-rows.ts';
import { turnWheel } from '../../support/wheel.ts';
import { lockChange, runningCommand, subAgents, testChange } from '../support/action-fixtures.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
async function show(...rows: readonly ChatRow[]): Promise<ChatView> {
  const view = await suite.open();
  await view.notify(snapshot({ rows, activity: 'tools' }));
  return view;
}

function change(view: ChatView, ...changes: readonly ChatChange[]): Promise<void> {
  return view.notify({ type: 'changes', revision: 2, changes });
}

const { output: _output, canStop: _canStop, ...settled } = runningCommand;

const doneCommand: ToolRow = {
  ...settled,
  state: 'done',
  tokens: 214,
  preview: 'The beginning of all of it.',
  summary: 'exit code 0 after 3.2 s',
};

describe('a running command', () => {
  const live = ({ page }: ChatView): Locator => page.getByLabel('Output so far');

  it('shows the output as it arrives', async () => {
    const view = await show({ ...runningCommand, output: 'one\n' });
    await change(view, { type: 'output', id: 'running', text: 'two\n' });
    await eventually(() => live(view).textContent()).toBe('one\ntwo\n');
  });

  it('expands with its first output, and collapses when it ends', async () => {
    const view = await show({ ...runningCommand, output: '' });
    expect(await live(view).isVisible()).toBe(false);
    await change(view, { type: 'output', id: 'running', text: 'one\n' });
    await live(view).waitFor();
    await view.notify({ type: 'changes', revision: 3, changes: [{ type: 'row', row: doneCommand }] });
    await live(view).waitFor({ state: 'hidden' });
    expect(await view.page.getByText('The beginning of all of it.').isVisible()).toBe(false);
  });

  it('stays collapsed once the user has collapsed it', async () => {
    const view = await show(runningCommand);
    await view.page.getByRole('button', { name: /^run_command/ }).click();
    await change(view, { type: 'output', id: 'running', text: 'more\n' });
    await eventually(() => live(view).textContent()).toContain('src/session/store.ts');
    expect(await live(view).isVisible()).toBe(false);
  });

  it('keeps the end of the output in view unless the user scrolls up', async () => {
    const view = await show(runningCommand);
    await change(view, { type: 'output', id: 'running', text: 'line\n'.repeat(100) });
    await eventually(() => distanceFromEnd(live(view))).toBeLessThanOrEqual(2);
    expect((await live(view).boundingBox())!.height).toBeLessThan(160);
  });

  it('keeps the scroll position once the user has scrolled up', async () => {
    const view = await show({ ...runningCommand, output: 'line\n'.repeat(100) });
    await eventually(() => distanceFromEnd(live(view))).toBeLessThanOrEqual(2);
    await turnWheel(live(view), -300);
    await eventually(() => distanceFromEnd(live(view))).toBeGreaterThan(100);
    const { scrollTop } = await live(view).evaluate(({ scrollTop }) => ({ scrollTop }));
    await change(view, { type: 'output', id: 'running', text: 'more\n'.repeat(50) });
    await eventually(() => live(view).textContent()).toContain('more');
    expect(await live(view).evaluate((node) => node.scrollTop)).toBe(scrollTop);
  });

  it('keeps a selection in its output', async () => {
    const view = await show(runningCommand);
    await live(view).evaluate((pre) =>
      getSelection()!.setBaseAndExtent(pre.firstChild!, 0, pre.firstChild!, 9),
    );
    await change(view, { type: 'output', id: 'running', text: 'more\n' });
    await eventually(() => live(view).textContent()).toContain('more');
    expect(await view.page.evaluate(() => String(getSelection()))).toBe('compiling');
  });

  it('changes nothing on the page except its own output', async () => {
    const view = await show({ ...doneCommand, id: 'before' }, runningCommand);
    await live(view).waitFor();
    await view.page.evaluate(() => {
      const elsewhere: string[] = [];
      const own = document.querySelector('.is-live')!;
      const watch = new MutationObserver((changes) => {
        for (const { target } of changes) if (!own.contains(target)) elsewhere.push(target.nodeName);
      });
      const everything = { subtree: true, childList: true, characterData: true };
      watch.observe(document.querySelector('.log')!, everything);
      Object.assign(window, { elsewhere });
    });
    await change(view, { type: 'output', id: 'running', text: 'more\n' });
    await eventually(() => live(view).textContent()).toContain('more');
    expect(await view.page.evaluate(() => Reflect.get(window, 'elsewhere') as unknown)).toEqual([]);
  });

  it('can be stopped without stopping the turn', async () => {
    const view = await show(runningCommand);
    await view.page.getByRole('button', { name: 'Stop run_command' }).click();
    await view.expectPost({ type: 'stop-call', id: 'running' });
    expect(await view.posted('stop')).toEqual([]);
  });

  it('cannot be stopped before it has started', async () => {
    const view = await show(settled);
    await view.page.getByRole('button', { name: /^run_command/ }).waitFor();
    expect(await view.page.getByRole('button', { name: 'Stop run_command' }).count()).toBe(0);
  });

  it('shows on its line how it ended', async () => {
    const view = await show({ ...doneCommand, state: 'failed', summary: 'exit code 1' });
    await view.page
      .getByRole('button', { name: /run_command npm run build failed: exit code 1 214 tokens/ })
      .waitFor();
  });
});

describe('a call that changed files', () => {
  const edit: ToolRow = {
    ...settled,
    tool: 'edit_file',
    label: lockChange.path,
    state: 'done',
    changes: [lockChange],
  };

  it('opens the diff editor when its count of changed lines is clicked', async () => {
    const view = await show(edit);
    await view.page.getByRole('button', { name: '2 lines added, 1 line removed' }).click();
    await view.expectPost({ type: 'review', id: 'running', path: lockChange.path });
  });

  it('lists its files if there are several', async () => {
    const view = await show({ ...edit, label: '2 files', changes: [lockChange, testChange] });
    const files = view.page.getByRole('list', { name: 'Changed files' }).getByRole('button');
    expect(await files.count()).toBe(2);
    await files.nth(1).click();
    await view.expectPost({ type: 'review', id: 'running', path: testChange.path });
  });
});

describe('the edits of a turn', () => {
  const edits: EditsRow = {
    type: 'edits',
    id: 'edits:u1',
    files: [
      { path: 'src/lock.ts', change: 'modified', added: 2, removed: 1 },
      { path: 'src/new.ts', change: 'created', added: 10, removed: 0 },
      { path: 'src/old.ts', change: 'deleted', added: 0, removed: 3 },
    ],
    isUndone: false,
  };
  const row = ({ page }: ChatView): Locator => page.locator('.edits');

  it('are shown as a total and file by file', async () => {
    const view = await show(edits);
    const text = (await row(view).innerText()).replace(/\s+/g, ' ');
    expect(text).toMatch(/^3 files changed \+12 −4/);
    expect(text).toContain('src/new.ts new +10');
    expect(text).toContain('src/old.ts deleted −3');
  });

  it('open in the diff editor', async () => {
    const view = await show(edits);
    await row(view)
      .getByRole('button', { name: /^src\/new.ts/ })
      .click();
    await view.expectPost({ type: 'review', id: 'edits:u1', path: 'src/new.ts' });
  });

  it('can be undone together', async () => {
    const view = await show(edits);
    await row(view).getByRole('button', { name: 'Undo Edits' }).click();
    await view.expectPost({ type: 'undo-edits', id: 'edits:u1' });
    await change(view, { type: 'row', row: { ...edits, isUndone: true } });
    await row(view).getByText('undone', { exact: true }).waitFor();
    expect(await row(view).getByRole('button', { name: 'Undo Edits' }).count()).toBe(0);
  });
});

describe('sub-agents', () => {
  const delegate: ToolRow = { ...settled, tool: 'delegate', label: '3 sub-agents', subAgents };
  const list = ({ page }: ChatView): Locator => page.getByRole('list', { name: 'Sub-agents' });

  it('show their states, dependencies and tokens', async () => {
    const view = await show(delegate);
    const lines = await list(view).getByRole('listitem').allInnerTexts();
    expect(lines.map((line) => line.replace(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/^backend done 18,240 .*The lock is taken in two places\.$/),
      expect.stringMatching(
        /^tests running 6,120 .*after backend · read_file test\/session\/lock\.test\.ts$/,
      ),
      'docs waiting after backend, tests',
    ]);
  });

  it('open in the inspector, but only once they have started', async () => {
    const view = await show(delegate);
    await list(view)
      .getByRole('button', { name: /^backend/ })
      .click();
    await view.expectPost({ type: 'open-sub-agent', sessionId: 'sub-agent-1' });
    expect(await list(view).getByRole('button', { name: /^docs/ }).isDisabled()).toBe(true);
  });

  it('are updated in place and keep the focus', async () => {
    const view = await show(delegate);
    await list(view)
      .getByRole('button', { name: /^tests/ })
      .focus();
    const next = subAgents.map((subAgent) => ({ ...subAgent, state: 'done', note: 'Done.' }) as const);
    await change(view, { type: 'row', row: { ...delegate, subAgents: next } });
    const tests = list(view).getByRole('button', { name: /^tests done/ });
    await tests.waitFor();
    expect(await tests.evaluate((node) => document.activeElement === node)).toBe(true);
  });
});

function distanceFromEnd(element: Locator): Promise<number> {
  return element.evaluate(
    ({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop,
  );
}
