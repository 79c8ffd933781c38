import { describe, expect, it } from 'vitest';
import type { HealthView } from '../../../src/protocol/inspector-budget.ts';
import type {
  MarkPoint,
  RequestDifferenceView,
  TimelineNotification,
} from '../../../src/protocol/inspector-timeline.ts';
import { inspectorSnapshot, usage } from '../support/inspector-fixtures.ts';
import {
  budgetAnswer,
  call,
  calls,
  marks,
  requestDifference,
  timelineAnswer,
} from '../support/tab-fixtures.ts';
import { triedThemes } from '../support/themes.ts';
import { eventually, inspectorSuite, type InspectorView, type OpenOptions } from '../support/view.ts';

const suite = inspectorSuite();
async function show(
  changes: Partial<TimelineNotification> = {},
  options: OpenOptions = { width: 900 },
  snapshot = inspectorSnapshot(),
): Promise<InspectorView> {
  const view = await suite.open(options);
  await view.notify(snapshot);
  await view.page.getByRole('tab', { name: 'Timeline' }).click();
  await view.notify(timelineAnswer(changes));
  await view.page.locator('.timeline').waitFor();
  return view;
}

const chart = ({ page }: InspectorView) => page.getByRole('slider', { name: 'Request' });
const spoken = async (view: InspectorView) =>
  ((await chart(view).getAttribute('aria-valuetext')) ?? '').replaceAll('\u00a0', ' ');
const caption = ({ page }: InspectorView) => page.locator('.timeline-row').first().innerText();
const text = ({ page }: InspectorView, words: string) => page.locator('.drawing').getByText(words);
const readout = ({ page }: InspectorView) => page.locator('.readout').innerText();

const compaction: MarkPoint = {
  type: 'compaction',
  atCall: 0,
  recordId: 'r3',
  status: 'applied',
  strategy: 'ladder',
  tokensBefore: 128_400,
  tokensAfter: 45_400,
};

/** Inspects a request with the keys. */
async function goTo(view: InspectorView, request: number): Promise<void> {
  await chart(view).focus();
  await view.page.keyboard.press('Home');
  for (let presses = 1; presses < request; presses++) await view.page.keyboard.press('ArrowRight');
}

/** Points at a share of the chart's width. */
async function pointAt({ page }: InspectorView, share: number): Promise<void> {
  const box = (await page.locator('.stage').boundingBox())!;
  await page.mouse.move(box.x + box.width * share, box.y + box.height / 2, { steps: 3 });
}

describe('the timeline', () => {
  it('states the numbers of requests, compactions, overflows and cache misses', async () => {
    expect((await caption(await show())).replaceAll('\n', ' ')).toContain(
      '96 requests, 2 compactions, 1 overflow 2 cache misses',
    );
  });

  it('does not count attempts without changes or messages hidden by hand as compactions', async () => {
    const others: readonly MarkPoint[] = [
      { ...compaction, atCall: 3, status: 'unchanged' },
      { ...compaction, atCall: 5, strategy: 'hide' },
    ];
    const view = await show({ marks: [...others, ...marks] });
    expect(await caption(view)).toContain(', 2 compactions,');
    await view.page.getByRole('button', { name: /^Hidden by hand/ }).waitFor();
  });

  it('is a picture whose name says the result', async () => {
    const { page } = await show();
    const picture = page.getByRole('img', { name: /96 requests, 2 compactions/ });
    expect(await picture.getAttribute('aria-label')).toContain('The largest has 120,800 tokens: request 70.');
  });

  it('has a legend that is visible without hovering, and then shows the tokens of each kind', async () => {
    const view = await show();
    const legend = view.page.getByRole('list', { name: 'Legend' });
    const names = ['System', 'Tool definitions', 'Memory', 'You', 'Assistant', 'Tool calls', 'Tool results'];
    expect(await legend.getByRole('listitem').allInnerTexts()).toEqual([...names, 'Summaries', 'Reported']);
    await pointAt(view, 0.005);
    await eventually(() => legend.getByRole('listitem').first().innerText()).toMatch(/^System\s+360$/);
    expect(await legend.getByRole('listitem').last().innerText()).toMatch(/^Reported\s+9,000$/);
  });

  it('shows everything down to the legend on a small screen', async () => {
    const { page } = await show({}, { width: 1280, height: 720 });
    const { y, height } = (await page.locator('.legend').boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(640);
  });

  it.each([
    ['names the part of requests that', 9_500, 1],
    ['does not name a part too small to see that', 9_050, 0],
  ])('%s is not in the file of another agent', async (_, reported, items) => {
    const fullness = { tokens: 90_000, basis: 'reported', alternatives: [] } as const;
    const view = await show(
      { calls: [call(9_000, { reported })], marks: [] },
      { width: 900 },
      inspectorSnapshot({ usage: { ...usage, fullness } }),
    );
    const legend = view.page.getByRole('list', { name: 'Legend' });
    expect(await legend.getByText('Not in the file').count()).toBe(items);
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

  it('shows the cost of each request if prices are known', async () => {
    const view = await show({ calls: [call(9_000, { cost: 0.02 }), call(9_000, { cost: 0.05 })], marks: [] });
    await view.page.getByText('$0.05', { exact: true }).waitFor();
    await pointAt(view, 0.1);
    await eventually(() => readout(view)).toContain('$0.02');
  });
});

describe('a recorded session in the timeline', () => {
  const wire = { firstByte: 420, duration: 3_200 };
  const failed = { type: 'failure', outcome: 'complete', status: 429, error: 'Slow down.' } as const;
  const recorded = {
    calls: [
      call(9_000, { wire: { ...wire, retry: 2, isUnchanged: true } }),
      call(9_400, { wire: { ...wire, failure: { outcome: 'cut-off', status: 200 } } }),
    ],
    marks: [
      { ...failed, atCall: 0, count: 2 },
      { ...failed, atCall: 2, count: 1, outcome: 'unreachable', status: undefined, error: undefined },
    ],
  } satisfies Partial<TimelineNotification>;

  it('says how long each request took, and what went wrong', async () => {
    const view = await show(recorded);
    await goTo(view, 1);
    await eventually(() => spoken(view)).toContain(
      'first byte after 0.4 s · took 3.2 s · retry 2 · sent unchanged · before it: 2 failed: HTTP 429: Slow down.',
    );
    await goTo(view, 2);
    await eventually(() => spoken(view)).toContain('took 3.2 s · cut off');
  });

  it('counts failed requests, and shows what happened after the last answered one', async () => {
    const view = await show(recorded);
    expect(await caption(view)).toContain('2 requests, 4 failed');
    expect(await readout(view)).toBe('After the last request: 1 failed: no response');
  });

  it('has columns with the times, and the failures among the events', async () => {
    const { page } = await show(recorded);
    await page.getByRole('button', { name: 'As a table' }).click();
    const row = page.locator('.request-row').nth(1);
    await row.getByText('3.2 s').waitFor();
    await row.getByText('2 failed: HTTP 429: Slow down.; retry 2; sent unchanged').waitFor();
  });

  it('shows why no request was answered', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(inspectorSnapshot());
    await view.page.getByRole('tab', { name: 'Timeline' }).click();
    await view.notify(timelineAnswer({ calls: [], marks: [{ ...failed, atCall: 0, count: 3 }] }));
    await view.page.getByText('3 failed: HTTP 429: Slow down.').waitFor();
  });
});

describe('the window and the trigger of the timeline', () => {
  it('are lines that move with the session', async () => {
    const view = await show();
    await text(view, 'window 128k').waitFor();
    await text(view, 'compacts at 109k').waitFor();
    await view.notify(inspectorSnapshot({ usage: { ...usage, trigger: 64_000, background: 51_000 } }, 2));
    await text(view, 'compacts at 64k').waitFor();
    await text(view, 'in the background from 51k').waitFor();
  });

  it('are not drawn if the session has none', async () => {
    const view = await show();
    const { window: _window, trigger: _trigger, ...unknown } = usage;
    await view.notify(inspectorSnapshot({ usage: unknown }, 2));
    await eventually(() => view.page.locator('.limit, .limit-name').count()).toBe(0);
  });

  it('are only named if they are far above all requests', async () => {
    const { page } = await show({ calls: [call(2_000)], marks: [] });
    await page.getByText('↑ compacts at 109k').waitFor();
    expect(await page.locator('.limit').count()).toBe(0);
  });
});

describe('exact values', () => {
  it('are shown in one line for the request under the pointer', async () => {
    const view = await show();
    await pointAt(view, 0.005);
    await eventually(() => readout(view)).toContain('Request 1 of 96');
    expect((await readout(view)).replaceAll('\u00a0', ' ')).toMatch(/9,000 tokens · .* 56% from the cache/);
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

  it('include events before the request, and how a compaction started', async () => {
    const began = marks.map((mark) =>
      mark.type === 'compaction' ? ({ ...mark, start: 'early' } as const) : mark,
    );
    const view = await show({ marks: began });
    await goTo(view, 39);
    expect(await spoken(view)).toContain(
      'before it: Observation Masking · 105,200 → 39,800 tokens · early. System',
    );
    expect(await spoken(view)).toContain('cache miss');
  });
});

describe('a range', () => {
  it('is selected with the pointer, and shown alone until Escape is pressed', async () => {
    const view = await show();
    await pointAt(view, 0.251);
    await view.page.mouse.down();
    await pointAt(view, 0.499);
    await view.page.mouse.up();
    await view.page.getByText('Requests 25 to 48', { exact: true }).waitFor();
    await view.page.getByRole('button', { name: 'Zoom in' }).click();
    await eventually(() => caption(view)).toContain('25 to 48 shown');
    await chart(view).focus();
    await view.page.keyboard.press('Escape');
    await eventually(() => caption(view)).not.toContain('shown');
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
    await eventually(() => caption(view)).not.toContain('shown');
  });
});

describe('a mark', () => {
  it('opens the marked compaction when it is clicked', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: /^Observation Masking/ }).click();
    await view.page.getByRole('tab', { name: 'Compactions', selected: true }).waitFor();
    await eventually(() => view.page.locator('.record[aria-selected="true"]').innerText()).toContain(
      '101k → 64k',
    );
  });

  it('opens the marked compaction when Enter is pressed at the following request', async () => {
    const view = await show();
    await goTo(view, 39);
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
});

describe('the list of requests', () => {
  const long = Array.from({ length: 2_000 }, (_, index) =>
    call(10_000 + index, { messageId: `a${index + 1}`, firstId: `u${index + 1}` }),
  );
  const list = ({ page }: InspectorView) => page.getByRole('list', { name: 'Requests' });

  it('has a row for each request, but draws only visible rows', async () => {
    const view = await show({ calls: long, marks: [] });
    await view.page.getByRole('button', { name: 'As a table' }).click();
    const rows = list(view).getByRole('listitem');
    await eventually(() => rows.first().innerText()).toMatch(/^1\s.*10,000/s);
    expect(await rows.first().getAttribute('aria-setsize')).toBe('2000');
    expect(await rows.count()).toBeLessThan(80);
    await list(view).getByRole('button', { name: 'Request 1 of 2,000' }).press('End');
    await eventually(() => rows.last().innerText()).toMatch(/^2,000\s.*11,999/s);
  });

  it('has all numbers of a request for screen readers', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: 'As a table' }).click();
    await list(view)
      .getByRole('button', {
        name: /^Request 1 of 96 · .* · 9,000 tokens · .*System 360, Tool definitions 720/,
      })
      .waitFor();
  });

  it('takes the place of the chart on a narrow page, and selects requests for actions', async () => {
    const view = await show({ calls: long, marks: [] }, { width: 380 });
    expect(await chart(view).count()).toBe(0);
    await list(view).getByRole('button', { name: 'Request 3 of 2,000' }).click();
    await list(view)
      .getByRole('button', { name: 'Request 5 of 2,000' })
      .click({ modifiers: ['Shift'] });
    await view.page.getByRole('button', { name: 'Compact from here to here…' }).click();
    await view.expectPost({ type: 'compact-part', from: 'u3', to: 'a5' });
  });
});

it('a session of 2,000 requests needs few elements, because requests are gathered', async () => {
  const long = Array.from({ length: 2_000 }, (_, index) => call(10_000 + (index % 400) * 250));
  const view = await show({ calls: long, marks: [] });
  await eventually(() => caption(view)).toContain('2,000 requests');
  expect(await view.page.locator('.timeline *').count()).toBeLessThan(150);
  await chart(view).focus();
  await view.page.keyboard.press('Home');
  await view.page.keyboard.press('ArrowRight');
  await view.page.getByText('Requests 9 to 16', { exact: true }).waitFor();
});

it('the timeline does not overflow at any width', async () => {
  const wide = marks.map((mark) =>
    mark.type === 'compaction' ? { ...mark, strategy: 'x'.repeat(300) } : mark,
  );
  const view = await show({ marks: wide }, { width: 1600 });
  await view.page.getByRole('button', { name: 'As a table' }).click();
  await view.page.getByRole('list', { name: 'Requests' }).waitFor();
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
  const panel = ({ page }: InspectorView) => page.locator('.difference');

  async function compare(shown: InspectorView, changes: Partial<RequestDifferenceView> = {}): Promise<void> {
    await shown.notify({
      type: 'request-difference',
      sessionId: 'session-1',
      view: { ...requestDifference, ...changes },
    });
    await panel(shown).locator('pre, p').first().waitFor();
  }

  it('are the requests around the newest cache miss if no request is selected', async () => {
    const shown = await show();
    await shown.page.getByRole('button', { name: '2 cache misses' }).click();
    await shown.expectPost({ type: 'request-difference', messageId: 'a71' });
  });

  it('are the requests of the chosen row, which is marked as a cache miss', async () => {
    const shown = await show();
    await shown.page.getByRole('button', { name: 'As a table' }).click();
    expect(await shown.page.locator('.request-why').count()).toBe(0);
    await shown.page.locator('.request-row').last().scrollIntoViewIfNeeded();
    await shown.page.getByRole('button', { name: 'Why was the cache missed by request 39?' }).click();
    await shown.expectPost({ type: 'request-difference', messageId: 'a39' });
  });

  it('are shown side by side with the difference marked and all markup literal', async () => {
    const shown = await show();
    await shown.page.getByRole('button', { name: '2 cache misses' }).click();
    await compare(shown, { messageId: 'a71' });
    const words = await panel(shown).innerText();
    expect(words).toContain('Request 39 compared with request 38');
    expect(words).toContain('A compaction rewrote the conversation from here on: Ladder.');
    expect(words).toContain('A cache can serve 4,000 tokens; the provider reported 3,840.');
    expect(words).toContain('Written again: 36,200; new: 820.');
    expect(words).toContain('Writing again cost about $0.05; from the cache, $0.0036.');
    expect(await panel(shown).locator('mark').allInnerTexts()).toEqual(['<b>line 2</b>', '[hidden]']);
    expect(await panel(shown).locator('pre b').count()).toBe(0);
  });

  it('can be changed to the next pair and closed with the keyboard', async () => {
    const shown = await show();
    const open = shown.page.getByRole('button', { name: '2 cache misses' });
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
    await shown.page.getByRole('button', { name: '2 cache misses' }).click();
    const nothing = { before: undefined, after: undefined, money: undefined, reportedCached: undefined };
    await compare(shown, { messageId: 'a71', ...nothing });
    const words = await panel(shown).innerText();
    expect(words).not.toContain('cost');
    expect(words).toContain('A cache can serve 4,000 tokens.');
    expect(await panel(shown).locator('pre').count()).toBe(0);
  });

  it('come with what broke the cache of the session, which leads to the first such request', async () => {
    const shown = await show();
    await shown.page.getByRole('button', { name: '2 cache misses' }).click();
    await compare(shown, { messageId: 'a71' });
    const causes = panel(shown).getByRole('list', { name: 'What broke the cache in this session' });
    expect(await causes.count()).toBe(0);
    await panel(shown).getByRole('button', { name: 'What broke the cache in this session' }).click();
    await causes.getByRole('button', { name: 'System, “env”: date 14 times, 310,400 tokens $1.78' }).click();
    await shown.expectPost({ type: 'request-difference', messageId: 'a12' });
    await compare(shown, { messageId: 'a12', request: 12 });
    await causes.getByRole('button', { name: /^Unexplained: .* 1 time, 8,200 tokens$/ }).waitFor();
  });

  it('say nothing about breaks if there are none', async () => {
    const shown = await show();
    await shown.page.getByRole('button', { name: '2 cache misses' }).click();
    await compare(shown, { messageId: 'a71', breaks: [] });
    expect(await panel(shown).innerText()).not.toContain('What broke the cache');
  });

  it.each([170, 1280])('fit a page of %i pixels', async (width) => {
    const shown = await show({}, { width });
    await shown.page.getByRole('button', { name: '2 cache misses' }).click();
    const long = `/${'very-long-folder/'.repeat(20)}`;
    const breaks = [{ cause: long, count: 2, tokens: 9, messageId: 'a39' }];
    await compare(shown, { messageId: 'a71', cause: [long], breaks });
    await panel(shown).getByRole('button', { name: 'What broke the cache in this session' }).click();
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
