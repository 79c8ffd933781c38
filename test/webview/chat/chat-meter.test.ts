import { describe, expect, it } from 'vitest';
import type { Meter } from '../../../src/protocol/chat.ts';
import { meter, noTokens, snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();

async function show(changes: Partial<Meter>): Promise<ChatView> {
  const view = await suite.open();
  await view.notify(snapshot({ meter: { ...meter, ...changes } }));
  return view;
}

describe('the meter', () => {
  it('shows how full the window is, and how far away the next compaction is', async () => {
    const view = await show({});
    const button = view.page.getByRole('button', { name: /^Context: 82,746 of 128,000 tokens, 65%/ });
    await eventually(() => button.locator('.meter-share').innerText()).toBe('65%');
    await eventually(() => button.locator('.meter-rest').innerText()).toBe('compacts in 25k tokens');
  });

  it('grows with a streamed reply, and shows the exact count at its end', async () => {
    const view = await show({});
    const name = view.page.locator('.meter .spoken');
    await view.notify({ type: 'changes', revision: 2, changes: [{ type: 'streamed', tokens: 254 }] });
    await eventually(() => name.innerText()).toMatch(
      /^Context: 83,000 of 128,000 tokens, .* Assistant 9,120,/,
    );
    const state = { meter: { ...meter, tokens: 83_001 }, streamed: 0 };
    await view.notify({ type: 'changes', revision: 3, changes: [{ type: 'state', state }] });
    await eventually(() => name.innerText()).toMatch(/^Context: 83,001 of/);
  });

  it('has an accessible name with every displayed number', async () => {
    const view = await show({});
    const name = await view.page.locator('.meter .spoken').innerText();
    expect(name).toBe(
      'Context: 82,746 of 128,000 tokens, 65%. Compacts at 108,000. ' +
        'System 3,302, Tool definitions 6,541, Memory 1,820, You 4,107, Assistant 8,866, ' +
        'Tool calls 14,981, Tool results 39,804, Summaries 3,325. Open the inspector.',
    );
  });

  it.each([
    [
      { inputTokens: 12345, cachedInputTokens: 11234 },
      'Last request: 12,345 tokens reported, 91% from cache',
    ],
    [{ inputTokens: 12345 }, 'Last request: 12,345 tokens reported'],
  ])('shows the usage that the provider reported: %o', async (reported, words) => {
    const view = await show({ reported });
    const button = view.page.locator('.meter');
    expect(await button.getAttribute('title')).toBe(words);
    await eventually(() => button.locator('.spoken').innerText()).toContain(`${words}. Open the inspector.`);
  });

  it.each([300, 380])('has the whole width of a side bar of %d pixels, above its words', async (width) => {
    const view = await suite.open({ width });
    await view.notify(snapshot());
    const boxOf = async (part: string) => (await view.page.locator(part).boundingBox())!;
    const [bar, words] = [await boxOf('.meter .bar'), await boxOf('.meter-rest')];
    expect(bar.width).toBeGreaterThan(0.85 * width);
    expect(words.y).toBeGreaterThanOrEqual(bar.y + bar.height);
  });

  it('draws the kinds to scale, with a mark where compaction starts', async () => {
    const view = await show({});
    const shares = await view.page.locator('.meter .bar').evaluate((bar) => {
      const { left, width } = bar.getBoundingClientRect();
      const widthOf = (name: string) =>
        bar.querySelector(`.kind-${name}`)!.getBoundingClientRect().width / width;
      const mark = bar.querySelector('.mark')!.getBoundingClientRect();
      return {
        toolResult: widthOf('toolResult'),
        system: widthOf('system'),
        mark: (mark.left + mark.width / 2 - left) / width,
      };
    });
    expect(shares.toolResult).toBeCloseTo(39804 / 128000, 2);
    expect(shares.system).toBeCloseTo(3302 / 128000, 2);
    expect(shares.mark).toBeCloseTo(108000 / 128000, 2);
  });

  it('marks where background compaction starts, and where a request waits for a compaction', async () => {
    const view = await show({ background: 96_000, shortensEarly: true });
    const { page } = view;
    await eventually(() => page.locator('.meter-rest').innerText()).toBe('compacts in 13k tokens');
    const sentences =
      'Starts in the background at 96,000. Compacts at 108,000. May shorten old output earlier.';
    await eventually(() => page.locator('.meter .spoken').innerText()).toContain(sentences);
    expect(await page.locator('.meter').getAttribute('title')).toBe(sentences.replaceAll('. ', '.\n'));
    const places = await page.locator('.meter .bar').evaluate((bar) => {
      const { left, width } = bar.getBoundingClientRect();
      const placeOf = (name: string) => {
        const mark = bar.querySelector(`.mark-${name}`)!.getBoundingClientRect();
        return (mark.left + mark.width / 2 - left) / width;
      };
      return { background: placeOf('background'), trigger: placeOf('trigger') };
    });
    expect(places.background).toBeCloseTo(96_000 / 128_000, 2);
    expect(places.trigger).toBeCloseTo(108_000 / 128_000, 2);
  });

  it.each<[Partial<Meter>, string]>([
    [{ trigger: 108_000, tokens: 103_746 }, 'compacts in 4.3k tokens'],
    [{ trigger: 108_000, tokens: 72_746 }, 'compacts in 35k tokens'],
    [{ trigger: 108_000, tokens: 107_684 }, '316 tokens left before it compacts'],
    [{ trigger: 108_000, asks: true }, 'asks in 25k tokens'],
    [{ trigger: 80_000, asks: true }, 'asks before compacting'],
    [{ background: 80_000 }, 'about to compact'],
    [{ background: 70_000, trigger: 80_000 }, 'compacts now'],
    [{ isUnderWay: true }, 'compacting in the background'],
    [{ trigger: undefined }, ''],
  ])('announces the next compaction: %o', async (outlook, words) => {
    const view = await show(outlook);
    await eventually(() => view.page.locator('.meter-rest').innerText()).toBe(words);
  });

  it.each([
    [{ messagesLeft: 0 }, 'Due with the next message.'],
    [
      { messagesLeft: 4, turnsLeft: 1 },
      'Due in 5 messages, regardless of size. Due in 2 turns, regardless of size.',
    ],
    [{ isUnderWay: true }, 'A compaction is running in the background. Compacts at 108,000.'],
    [{ asks: true }, 'Asks at 108,000 whether to compact.'],
  ])('gives a screen reader details for which there is no room: %o', async (outlook, words) => {
    const view = await show(outlook);
    await eventually(() => view.page.locator('.meter .spoken').innerText()).toContain(words);
  });

  it('opens the inspector', async () => {
    const view = await show({});
    await view.page.locator('.meter').click();
    await view.expectPost({ type: 'open-inspector' });
  });

  it('shows no percentage if the window is unknown', async () => {
    const view = await show({ window: undefined, trigger: undefined });
    const button = view.page.getByRole('button', { name: /^Context: 82,746 tokens\./ });
    await eventually(() => button.locator('.meter-share').innerText()).toBe('82,746 tokens');
    await eventually(() => button.locator('.meter-rest').innerText()).toBe('');
    expect(await button.locator('.bar').isVisible()).toBe(false);
  });

  it('states that a compaction is due', async () => {
    const view = await show({ tokens: 110_000, byKind: { ...noTokens, toolResult: 110_000 } });
    await view.page.getByText('compacts now').waitFor();
  });

  it('states that automatic summaries are paused, and offers to compact', async () => {
    const view = await show({ isBreakerOpen: true });
    const notice = view.page.getByRole('status').filter({ hasText: 'Automatic summaries are paused' });
    await notice.getByRole('button', { name: 'Compact now' }).click();
    await view.expectPost({ type: 'compact' });
  });

  it('states that automatic compaction is paused after an undo', async () => {
    const view = await show({ isPaused: true, trigger: 95_000 });
    await view.page.getByText('paused after undo', { exact: true }).waitFor();
    await view.page.getByRole('button', { name: 'is paused after your undo. Compacts at 95,000.' }).waitFor();
  });

  it('states that the spending limit is reached, and offers to compact', async () => {
    const view = await show({ isSpendingLimitReached: true });
    const notice = view.page.getByRole('status').filter({ hasText: 'reached its spending limit' });
    await notice.getByRole('button', { name: 'Compact now' }).click();
    await view.expectPost({ type: 'compact' });
  });

  it.each([
    [1180, '1.2k'],
    [9960, '10k'],
    [92_400, '92k'],
    [999_700, '1M'],
    [1_260_000, '1.3M'],
  ])('writes %d tokens as %s', async (tokens, text) => {
    const view = await show({ tokens: 0, byKind: noTokens, window: 4_000_000, trigger: tokens });
    await eventually(() => view.page.locator('.meter-rest').innerText()).toBe(`compacts in ${text} tokens`);
  });
});
