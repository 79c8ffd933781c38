import { describe, expect, it } from 'vitest';
import type { AssistantRow, CompactionRow, ToolRow } from '../../../src/protocol/chat-rows.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, eventually } from '../support/view.ts';

const suite = chatSuite();

const tool: ToolRow = {
  type: 'tool',
  id: 't1',
  tool: 'search_text',
  label: '"reopens after kill"',
  state: 'done',
  tokens: 1214,
  preview: 'store.test.ts:88: reopens after kill',
  isClipped: true,
};

const compaction: CompactionRow = {
  type: 'compaction',
  id: 'c1',
  strategy: 'ladder',
  status: 'applied',
  tokensBefore: 109214,
  tokensAfter: 51370,
  isUndone: false,
};

const answer: AssistantRow = {
  type: 'assistant',
  id: 'a1',
  markdown: 'Done.',
  reasoning: 'First I look.',
  state: 'done',
};

describe('the conversation', () => {
  it('requests its state when it opens, and is empty until the state arrives', async () => {
    const view = await suite.open();
    await view.expectPost({ type: 'ready' });
    expect(await view.page.getByRole('textbox').isVisible()).toBe(false);
    await view.notify(snapshot());
    await view.page.getByRole('textbox').waitFor();
  });

  it('is a log of all messages and actions, in order', async () => {
    const view = await suite.open();
    await view.notify(snapshot());
    const log = view.page.getByRole('log', { name: 'Conversation' });
    expect(await log.getAttribute('aria-live')).toBe('polite');
    const text = await log.innerText();
    const parts = [
      'Why does',
      'search_text',
      'read_file',
      'The rename in',
      'Ladder',
      'Close first',
      'edit_file',
    ];
    const places = parts.map((part) => text.indexOf(part));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it("shows the user's text exactly as typed", async () => {
    const view = await suite.open();
    const text = '<b>not bold</b>\n  **nor this**';
    await view.notify(snapshot({ rows: [{ type: 'user', id: 'u1', text }] }));
    await eventually(() => view.page.locator('.user-text').textContent()).toBe(text);
  });

  it('shows the current activity', async () => {
    const view = await suite.open();
    for (const [activity, words] of [
      ['waiting', 'Waiting for the model…'],
      ['streaming', 'Writing…'],
      ['tools', 'Running tools…'],
      ['compacting', 'Compacting…'],
      ['idle', ''],
    ] as const) {
      await view.notify(snapshot({ activity }));
      await eventually(() => view.page.locator('.activity').innerText()).toBe(words);
    }
  });
});

describe('a tool call', () => {
  it('is collapsed to one line with its tokens', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [tool] }));
    const line = view.page.getByRole('button', { name: /search_text "reopens after kill" 1,214 tokens/ });
    expect(await line.getAttribute('aria-expanded')).toBe('false');
    expect(await view.page.getByText('store.test.ts:88').isVisible()).toBe(false);
    expect((await line.boundingBox())!.height).toBeLessThan(30);
  });

  it('expands to the beginning of its output, and to the whole output on request', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [tool] }));
    await view.page.getByRole('button', { name: /search_text/ }).click();
    await view.page.getByText('store.test.ts:88').waitFor();
    await view.page.getByRole('button', { name: 'Show all' }).click();
    await view.expectPost({ type: 'tool-output', id: 't1' });
    await view.notify({ type: 'tool-output', id: 't1', text: 'the whole output' });
    await view.page.getByText('the whole output').waitFor();
    expect(await view.page.getByRole('button', { name: 'Show all' }).isVisible()).toBe(false);
  });

  it('stays expanded when the view is hidden and shown again', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [tool] }));
    await view.page.getByRole('button', { name: /search_text/ }).click();
    await view.page.reload();
    await view.notify(snapshot({ rows: [tool] }));
    await view.page.getByText('store.test.ts:88').waitFor();
  });

  it.each([
    ['running', 'running', 'No output yet.'],
    ['failed', 'failed', 'No output.'],
    ['interrupted', 'interrupted', 'No output.'],
    ['declined', 'not allowed', 'No output.'],
  ] as const)('shows in words that it is %s', async (state, words, output) => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [{ ...tool, state, preview: '', isClipped: false }] }));
    await view.page.getByRole('button', { name: new RegExp(`search_text.*${words}`) }).click();
    await view.page.getByText(output, { exact: true }).waitFor();
    expect(await view.page.locator('.tool-state svg').count()).toBe(1);
  });
});

describe('a command in a side bar', () => {
  const row: ToolRow = {
    ...tool,
    tool: 'run_command',
    label: 'npm test -- --reporter=verbose --watch src/session/store.test.ts',
    state: 'failed',
    summary: 'exit code 1 after 0.4 s, 12 lines',
    messageId: 'm1',
    isPinned: false,
  };

  it.each([300, 350])('has the room beside its tool, and keeps its end, at %d pixels', async (width) => {
    const view = await suite.open({ width });
    await view.notify(snapshot({ rows: [row] }));
    const label = view.page.locator('.tool-label');
    const { right, share, end } = await label.evaluate((element) => {
      const line = element.closest('.tool-line')!.getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(
        [...element.childNodes].findLast((node) => node instanceof Text && node.data !== '')!,
      );
      const box = element.getBoundingClientRect();
      return { right: box.right, share: box.width / line.width, end: range.getBoundingClientRect().right };
    });
    expect(share).toBeGreaterThan(0.35);
    expect(end).toBeLessThanOrEqual(right + 1);
    expect(
      await label.locator(':scope > .cut-head').evaluate((head) => head.scrollWidth > head.clientWidth),
    ).toBe(true);
  });

  it('shows the reason of a failure below it', async () => {
    const view = await suite.open({ width: 300 });
    await view.notify(snapshot({ rows: [row] }));
    const reason = view.page.locator('.tool-state');
    const label = (await view.page.locator('.tool-label').boundingBox())!;
    await eventually(async () => (await reason.boundingBox())!.y).toBeGreaterThanOrEqual(
      label.y + label.height - 2,
    );
    expect(await reason.innerText()).toContain('exit code 1 after 0.4 s');
    expect((await reason.boundingBox())!.width).toBeGreaterThan(150);
  });

  it('shows its state as a sign, with its word in the title', async () => {
    const view = await suite.open({ width: 300 });
    await view.notify(snapshot({ rows: [{ ...row, summary: undefined }] }));
    const state = view.page.locator('.tool-state');
    expect(await state.getAttribute('title')).toBe('failed');
    expect((await state.boundingBox())!.width).toBeLessThan(24);
  });

  it('can be found as a whole, although it is shown in two parts', async () => {
    const view = await suite.open({ width: 300 });
    await view.notify(snapshot({ rows: [row] }));
    await view.page.getByRole('textbox', { name: 'Message' }).press('Control+f');
    await view.page.getByRole('textbox', { name: 'Find in chat' }).fill(row.label);
    await eventually(() => view.page.getByRole('search').getByRole('status').innerText()).toBe('1 of 1');
  });
});

describe('a chat with the offline model', () => {
  const model = { label: 'rules', isOffline: true };

  it('says at its beginning, once, what the model is', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ model }));
    const note = view.page.getByRole('note').filter({ hasText: 'The offline model' });
    expect(await note.count()).toBe(1);
    await note.getByRole('button', { name: 'Set API key' }).click();
    await view.expectPost({ type: 'set-api-key' });
    await view.notify(snapshot({}, 2));
    expect(await note.isVisible()).toBe(false);
  });
});

describe('thinking', () => {
  it('is collapsed until the user expands it', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [answer] }));
    expect(await view.page.getByText('First I look.').count()).toBe(0);
    await view.page.getByRole('button', { name: 'Thinking' }).click();
    await view.page.getByText('First I look.').waitFor();
  });

  it('appears in an answer that contained no thinking before', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [{ ...answer, reasoning: '' }] }));
    expect(await view.page.getByRole('button', { name: 'Thinking' }).count()).toBe(0);
    await view.notify({ type: 'changes', revision: 2, changes: [{ type: 'row', row: answer }] });
    await view.page.getByRole('button', { name: 'Thinking' }).waitFor();
  });
});

describe('a stopped answer', () => {
  it('is kept and marked as incomplete', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [{ ...answer, markdown: 'Half of', state: 'stopped' }] }));
    await view.page.getByText('Half of').waitFor();
    await view.page.getByText('Stopped before it finished.').waitFor();
  });

  it('can be continued if it is the last row', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [{ ...answer, state: 'stopped' }] }));
    await view.page.getByRole('button', { name: 'Continue' }).click();
    await view.expectPost({ type: 'retry' });
  });

  it.each([
    ['while the agent works', { activity: 'waiting', rows: [{ ...answer, state: 'stopped' }] }],
    ['once another row follows it', { rows: [{ ...answer, state: 'stopped' }, tool] }],
  ] as const)('cannot be continued %s', async (_when, state) => {
    const view = await suite.open();
    await view.notify(snapshot(state));
    await view.page.getByText('Stopped before it finished.').waitFor();
    expect(await view.page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
  });
});

describe('a compaction', () => {
  it('is one line with buttons for the diff and the undo', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [compaction] }));
    const row = view.page.locator('.compaction');
    await eventually(() => row.locator('.compaction-words').innerText()).toBe('Ladder · 109k → 51k');
    expect((await row.boundingBox())!.height).toBeLessThan(34);
    await row.getByRole('button', { name: 'Diff' }).click();
    await view.expectPost({ type: 'open-inspector', recordId: 'c1' });
    await row.getByRole('button', { name: 'Undo' }).click();
    await view.expectPost({ type: 'undo', recordId: 'c1' });
  });

  it('has no Undo button once it is undone', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [compaction] }));
    const row = { ...compaction, isUndone: true };
    await view.notify({ type: 'changes', revision: 2, changes: [{ type: 'row', row }] });
    await view.page.getByText('Ladder · undone').waitFor();
    await view.page.getByRole('button', { name: 'Diff' }).waitFor();
    expect(await view.page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
  });

  it('states whether another strategy replaced the requested one', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [{ ...compaction, requestedStrategy: 'llm-summary' }] }));
    await view.page.getByText('Ladder · 109k → 51k · instead of LLM Summary').waitFor();
  });

  it.each([
    ['refused', 'The summary was cut off.', 'Ladder was refused: The summary was cut off.'],
    ['failed', 'The model did not answer.', 'Ladder failed: The model did not answer.'],
    ['unchanged', 'Nothing is old enough.', 'Ladder made no changes: Nothing is old enough.'],
    ['cancelled', undefined, 'Ladder was cancelled.'],
  ] as const)('states in one sentence why it was %s', async (status, reason, sentence) => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [{ ...compaction, status, reason }] }));
    await view.page.getByText(sentence, { exact: true }).waitFor();
    expect(await view.page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await view.page.getByRole('button', { name: 'Details' }).click();
    await view.expectPost({ type: 'open-inspector', recordId: 'c1' });
  });
});

describe('an error', () => {
  it('is shown with a Retry button', async () => {
    const view = await suite.open();
    const message = 'The model could not be reached.';
    await view.notify(snapshot({ rows: [{ type: 'error', id: 'e1', message, canRetry: true }] }));
    await view.page.getByText(message).waitFor();
    await view.page.getByRole('button', { name: 'Retry' }).click();
    await view.expectPost({ type: 'retry' });
  });

  it('has no Retry button if a retry would not help', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [{ type: 'error', id: 'e1', message: 'No.', canRetry: false }] }));
    await view.page.getByText('No.').waitFor();
    expect(await view.page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
  });
});

describe('an empty conversation', () => {
  it('offers questions that one click sends', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [] }));
    const examples = view.page.getByRole('list', { name: 'Examples' }).getByRole('button');
    expect(await examples.count()).toBe(3);
    const text = await examples.first().innerText();
    await examples.first().click();
    await view.expectPost({ type: 'send', text });
  });

  it('explains the offline model, and offers a button to set an API key', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [], model: { label: 'Offline model', isOffline: true } }));
    await view.page.getByText('It needs no key and no network').waitFor();
    await view.page.getByRole('button', { name: 'Read README.md' }).waitFor();
    await view.page.getByRole('button', { name: 'Set API key', exact: true }).click();
    await view.expectPost({ type: 'set-api-key' });
  });

  it('begins with the sample session if no other agent has a session here', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [] }));
    await view.expectPost({ type: 'look-for-sessions' });
    await view.notify({ type: 'other-sessions' });
    await view.page.getByRole('button', { name: 'Open a sample session' }).click();
    await view.expectPost({ type: 'open-sample-session' });
    expect(await view.page.getByRole('button', { name: 'Open another session…' }).isVisible()).toBe(false);
  });

  it('begins with the session of another agent that is here, and offers the others and the sample', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [] }));
    const found = '2 sessions of Claude Code in this folder, one live, 69% full.';
    await view.notify({ type: 'other-sessions', found });
    await view.page.getByText(found).waitFor();
    await view.page.getByRole('button', { name: 'Open', exact: true }).click();
    await view.expectPost({ type: 'open-found-session' });
    await view.page.getByRole('button', { name: 'Open another session…' }).click();
    await view.expectPost({ type: 'open-transcript' });
    await view.page.getByRole('button', { name: 'Open a sample session' }).click();
    await view.expectPost({ type: 'open-sample-session' });
  });

  it('shows its beginning, even if the side bar is too low for all of it', async () => {
    const view = await suite.open();
    await view.page.setViewportSize({ width: 300, height: 300 });
    await view.notify(snapshot({ rows: [], model: { label: 'Offline model', isOffline: true } }));
    await view.notify({ type: 'other-sessions', found: '2 sessions of Codex in this folder.' });
    const box = await view.page.getByText('2 sessions of Codex in this folder.').boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(150);
  });

  it('does not look for sessions once the chat has begun', async () => {
    const view = await suite.open();
    await view.notify(snapshot());
    await view.page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(await view.posted('look-for-sessions')).toEqual([]);
  });

  it('shows the example questions only until the first row', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [] }));
    await view.page.getByText('Ask about this workspace', { exact: true }).first().waitFor();
    const row = { type: 'user', id: 'u1', text: 'Hello' } as const;
    await view.notify({ type: 'changes', revision: 2, changes: [{ type: 'row', row }] });
    await view.page.getByRole('list', { name: 'Examples' }).waitFor({ state: 'hidden' });
  });
});

describe('Restricted Mode', () => {
  it('is explained in a note, which disappears once the folder is trusted', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ isTrusted: false }));
    const note = view.page.getByRole('note');
    await note.waitFor();
    await eventually(() => note.innerText()).toContain('the agent cannot read files');
    await view.notify({
      type: 'changes',
      revision: 2,
      changes: [{ type: 'state', state: { isTrusted: true } }],
    });
    await note.waitFor({ state: 'hidden' });
  });
});
