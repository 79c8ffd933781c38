import { describe, expect, it } from 'vitest';
import { queue } from '../support/action-fixtures.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, eventually } from '../support/view.ts';

const suite = chatSuite();

describe('queued messages', () => {
  it('are shown above the composer, oldest first, marked as queued', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ activity: 'tools', queue }));
    const lines = await view.page
      .getByRole('list', { name: 'Queued messages' })
      .getByRole('listitem')
      .allInnerTexts();
    expect(lines.map((line) => line.split(/\s*\n\s*/).slice(0, 2))).toEqual(
      queue.map(({ text }) => ['Queued', text]),
    );
  });

  it('return to the composer on request', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ activity: 'tools', queue }));
    await view.page.getByRole('button', { name: 'Edit the queued message: Then write it down.' }).click();
    await view.expectPost({ type: 'unqueue', id: 'q2' });
    await view.notify({ type: 'not-sent', text: 'Then write it down.' });
    const input = view.page.getByRole('textbox', { name: 'Message' });
    await eventually(() => input.inputValue()).toBe('Then write it down.');
    expect(await input.evaluate((node) => document.activeElement === node)).toBe(true);
  });

  it('disappear once they are sent', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ activity: 'tools', queue }));
    const list = view.page.getByRole('list', { name: 'Queued messages' });
    await list.waitFor();
    const changes = [{ type: 'state', state: { queue: [] } }] as const;
    await view.notify({ type: 'changes', revision: 2, changes });
    await list.waitFor({ state: 'hidden' });
  });
});
