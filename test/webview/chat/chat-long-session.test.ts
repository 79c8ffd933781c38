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

/** Rows are drawn when the page has nothing else to do, which is soon or not, as the machine has time. */
async function allDrawn({ page }: ChatView): Promise<void> {
  const isDrawn = (count: number) => document.querySelectorAll('.row').length === count;
  await page.waitForFunction(isDrawn, rows.length, { polling: 200 });
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
  await allDrawn(view);
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
  // The last turn may still have a drawing ahead of it; if each turn left something, it would be sixty times as much.
  await eventually(async () => (await held(session)).nodes - before.nodes).toBeLessThan(60);
  expect((await held(session)).listeners - before.listeners).toBeLessThan(60);
});

it('rows stay in order when one is added, removed or moved', async () => {
  const view = await suite.open();
  const some = rows.slice(0, 120);
  await view.notify(snapshot({ rows: some }));
  const ids = () =>
    view.page.locator('.row').evaluateAll((found) => found.map((row) => row.getAttribute('data-key')));
  await eventually(async () => (await ids()).length).toBe(some.length);
  const [first, second] = [some[0]!, some[1]!];
  const added: ChatRow = { type: 'user', id: 'new', text: 'New' };
  const next = [added, ...some.slice(2, 60), first, ...some.slice(60), second];
  await view.notify(snapshot({ rows: next }, 2));
  await eventually(ids).toEqual(next.map(({ type, id }) => `${type}:${id}`));
});

/** Tells the page something and looks at it before it does anything else. */
function rowsAtOnce(view: ChatView, ...told: readonly ChatNotification[]) {
  return view.page.evaluate(
    (notifications) => {
      for (const data of notifications) window.dispatchEvent(new MessageEvent('message', { data }));
      return [...document.querySelectorAll('.row')].map((row) => row.getAttribute('data-key') ?? '');
    },
    told as readonly unknown[],
  );
}

/** Shows the rows in a page in which the others are never drawn by themselves. */
async function showWithoutTheRest({ page }: ChatView): Promise<void> {
  await page.evaluate(
    (data) => {
      scheduler.postTask = () => new Promise(() => {});
      window.dispatchEvent(new MessageEvent('message', { data }));
    },
    snapshot({ rows }) as unknown,
  );
}

const drawn = (view: ChatView) => view.page.locator('.row').count();

describe('opening a chat of 2,000 rows', () => {
  it('draws the newest rows first, and the other rows in later tasks', async () => {
    const view = await suite.open();
    const first = await rowsAtOnce(view, snapshot({ rows }));
    expect(first.length).toBeGreaterThanOrEqual(25);
    expect(first.length).toBeLessThanOrEqual(50);
    expect(first).toEqual(rows.slice(-first.length).map(({ type, id }) => `${type}:${id}`));
    await allDrawn(view);
    expect(await rowsAtOnce(view)).toEqual(rows.map(({ type, id }) => `${type}:${id}`));
  });

  it('does not announce earlier rows to a screen reader', async () => {
    const view = await suite.open();
    await rowsAtOnce(view, snapshot({ rows }));
    await allDrawn(view);
    const isLive = (key: string) =>
      view.page
        .locator(`[data-key="${key}"]`)
        .evaluate((row) => row.closest('[aria-live]')?.getAttribute('aria-live'));
    expect(await isLive('user:u0')).toBe('off');
    expect(await isLive('tool:t1999')).toBe('polite');
  });

  it('shows the end, and stays there while the other rows are drawn', async () => {
    const view = await suite.open();
    await rowsAtOnce(view, snapshot({ rows }));
    await allDrawn(view);
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

  it('finds text in rows that are not drawn yet', async () => {
    const view = await suite.open();
    await showWithoutTheRest(view);
    expect(await drawn(view)).toBeLessThan(rows.length);
    await view.page.getByRole('textbox', { name: 'Message' }).press('Control+f');
    await view.page.getByRole('textbox', { name: 'Find in chat' }).fill('Question 4');
    const count = view.page.getByRole('search').getByRole('status');
    const found = rows.filter((row) => row.type === 'user' && row.text.includes('Question 4')).length;
    await eventually(() => count.innerText()).toBe(`1 of ${found}`);
  });

  it('draws rows when they are scrolled near the window', async () => {
    const view = await suite.open();
    await showWithoutTheRest(view);
    await view.page.locator('.scroller').evaluate((scroller) => (scroller.scrollTop = 0));
    await view.page.getByText('Question 0', { exact: true }).waitFor();
    expect(await drawn(view)).toBeLessThan(rows.length);
  });
});
