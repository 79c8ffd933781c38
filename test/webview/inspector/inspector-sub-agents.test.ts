import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { SessionChoice } from '../../../src/protocol/inspector.ts';
import { contrasts } from '../support/colours.ts';
import {
  diff,
  inspectorSnapshot,
  ladder,
  message,
  subAgentMessages,
  otherSessions,
  subAgentSnapshot,
} from '../support/inspector-fixtures.ts';
import { triedThemes } from '../support/themes.ts';
import { eventually, inspectorSuite, type InspectorView, type OpenOptions } from '../support/view.ts';

const suite = inspectorSuite();
const sessionId = 'session-1.b';

/** Opens the menu of sessions at the title. */
async function sessions({ page }: InspectorView): Promise<Locator> {
  await page.locator('.session-button').click();
  return page.getByRole('menu', { name: 'Chat and sub-agents' });
}

const list = ({ page }: InspectorView) => page.getByRole('list', { name: 'Messages' });

/** A sub-agent with its messages. */
async function showSubAgent(options: OpenOptions = { width: 900 }): Promise<InspectorView> {
  const view = await suite.open(options);
  await view.notify(subAgentSnapshot());
  await view.expectPost({ type: 'messages', sessionId, from: 0 });
  await view.notify({ type: 'messages', sessionId, from: 0, messages: subAgentMessages });
  await view.page.getByRole('button', { name: /^read_file src/ }).waitFor();
  return view;
}

describe('the menu of sessions', () => {
  it('is absent in a chat without sub-agents', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(inspectorSnapshot());
    await view.page.getByRole('heading', { name: 'Compactions' }).waitFor();
    expect(await view.page.locator('.session-button').count()).toBe(0);
  });

  it('contains the chat and its sub-agents, each with state and tokens', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(inspectorSnapshot({ otherSessions }));
    const items = (await sessions(view)).getByRole('menuitemradio');
    await eventually(() => items.allInnerTexts()).toEqual([
      'Main chat',
      expect.stringMatching(/store-survey\s+done · 18k/),
      expect.stringMatching(/lock-retry\s+running · 41k/),
      expect.stringMatching(/docs\s+failed · 3.1k/),
    ]);
    await eventually(() => items.and(view.page.locator('[aria-checked=true]')).allInnerTexts()).toEqual([
      'Main chat',
    ]);
  });

  it('marks an opened file as live, and states the kinds of its other conversations', async () => {
    const view = await suite.open({ width: 900 });
    const opened: readonly SessionChoice[] = [
      { sessionId: 'file-1', name: 'Fix it', state: 'live', tokens: 18_204 },
      { sessionId: 'file-1.1', name: 'the other way', kind: 'branch' },
      { sessionId: 'file-1.2', name: 'find it', kind: 'sub-agent', tokens: 3_102 },
    ];
    await view.notify(inspectorSnapshot({ otherSessions: opened }));
    await eventually(async () => (await sessions(view)).getByRole('menuitemradio').allInnerTexts()).toEqual([
      'Main chat',
      expect.stringMatching(/^\s*Fix it\s+live · 18k/),
      expect.stringMatching(/^\s*Branch: the other way\s*$/),
      expect.stringMatching(/^\s*Sub-agent: find it\s+3.1k/),
    ]);
  });

  it('requests the chosen session, and marks the session that is shown', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(inspectorSnapshot({ otherSessions }));
    await (await sessions(view)).getByRole('menuitemradio', { name: /^lock-retry/ }).click();
    await view.expectPost({ type: 'show-session', sessionId });
    await view.notify(subAgentSnapshot({}, 2));
    await view.page.getByRole('heading', { name: 'lock-retry' }).waitFor();
    const chosen = (await sessions(view)).locator('[aria-checked=true]');
    await eventually(() => chosen.innerText()).toMatch(/^lock-retry/);
    await view.page.getByRole('menuitemradio', { name: 'Main chat' }).click();
    await view.expectPost({ type: 'show-session', sessionId: 'session-1' });
  });

  it('opens at the session that is shown', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(subAgentSnapshot());
    await (await sessions(view)).waitFor();
    await eventually(() => view.page.locator('.menu-item:focus').innerText()).toMatch(/^lock-retry/);
  });
});

describe('a sub-agent', () => {
  it('is read-only: nothing can be compacted, undone or restored', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(subAgentSnapshot({ records: [ladder] }));
    await view.notify(diff());
    await view.page.getByRole('button', { name: /^edit_file/ }).click();
    await view.notify({ type: 'texts', recordId: 'r3', messageId: 'm76', before: 'long', after: 'short' });
    await view.page.getByRole('button', { name: 'Open in diff editor' }).waitFor();
    for (const name of ['Undo', 'Compact now', 'Restore this message', /^Strategy/]) {
      expect(await view.page.getByRole('button', { name }).isVisible()).toBe(false);
    }
  });

  it('can be taken back if a running proxy compacted it, but not changed', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(subAgentSnapshot({ records: [{ ...ladder, isOfProxy: true }] }));
    await view.notify(diff());
    await view.page.getByRole('button', { name: /^edit_file/ }).click();
    await view.notify({ type: 'texts', recordId: 'r3', messageId: 'm76', before: 'long', after: 'short' });
    await view.page.getByRole('button', { name: 'Undo' }).click();
    await view.expectPost({ type: 'undo', recordId: 'r3' });
    await view.page.getByRole('button', { name: 'Restore this message' }).first().click();
    await view.expectPost({ type: 'restore', messageId: 'm76' });
    expect(await view.page.getByRole('button', { name: 'Compact now' }).isVisible()).toBe(false);
  });

  it('shows its usage, and compactions only if there are any', async () => {
    const view = await showSubAgent();
    await view.page.getByRole('img', { name: /tokens in use/ }).waitFor();
    expect(await view.page.getByRole('heading', { name: 'Compactions' }).isVisible()).toBe(false);
  });

  it('shows its messages, one line each', async () => {
    const view = await showSubAgent();
    const rows = await list(view).getByRole('listitem').allInnerTexts();
    expect(rows).toHaveLength(4);
    expect(rows[1]).toMatch(/Task[^]*find out why the rename fails[^]*64/);
    expect(rows[3]).toMatch(/Result[^]*read_file src\/session\/lock\.ts[^]*withLock[^]*6,820/);
  });

  it('requests the full text of a message only when it is expanded', async () => {
    const view = await showSubAgent();
    expect(await view.posted('message-text')).toEqual([]);
    await view.page.getByRole('button', { name: /^Result read_file/ }).click();
    await view.expectPost({ type: 'message-text', sessionId, messageId: 'm4' });
    const text = '<b>whole</b> text\nof the file';
    await view.notify({ type: 'message-text', sessionId, messageId: 'm4', text });
    await eventually(() => view.page.locator('.texts pre').innerText()).toBe(text);
    await view.page.getByRole('button', { name: /^Result read_file/ }).click();
    expect(await view.page.locator('.texts').count()).toBe(0);
  });

  it('shortens a text that is too long for the page, and marks it as shortened', async () => {
    const view = await showSubAgent();
    await view.page.getByRole('button', { name: /^Result read_file/ }).click();
    await view.notify({ type: 'message-text', sessionId, messageId: 'm4', text: 'x'.repeat(100_001) });
    await view.page.getByText('Only the first 100,000 characters are shown.').waitFor();
  });

  it('adds new messages while the agent works, and keeps other messages expanded', async () => {
    const view = await showSubAgent();
    await view.page.getByRole('button', { name: /^Result read_file/ }).click();
    await view.notify({ type: 'message-text', sessionId, messageId: 'm4', text: 'whole text' });
    await view.notify(subAgentSnapshot({ messageCount: 5 }, 2));
    await view.expectPost({ type: 'messages', sessionId, from: 4 });
    const next = message({ id: 'm5', kind: 'assistant', title: 'Assistant', excerpt: 'Found it.' });
    await view.notify({ type: 'messages', sessionId, from: 4, messages: [next] });
    await eventually(() => list(view).getByRole('listitem').count()).toBe(5);
    await eventually(() => view.page.locator('.texts pre').innerText()).toBe('whole text');
    expect(await view.posted('messages')).toHaveLength(2);
  });

  it('requests a long conversation in parts', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(subAgentSnapshot({ messageCount: 300 }));
    const page = (from: number, size: number) =>
      Array.from({ length: size }, (_, index) => message({ id: `m${from + index}` }));
    await view.notify({ type: 'messages', sessionId, from: 0, messages: page(0, 200) });
    await view.expectPost({ type: 'messages', sessionId, from: 200 });
    await view.notify({ type: 'messages', sessionId, from: 200, messages: page(200, 100) });
    await eventually(() => list(view).getByRole('listitem').first().getAttribute('aria-setsize')).toBe('300');
    expect(await view.posted('messages')).toHaveLength(2);
  });

  it('can be navigated with the arrow keys', async () => {
    const view = await showSubAgent();
    await list(view).getByRole('button').first().focus();
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('End');
    await eventually(() => view.page.locator('.message:focus b').innerText()).toBe('Result');
    expect(await list(view).locator('button[tabindex="0"]').count()).toBe(1);
  });

  it('is replaced by another sub-agent and its messages', async () => {
    const view = await showSubAgent();
    await view.notify(
      subAgentSnapshot({ sessionId: 'session-1.a', title: 'store-survey', messageCount: 1 }, 2),
    );
    await view.expectPost({ type: 'messages', sessionId: 'session-1.a', from: 0 });
    await view.notify({ type: 'messages', sessionId, from: 0, messages: subAgentMessages });
    const only = message({ id: 'm1', title: 'System of the other' });
    await view.notify({ type: 'messages', sessionId: 'session-1.a', from: 0, messages: [only] });
    await view.page.getByRole('button', { name: /^System of the other/ }).waitFor();
    expect(await list(view).getByRole('listitem').count()).toBe(1);
    await view.notify(inspectorSnapshot({ otherSessions }, 3));
    await view.page.getByRole('heading', { name: 'Compactions' }).waitFor();
    expect(await list(view).count()).toBe(0);
  });

  it('does not show the diff of a compaction in the chat with the same id', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(inspectorSnapshot({ otherSessions, records: [ladder] }));
    await view.notify(diff());
    await view.page.getByRole('button', { name: /^edit_file/ }).waitFor();
    await view.notify(subAgentSnapshot({ records: [{ ...ladder, tokensBefore: 70_000 }] }, 2));
    await view.page.getByText('Loading messages…').first().waitFor();
    expect(await view.page.getByRole('button', { name: /^edit_file/ }).count()).toBe(0);
    await eventually(async () => (await view.posted('diff')).length).toBe(2);
  });

  it('is shown again after a reload', async () => {
    const view = await showSubAgent();
    await view.page.reload();
    await view.expectPost({ type: 'ready', sessionId });
  });
});

describe.each([170, 300, 900])('at a width of %d pixels', (width) => {
  it('the page does not overflow', async () => {
    const view = await suite.open({ width });
    const endless = 'x'.repeat(300);
    const long = otherSessions.map((subAgent) => ({
      ...subAgent,
      name: `${subAgent.name}-${'x'.repeat(24)}`,
    }));
    await view.notify(subAgentSnapshot({ otherSessions: long, title: endless }));
    const wide = subAgentMessages.map((line) => ({
      ...line,
      title: endless,
      label: endless,
      excerpt: endless,
    }));
    await view.notify({ type: 'messages', sessionId, from: 0, messages: wide });
    await list(view).getByRole('button', { name: /^x+/ }).first().click();
    await view.notify({ type: 'message-text', sessionId, messageId: 'm1', text: endless });
    await view.page.locator('.texts pre').waitFor();
    expect(await view.overflow()).toBe(0);
  });
});

describe.each(triedThemes)('in the theme %s', (theme) => {
  it('muted text is readable', async () => {
    const view = await showSubAgent({ theme, width: 900 });
    const found = await contrasts(view.page, '.header-facts, .message .label, .message .excerpt');
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
  });
});
