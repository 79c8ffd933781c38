import { describe, expect, it } from 'vitest';
import type { ChatState } from '../../../src/protocol/chat.ts';
import { meter, snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
type ChatTestView = ChatView;

const fullMeter = { ...meter, tokens: 111_360 };

async function show(changes: Partial<ChatState> = {}): Promise<ChatTestView> {
  const view = await suite.open();
  await view.notify(snapshot({ meter: fullMeter, proposal: 'ratio', ...changes }));
  return view;
}

const question = ({ page }: ChatTestView) => page.locator('.proposal').getByRole('status');
const choices = ({ page }: ChatTestView) => page.getByRole('group', { name: 'Proposed compaction' });

function settle(view: ChatTestView): Promise<void> {
  return view.notify({
    type: 'changes',
    revision: 2,
    changes: [{ type: 'state', state: { proposal: null } }],
  });
}

describe('a proposed compaction', () => {
  it('is a row of at most two lines above the composer, with its reason', async () => {
    const view = await show();
    await eventually(() => question(view).innerText()).toBe('Context is 87% full');
    const [row, composer] = await Promise.all(
      ['.proposal', '.composer'].map((selector) => view.page.locator(selector).boundingBox()),
    );
    expect(row!.y + row!.height).toBeLessThanOrEqual(composer!.y);
    expect(row!.height).toBeLessThan(45);
  });

  it.each([
    ['tokens', { ...fullMeter, window: undefined }, 'Context holds 111,360 tokens'],
    ['messages', fullMeter, 'Many messages since the last compaction'],
    ['turns', fullMeter, 'Many turns since the last compaction'],
  ] as const)('states its reason: %s', async (proposal, of, words) => {
    const view = await show({ proposal, meter: of });
    await eventually(() => question(view).innerText()).toBe(words);
  });

  it('is announced without moving the focus', async () => {
    const view = await show({ proposal: null });
    await view.page.getByRole('textbox').focus();
    await view.notify({
      type: 'changes',
      revision: 2,
      changes: [{ type: 'state', state: { proposal: 'ratio' } }],
    });
    await eventually(() => question(view).innerText()).toContain('full');
    expect(await view.page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  });

  it.each([
    ['Compact now', 'compact'],
    ['Preview…', 'preview'],
    ['Not now', 'decline-compaction'],
  ] as const)('can be answered by keyboard: %s', async (name, type) => {
    const view = await show();
    await choices(view).getByRole('button', { name }).press('Enter');
    await view.expectPost({ type });
  });

  it('disappears when the host withdraws it, and moves the focus to the composer', async () => {
    const view = await show();
    await choices(view).getByRole('button', { name: 'Not now' }).focus();
    await settle(view);
    await eventually(() => choices(view).isVisible()).toBe(false);
    await eventually(() => question(view).innerText()).toBe('');
    expect(await view.page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  });

  it('leaves the focus in the editor when it disappears', async () => {
    const view = await show();
    await choices(view).getByRole('button', { name: 'Not now' }).focus();
    // The page keeps its active element while the editor has the focus.
    await view.page.evaluate(() => Object.assign(document, { hasFocus: () => false }));
    await settle(view);
    await choices(view).waitFor({ state: 'hidden' });
    expect(await view.page.evaluate(() => document.activeElement?.tagName)).not.toBe('TEXTAREA');
  });

  it('takes no room if nothing is proposed', async () => {
    const view = await show({ proposal: null });
    await view.page.getByRole('textbox').waitFor();
    expect((await view.page.locator('.proposal').boundingBox())?.height ?? 0).toBe(0);
  });

  it('fits the narrowest side bar', async () => {
    const view = await suite.open({ width: 170 });
    await view.notify(snapshot({ meter: fullMeter, proposal: 'turns' }));
    await choices(view).getByRole('button', { name: 'Not now' }).click({ trial: true });
    expect(await view.overflow()).toBe(0);
  });
});
