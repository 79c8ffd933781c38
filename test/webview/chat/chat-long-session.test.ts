import type { CDPSession } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ChatNotification } from '../../../src/protocol/chat.ts';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();

const rows: readonly ChatRow[] = Array.from({ length: 2000 }, (_, index): ChatRow =>
  index % 2 === 0
    ? { type: 'user', id: `u${index}`, text: `Question ${index}`, isPinned: false }
    : {
        type: 'tool',
        id: `t${index}`,
        tool: 'read_file',
        label: `src/file-${index}.ts`,
        state: 'done',
        tokens: 1200,
        preview: 'line\n'.repeat(100),
        isClipped: true,
      },
);

/** Waits until the rows near the visible part are drawn. */
async function nearDrawn({ page }: ChatView): Promise<void> {
  await page.waitForFunction(() => document.querySelectorAll('.row').length >= 40);
}

/** Nodes and listeners that the page still holds once everything that can be collected was. */
async function held(session: CDPSession): Promise<{ readonly nodes: number; readonly listeners: number }> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)!.value;
  return { nodes: valueOf('Nodes'), listeners: valueOf('JSEventListeners') };
}

it('a chat of 2,000 rows releases the nodes and listeners of removed rows', async () => {
  const view = await suite.open();
  await view.notify(snapshot({ rows, activity: 'streaming' }));
  await nearDrawn(view);
  const session = await view.page.context().newCDPSession(view.page);
  await session.send('Performance.enable');
  const before = await held(session);
  await view.page.evaluate(async () => {
    let revision = 1;
    const send = (...changes: unknown[]) => {
      const data = { type: 'changes', revision: ++revision, changes };
      window.dispatchEvent(new MessageEvent('message', { data }));
    };
    const tool = { type: 'tool', tool: 'run_command', label: 'npm test', preview: '', isClipped: false };
    for (let turn = 0; turn < 60; turn++) {
      const [answer, call] = [`answer-${turn}`, `call-${turn}`];
      send(
        {
          type: 'row',
          row: { type: 'assistant', id: answer, markdown: '', reasoning: '', state: 'streaming' },
        },
        { type: 'row', row: { ...tool, id: call, state: 'running', canStop: true } },
      );
      for (let step = 0; step < 50; step++) {
        send(
          { type: 'text', id: answer, text: step % 10 === 0 ? '\n\nA **new** paragraph ' : 'of words ' },
          { type: 'output', id: call, text: 'a line\n' },
        );
      }
      await new Promise(requestAnimationFrame);
      send({ type: 'row-removed', id: answer }, { type: 'row-removed', id: call });
    }
  });
  // Lit leaves a comment in place of each removed row; if each turn left an element, it would be far more.
  await eventually(async () => (await held(session)).nodes - before.nodes).toBeLessThan(150);
  expect((await held(session)).listeners - before.listeners).toBeLessThan(60);
});

it('rows stay in order when one is added, removed or moved', async () => {
  const view = await suite.open({ height: 4_000 });
  const some = rows.slice(0, 60);
  await view.notify(snapshot({ rows: some }));
  const ids = () =>
    view.page.locator('.row').evaluateAll((found) => found.map((row) => row.getAttribute('data-key')));
  await eventually(async () => (await ids()).length).toBe(some.length);
  const [first, second] = [some[0]!, some[1]!];
  const added: ChatRow = { type: 'user', id: 'new', text: 'New' };
  const next = [added, ...some.slice(2, 30), first, ...some.slice(30), second];
  await view.notify(snapshot({ rows: next }, 2));
  await eventually(ids).toEqual(next.map(({ type, id }) => `${type}:${id}`));
});

it('a chat of 2,000 rows has at most 3,000 elements, wherever it is scrolled', async () => {
  const view = await suite.open();
  await view.notify(snapshot({ rows }));
  await nearDrawn(view);
  const elements = () => view.page.evaluate(() => document.querySelectorAll('*').length);
  for (const share of [1, 0.7, 0.4, 0.1, 0, 0.5]) {
    await view.page.locator('.scroller').evaluate((scroller, to) => {
      scroller.scrollTop = scroller.scrollHeight * to;
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, share);
    expect(await elements()).toBeLessThanOrEqual(3_000);
  }
});

/** Tells the page something and looks at it before it does anything else. */
function rowsAtOnce(view: ChatView, ...told: readonly ChatNotification[]) {
  return view.page.evaluate(
    async (notifications) => {
      for (const data of notifications) window.dispatchEvent(new MessageEvent('message', { data }));
      // Elements draw their contents in tasks of their own.
      await new Promise((resolve) => setTimeout(resolve));
      return [...document.querySelectorAll('.row')].map((row) => row.getAttribute('data-key') ?? '');
    },
    told as readonly unknown[],
  );
}

const drawn = (view: ChatView) => view.page.locator('.row').count();

describe('opening a chat of 2,000 rows', () => {
  it('draws only the newest rows', async () => {
    const view = await suite.open();
    const first = await rowsAtOnce(view, snapshot({ rows }));
    expect(first.length).toBeGreaterThanOrEqual(20);
    expect(first.length).toBeLessThanOrEqual(50);
    expect(first).toEqual(rows.slice(-first.length).map(({ type, id }) => `${type}:${id}`));
    await nearDrawn(view);
    expect(await drawn(view)).toBeLessThan(200);
  });

  it('does not announce earlier rows to a screen reader', async () => {
    const view = await suite.open();
    await rowsAtOnce(view, snapshot({ rows }));
    const isLive = (key: string) =>
      view.page
        .locator(`[data-key="${key}"]`)
        .evaluate((row) => row.closest('[aria-live]')?.getAttribute('aria-live'));
    expect(await isLive('tool:t1999')).toBe('polite');
    await view.page.locator('.scroller').evaluate((scroller) => (scroller.scrollTop = 0));
    await eventually(() => isLive('user:u0')).toBe('off');
  });

  it('shows the end, and stays there while nearby rows are drawn', async () => {
    const view = await suite.open();
    await rowsAtOnce(view, snapshot({ rows }));
    await nearDrawn(view);
    const distance = () =>
      view.page
        .locator('.scroller')
        .evaluate(({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop);
    await eventually(distance).toBeLessThanOrEqual(1);
  });

  it('immediately draws a message that should be shown', async () => {
    const view = await suite.open();
    const keys = await rowsAtOnce(view, snapshot({ rows }), { type: 'reveal', messageId: 'u500' });
    expect(keys).toContain('user:u500');
    expect(keys.length).toBeLessThanOrEqual(75);
  });

  it('finds text in rows that are not drawn', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows }));
    await view.page.getByRole('textbox', { name: 'Message' }).press('Control+f');
    await view.page.getByRole('textbox', { name: 'Find in chat' }).fill('Question 4');
    const count = view.page.getByRole('search').getByRole('status');
    const found = rows.filter((row) => row.type === 'user' && row.text.includes('Question 4')).length;
    await eventually(() => count.innerText()).toBe(`1 of ${found}`);
    await view.page.getByText('Question 4', { exact: true }).waitFor();
  });

  it('draws rows when they are scrolled near the window', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows }));
    await view.page.locator('.scroller').evaluate((scroller) => (scroller.scrollTop = 0));
    await view.page.getByText('Question 0', { exact: true }).waitFor();
    expect(await drawn(view)).toBeLessThan(rows.length);
  });
});
