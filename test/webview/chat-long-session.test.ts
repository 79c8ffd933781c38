import type { CDPSession } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ChatNotification, ChatRequest, ChatRow } from '../../src/extension/protocol/chat.ts';
import { parseChatRequest } from '../../src/extension/protocol/guards.ts';
import { snapshot } from './support/chat-fixtures.ts';
import { eventually, viewSuite } from './support/view.ts';

const suite = viewSuite<ChatNotification, ChatRequest>('chat', parseChatRequest);

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

/** Nodes and listeners that the page still holds once everything that can be collected was. */
async function held(session: CDPSession): Promise<{ readonly nodes: number; readonly listeners: number }> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)!.value;
  return { nodes: valueOf('Nodes'), listeners: valueOf('JSEventListeners') };
}

it('a chat of 2,000 rows holds on to nothing of what was streamed and went away', async () => {
  const view = await suite.open();
  await view.notify(snapshot({ rows, activity: 'streaming' }));
  await eventually(() => view.page.locator('.row').count()).toBe(rows.length);
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

it('rows keep their order wherever one comes, goes or moves', async () => {
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
