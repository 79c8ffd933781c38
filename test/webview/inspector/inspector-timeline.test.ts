import { describe, expect, it } from 'vitest';
import type { HealthView } from '../../../src/protocol/inspector-budget.ts';
import type {
  MarkPoint,
  RequestDifferenceView,
  TimelineNotification,
} from '../../../src/protocol/inspector-timeline.ts';
import { inspectorSnapshot, usage } from '../support/inspector-fixtures.ts';
import { budgetAnswer, call, calls, marks, timelineAnswer } from '../support/tab-fixtures.ts';
import { triedThemes } from '../support/themes.ts';
import { eventually, inspectorSuite, type InspectorView, type OpenOptions } from '../support/view.ts';

const suite = inspectorSuite();
async function show(
  changes: Partial<TimelineNotification> = {},
  options: OpenOptions = { width: 900 },
): Promise<InspectorView> {
  const view = await suite.open(options);
  await view.notify(inspectorSnapshot());
  await view.page.getByRole('tab', { name: 'Timeline' }).click();
  await view.notify(timelineAnswer(changes));
  await view.page.getByRole('heading', { name: 'Tokens sent with each request' }).waitFor();
  return view;
}

const chart = ({ page }: InspectorView) => page.getByRole('slider', { name: 'Request' });
const spoken = async (view: InspectorView) =>
  ((await chart(view).getAttribute('aria-valuetext')) ?? '').replaceAll('\u00a0', ' ');
const caption = ({ page }: InspectorView) => page.locator('.timeline h3 > .dim').innerText();
const bars = ({ page }: InspectorView) =>
  page.locator('.area-system').evaluate((path) => (path.getAttribute('d') ?? '').split('M').length - 1);

const compaction: MarkPoint = {
  type: 'compaction',
  atCall: 0,
  recordId: 'r3',
  status: 'applied',
  strategy: 'ladder',
  tokensBefore: 128_400,
  tokensAfter: 45_400,
};

/** Points at a share of the chart's width. */
async function pointAt({ page }: InspectorView, share: number): Promise<void> {
  const box = (await page.locator('.stage').boundingBox())!;
  await page.mouse.move(box.x + box.width * share, box.y + box.height / 2, { steps: 3 });
}

describe('the timeline', () => {
  it('states the numbers of requests, compactions and overflows', async () => {
    const view = await show();
    expect(await caption(view)).toBe('96 requests · 2 compactions · 1 overflow');
    expect(await bars(view)).toBe(96);
  });

  it('does not count attempts without changes or messages hidden by hand as compactions', async () => {
    const others: readonly MarkPoint[] = [
      { ...compaction, atCall: 3, status: 'unchanged' },
      { ...compaction, atCall: 5, strategy: 'hide' },
    ];
    expect(await caption(await show({ marks: [...others, ...marks] }))).toContain('· 2 compactions ·');
  });

  it('draws reported tokens as a line above the bars, to the scale of the axis', async () => {
    const { page } = await show({ calls: [call(1_000, { reported: 50_000 }), call(2_000)], marks: [] });
    const line = (await page.locator('.reported-line').getAttribute('d')) ?? '';
    const grid = (await page.locator('.gridlines').getAttribute('d')) ?? '';
    const labels = await page.locator('.axis > span').allInnerTexts();
    const heights = [...grid.matchAll(/M0 (?<y>[\d.]+)/g)].map(({ groups }) => groups?.['y']);
    // A step over the first request, at the height of its gridline; nothing over the one without a report.
    expect(line).toMatch(/^M0 [\d.]+H[\d.]+$/);
    expect(line).toContain(`M0 ${heights[labels.indexOf('50k')]}H`);
    expect(labels[0]).toBe('0');
  });

  it('has a legend that is visible without hovering', async () => {
    const { page } = await show();
    const legend = page.getByRole('list', { name: 'Legend of the chart' });
    expect(await legend.getByRole('listitem').allInnerTexts()).toEqual([
      'reported by the provider',
      ...(await legend
        .locator('.kind')
        .evaluateAll((kinds) => kinds.map((kind) => kind.parentElement!.innerText))),
    ]);
    expect(await legend.locator('.kind').count()).toBeGreaterThan(2);
  });

  it('states that there are no requests yet', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(inspectorSnapshot());
    await view.page.getByRole('tab', { name: 'Timeline' }).click();
    await view.notify(timelineAnswer({ calls: [], marks: [] }));
    await view.page.getByText('No requests yet.').waitFor();
  });

  it('requests only new requests', async () => {
    const view = await show();
    await view.expectPost({ type: 'timeline', generation: 0, from: 0 });
    await view.notify(inspectorSnapshot({}, 2));
    await view.expectPost({ type: 'timeline', generation: 1, from: 96 });
    await view.notify(timelineAnswer({ from: 96, calls: [call(50_000)] }));
    await eventually(() => caption(view)).toContain('97 requests');
  });

  it('starts again when the tokenizer has changed', async () => {
    const view = await show();
    await view.notify(timelineAnswer({ generation: 2, calls: calls.slice(0, 40), marks: [] }));
    await eventually(() => caption(view)).toBe('40 requests');
  });

  it('draws a bar in proportion to the sent tokens', async () => {
    const view = await show({ calls: [call(20_000), call(100_000)], marks: [] });
    const heights = await view.page.locator('.drawing').evaluate((drawing) => {
      const tops = [...drawing.querySelectorAll('.area')]
        .flatMap((area) => [...(area.getAttribute('d') ?? '').matchAll(/M([\d.]+) ([\d.]+)/g)])
        .map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
      const topAt = (isLeft: boolean) =>
        Math.min(...tops.filter(({ x }) => x < 400 === isLeft).map(({ y }) => y));
      return [226 - topAt(true), 226 - topAt(false)];
    });
    expect(heights[1]! / heights[0]!).toBeCloseTo(5, 1);
  });

  it('omits the line of a trigger far above all bars, but states its value', async () => {
    const view = await show({ calls: [call(2_000)], marks: [] });
    await view.page.getByText('compaction starts at 108,800, above the chart').waitFor();
    expect(await view.page.locator('.trigger-line').isVisible()).toBe(false);
  });
});

describe('the trigger of the timeline', () => {
  it('is a line that moves with the slider', async () => {
    const view = await show();
    await view.page.getByText('compact at 108,800').waitFor();
    await view.notify(inspectorSnapshot({ usage: { ...usage, trigger: 64_000 } }, 2));
    await view.page.getByText('compact at 64,000').waitFor();
  });
});

describe('exact values', () => {
  it('are shown for the request under the pointer', async () => {
    const view = await show();
    await pointAt(view, 0.005);
    await eventually(() => view.page.locator('.readout').innerText()).toContain('Request 1 of 96');
    const words = await view.page.locator('.readout').innerText();
    expect(words).toContain('9,000 tokens');
    expect(words).toContain('System 360');
    expect(words.replaceAll('\u00a0', ' ')).toContain('56% from the cache');
  });

  it('are announced for the request selected by keyboard', async () => {
    const view = await show();
    await chart(view).focus();
    await view.page.keyboard.press('Home');
    expect(await spoken(view)).toMatch(/^Request 1 of 96 .* 9,000 tokens .*System 360/);
    await view.page.keyboard.press('ArrowRight');
    expect(await spoken(view)).toMatch(/^Request 2 of 96 .* 11,600 tokens/);
    await view.page.keyboard.press('PageUp');
    expect(await chart(view).getAttribute('aria-valuenow')).toBe('12');
    await view.page.keyboard.press('End');
    expect(await chart(view).getAttribute('aria-valuenow')).toBe('96');
  });

  it('include events before the request', async () => {
    const view = await show();
    await chart(view).focus();
    await view.page.keyboard.press('Home');
    for (let presses = 0; presses < 38; presses++) await view.page.keyboard.press('ArrowRight');
    expect(await spoken(view)).toContain('before it: Observation Masking · 105,200 → 39,800 tokens');
  });

  it('state how a compaction before the request started', async () => {
    const view = await show();
    const began = marks.map((mark) =>
      mark.type === 'compaction' ? ({ ...mark, start: 'early' } as const) : mark,
    );
    await view.notify(timelineAnswer({ generation: 2, marks: began }));
    await view.page
      .getByRole('button', { name: /^Observation Masking · 105,200 → 39,800 tokens · early, before/ })
      .waitFor();
  });
});

describe('a range', () => {
  it('is selected with the pointer, and shown alone until Escape is pressed', async () => {
    const view = await show();
    await pointAt(view, 0.251);
    await view.page.mouse.down();
    await pointAt(view, 0.499);
    await view.page.mouse.up();
    await eventually(() => caption(view)).toContain('25 to 48 shown');
    expect(await bars(view)).toBe(24);
    await chart(view).focus();
    await view.page.keyboard.press('Escape');
    await eventually(() => bars(view)).toBe(96);
  });

  it('is selected with Shift and the arrow keys, and shown with Enter', async () => {
    const view = await show();
    await chart(view).focus();
    await view.page.keyboard.press('Home');
    for (let presses = 0; presses < 9; presses++) await view.page.keyboard.press('Shift+ArrowRight');
    await eventually(() => spoken(view)).toMatch(/^Requests 1 to 10 selected/);
    await view.page.keyboard.press('Enter');
    await eventually(() => caption(view)).toContain('1 to 10 shown');
    await view.page.getByRole('button', { name: 'Whole session' }).click();
    await eventually(() => bars(view)).toBe(96);
  });
});

describe('a mark', () => {
  it('opens the marked compaction when it is clicked', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^Observation Masking/ }).click();
    await view.page.getByRole('tab', { name: 'Compactions', selected: true }).waitFor();
    await eventually(() => view.page.locator('.record[aria-selected="true"]').innerText()).toContain(
      'Tool Result Hiding',
    );
  });

  it('opens the marked compaction when Enter is pressed at the following request', async () => {
    const view = await show();
    await chart(view).focus();
    await view.page.keyboard.press('Home');
    for (let presses = 0; presses < 38; presses++) await view.page.keyboard.press('ArrowRight');
    await view.page.keyboard.press('Enter');
    await view.page.getByRole('tab', { name: 'Compactions', selected: true }).waitFor();
  });

  it('is merged with other marks in the same place, and lists them all', async () => {
    const view = await show();
    const name = await view.page.locator('.mark-of-overflow').getAttribute('aria-label');
    expect(name).toContain('Exceeded the window');
    expect(name).toContain('Ladder');
  });

  it('has an accessible name with the visible words', async () => {
    const together = [compaction, { ...compaction, recordId: 'r4' }];
    const { page } = await show({ marks: together.map((mark) => ({ ...mark, atCall: 40 })) });
    const button = page.locator('.mark-button');
    expect(await button.innerText()).toBe('× 2');
    expect(await button.getAttribute('aria-label')).toContain('× 2');
  });
});

describe('a mark after the last request', () => {
  const atEnd: readonly MarkPoint[] = [...marks, { ...compaction, atCall: calls.length }];

  it('has its label on the left, where there is room', async () => {
    const view = await show({ marks: atEnd });
    const mark = view.page.getByRole('button', { name: /before request 97$/ });
    const [{ x, width }, box] = await Promise.all([
      mark.boundingBox().then((found) => found!),
      view.page.locator('.stage').boundingBox(),
    ]);
    expect(x + width).toBeLessThanOrEqual(box!.x + box!.width);
    expect(await mark.locator('span').evaluate((words) => words.scrollWidth - words.clientWidth)).toBe(0);
    await mark.click();
    await view.page.getByRole('tab', { name: 'Compactions', selected: true }).waitFor();
  });

  it('is the last keyboard stop, and opens with Enter', async () => {
    const view = await show({ marks: atEnd });
    await chart(view).focus();
    await view.page.keyboard.press('End');
    expect(await spoken(view)).toBe('After the last request: Ladder · 128,400 → 45,400 tokens');
    await eventually(() => view.page.locator('.readout').innerText()).toBe(await spoken(view));
    await view.page.keyboard.press('ArrowLeft');
    expect(await spoken(view)).toMatch(/^Request 96 of 96/);
    await view.page.keyboard.press('End');
    await view.page.keyboard.press('Enter');
    await view.page.getByRole('tab', { name: 'Compactions', selected: true }).waitFor();
  });

  it('is merged with the mark before it if there is no room for both', async () => {
    const view = await show({ marks: [{ ...compaction, atCall: calls.length - 3 }, ...atEnd.slice(-1)] });
    await view.page.locator('.mark-button').first().waitFor();
    await eventually(() => view.page.locator('.mark-button').allInnerTexts()).toEqual(['× 2']);
  });
});

describe('the table of the timeline', () => {
  it('lists every request with its kinds, but draws only visible rows', async () => {
    const long = Array.from({ length: 2_000 }, (_, index) => call(10_000 + index));
    const view = await show({ calls: long, marks: [] });
    await view.page.getByRole('button', { name: 'As a table' }).click();
    const table = view.page.getByRole('table', { name: 'Tokens sent with each request' });
    expect(await table.getAttribute('aria-rowcount')).toBe('2001');
    expect(await table.getByRole('row').count()).toBeLessThan(80);
    await eventually(() => table.getByRole('row').nth(1).innerText()).toMatch(/^1\s.*10,000/);
    await view.page.getByRole('region', { name: 'Tokens sent' }).evaluate((region) => {
      region.scrollTop = region.scrollHeight;
    });
    await eventually(() => table.getByRole('row').last().innerText()).toMatch(/^2,000\s.*11,999/);
  });
});

describe('a session of 2,000 requests', () => {
  it('is drawn with no more elements than a session of 400, and states that each bar covers several requests', async () => {
    const long = Array.from({ length: 2_000 }, (_, index) => call(10_000 + (index % 400) * 250));
    const view = await show({ calls: long.slice(0, 1), marks: [] });
    const elements = () => view.page.locator('.timeline *').count();
    await view.notify(timelineAnswer({ generation: 2, calls: long.slice(0, 400), marks: [] }));
    await eventually(() => caption(view)).toContain('400 requests');
    const ofFew = await elements();
    await view.notify(timelineAnswer({ generation: 3, calls: long, marks: [] }));
    await eventually(() => caption(view)).toContain(
      'each bar covers up to 5 requests and shows the largest one',
    );
    expect(await elements()).toBe(ofFew);
    expect(await bars(view)).toBe(400);
  });
});

it('the timeline does not overflow at any width', async () => {
  const wide = marks.map((mark) =>
    mark.type === 'compaction' ? { ...mark, strategy: 'x'.repeat(300) } : mark,
  );
  const view = await show({ marks: wide }, { width: 1600 });
  await view.page.getByRole('button', { name: 'As a table' }).click();
  await view.page.getByRole('table', { name: 'Tokens sent' }).waitFor();
  for (const width of [1600, 300, 170]) {
    await view.resize({ width });
    expect(await view.overflow(), `${width} pixels`).toBe(0);
  }
});

describe.each(triedThemes)('in the theme %s', (theme) => {
  it('kinds are distinguishable, and in high contrast not only by colour', async () => {
    const view = await show({}, { theme, width: 900 });
    const fills = await view.page
      .locator('.area')
      .evaluateAll((areas) => areas.map((area) => getComputedStyle(area).fill));
    expect(fills.every((fill) => fill.startsWith('url(') === theme.startsWith('high-contrast'))).toBe(true);
    expect(new Set(fills).size).toBe(fills.length);
  });
});

describe('two compared requests', () => {
  const view: RequestDifferenceView = {
    messageId: 'a39',
    request: 39,
    cause: ['A compaction rewrote the conversation from here on: Ladder.'],
    recordId: 'r3',
    before: {
      title: 'Result',
      label: 'read_file src/lock.ts',
      text: { isCutBefore: true, alike: 'line 1\n', changed: '<b>line 2</b>', rest: '', isCutAfter: true },
    },
    after: {
      title: 'Result',
      label: 'read_file src/lock.ts',
      text: { isCutBefore: true, alike: 'line 1\n', changed: '[hidden]', rest: '', isCutAfter: false },
    },
    kept: 4_000,
    again: 36_200,
    fresh: 820,
    money: { written: 0.0452, read: 0.0036 },
    reportedCached: 3_840,
  };
  const panel = ({ page }: InspectorView) => page.locator('.difference');

  async function compare(shown: InspectorView, changes: Partial<RequestDifferenceView> = {}): Promise<void> {
    await shown.notify({ type: 'request-difference', sessionId: 'session-1', view: { ...view, ...changes } });
    await panel(shown).locator('pre, p').first().waitFor();
  }

  it('are the requests around the newest cache miss if no request is selected', async () => {
    const shown = await show();
    await shown.page.getByRole('button', { name: 'Why was the cache missed?' }).click();
    await shown.expectPost({ type: 'request-difference', messageId: 'a71' });
  });

  it('are the requests of the chosen table row, which is marked as a cache miss', async () => {
    const shown = await show();
    await shown.page.getByRole('button', { name: 'As a table' }).click();
    const scroller = shown.page.locator('.table-scroller');
    expect(await scroller.getByRole('button').count()).toBe(0);
    await scroller.evaluate((element) => (element.scrollTop = 36 * 22));
    await scroller.getByRole('button', { name: 'Why was the cache missed by request 39?' }).click();
    await shown.expectPost({ type: 'request-difference', messageId: 'a39' });
  });

  it('are shown side by side with the difference marked and all markup literal', async () => {
    const shown = await show();
    await shown.page.getByRole('button', { name: 'Why was the cache missed?' }).click();
    await compare(shown, { messageId: 'a71' });
    const words = await panel(shown).innerText();
    expect(words).toContain('Request 39 compared with request 38');
    expect(words).toContain('A compaction rewrote the conversation from here on: Ladder.');
    expect(words).toContain('A cache can serve 4,000 tokens; the provider reported 3,840.');
    expect(words).toContain('Written to the cache again: 36,200 tokens; new messages: 820 tokens.');
    expect(words).toContain(
      'Writing them again cost about $0.05; from the cache, they would have cost $0.0036.',
    );
    expect(await panel(shown).locator('mark').allInnerTexts()).toEqual(['<b>line 2</b>', '[hidden]']);
    expect(await panel(shown).locator('pre b').count()).toBe(0);
  });

  it('can be changed to the next pair and closed with the keyboard', async () => {
    const shown = await show();
    const open = shown.page.getByRole('button', { name: 'Why was the cache missed?' });
    await open.press('Enter');
    await compare(shown, { messageId: 'a71', request: 71 });
    expect(await shown.page.evaluate(() => document.activeElement?.tagName)).toBe('H4');
    await panel(shown).getByRole('button', { name: 'Next request' }).press('Enter');
    await shown.expectPost({ type: 'request-difference', messageId: 'a72' });
    await panel(shown).press('Escape');
    expect(await panel(shown).isVisible()).toBe(false);
    await eventually(() => open.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('are shown without cost if there is no price, and without texts if there is no difference', async () => {
    const shown = await show();
    await shown.page.getByRole('button', { name: 'Why was the cache missed?' }).click();
    const nothing = { before: undefined, after: undefined, money: undefined, reportedCached: undefined };
    await compare(shown, { messageId: 'a71', ...nothing });
    const words = await panel(shown).innerText();
    expect(words).not.toContain('cost');
    expect(words).toContain('A cache can serve 4,000 tokens.');
    expect(await panel(shown).locator('pre').count()).toBe(0);
  });

  it.each([170, 1280])('fit a page of %i pixels', async (width) => {
    const shown = await show({}, { width });
    await shown.page.getByRole('button', { name: 'Why was the cache missed?' }).click();
    await compare(shown, { messageId: 'a71', cause: [`/${'very-long-folder/'.repeat(20)}`] });
    const [inner, room] = await panel(shown).evaluate((element) => [
      element.scrollWidth,
      element.clientWidth,
    ]);
    expect(inner).toBeLessThanOrEqual(room);
  });

  it('can be opened from the health finding on the prefix', async () => {
    const shown = await show();
    await shown.page.getByRole('tab', { name: 'Window' }).click();
    const prefix = {
      id: 'prefix',
      state: 'warning',
      finding: 'Two requests changed.',
      messageIds: ['a39'],
      recordIds: [],
    };
    await shown.notify(budgetAnswer({ health: [prefix as HealthView] }));
    await shown.page.getByRole('button', { name: 'Why was the cache missed?' }).click();
    await shown.expectPost({ type: 'request-difference', messageId: 'a39' });
    await compare(shown);
    await panel(shown).getByText('Request 39 compared with request 38').waitFor();
  });
});
