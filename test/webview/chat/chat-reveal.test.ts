import { describe, expect, it } from 'vitest';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite } from '../support/view.ts';

const suite = chatSuite();

const rows: readonly ChatRow[] = [
  { type: 'user', id: 'm1', text: 'Where is the lock?' },
  {
    type: 'tool',
    id: 'm2:0',
    messageId: 'm3',
    tool: 'read_file',
    label: 'src/lock.ts',
    state: 'done',
    preview: 'text',
    isClipped: false,
  },
  ...Array.from({ length: 60 }, (_, index): ChatRow => ({
    type: 'assistant',
    id: `m${index + 4}`,
    markdown: `Answer ${index + 4}.`,
    reasoning: '',
    state: 'done',
  })),
];

describe('a message that should be shown in the chat', () => {
  it.each([
    ['a typed message', 'm1', 'Where is the lock?'],
    ['an answer', 'm30', 'Answer 30.'],
    ['a result, which is shown with its call', 'm3', 'read_file'],
    ['a message that contains only calls', 'm2', 'read_file'],
  ])('is scrolled into view and marked: %s', async (_what, messageId, text) => {
    const view = await suite.open();
    await view.notify(snapshot({ rows }));
    await view.page.getByText('Answer 63.').waitFor();
    await view.notify({ type: 'reveal', messageId });
    const marked = view.page.locator('.row.is-revealed');
    await marked.getByText(text).first().waitFor();
    expect(await marked.count()).toBe(1);
    const box = (await marked.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y).toBeLessThan(view.page.viewportSize()!.height);
  });
});
