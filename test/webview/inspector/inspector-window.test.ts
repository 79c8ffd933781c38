import { describe, expect, it } from 'vitest';
import type { BudgetView } from '../../../src/protocol/inspector-budget.ts';
import { inspectorSnapshot, subAgentSnapshot, usage } from '../support/inspector-fixtures.ts';
import { budget, budgetAnswer, part, triggerRange } from '../support/tab-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView, type OpenOptions } from '../support/view.ts';

const suite = inspectorSuite();
const movable = { ...usage, triggerRange };

async function show(options: OpenOptions = { width: 900 }): Promise<InspectorView> {
  const view = await suite.open(options);
  await view.notify(inspectorSnapshot({ usage: movable }));
  await view.page.getByRole('tab', { name: 'Window' }).click();
  await view.notify(budgetAnswer());
  await list(view).waitFor();
  return view;
}

async function showSubAgent(): Promise<InspectorView> {
  const view = await suite.open({ width: 900 });
  await view.notify(subAgentSnapshot({ usage: movable }));
  await view.page.getByRole('tab', { name: 'Window' }).click();
  await view.notify(budgetAnswer({}, 'session-1.b'));
  await list(view).waitFor();
  return view;
}

/** A session with tokens that its file does not show. */
async function showUnseen(changes: Partial<BudgetView> = {}): Promise<InspectorView> {
  const view = await suite.open({ width: 900 });
  const fullness = {
    tokens: 100_000,
    basis: 'reported',
    alternatives: [],
    unseen: { tokens: 17_254 },
  } as const;
  await view.notify(subAgentSnapshot({ usage: { ...usage, fullness } }));
  await view.page.getByRole('tab', { name: 'Window' }).click();
  await view.notify(budgetAnswer(changes, 'session-1.b'));
  return view;
}

const plain = (text: string) => text.replaceAll('\u00a0', ' ').replace(/\s+/g, ' ').trim();
const list = ({ page }: InspectorView) => page.getByRole('listbox', { name: 'In the window' });
const tile = ({ page }: InspectorView, name: string) => page.locator('.tile', { hasText: name });
const chosen = async ({ page }: InspectorView) => plain(await page.locator('.chosen-tile').innerText());
const open = ({ page }: InspectorView, title: string) =>
  page.locator('.disclosure', { hasText: title }).first().click();

describe('the limits of the provider', () => {
  it('are one line with the used shares and the resets', async () => {
    const view = await show();
    await view.notify(
      budgetAnswer({
        limits: [
          { name: 'window', minutes: 300, used: 0.42, resetsAt: '2030-01-02T10:00:00.000Z' },
          { name: 'window', minutes: 10_080, used: 0.3, resetsAt: '2020-01-02T10:00:00.000Z' },
          { name: 'tokens', used: 0.034 },
        ],
      }),
    );
    const line = view.page.getByText('Provider limits');
    await line.waitFor();
    expect(plain(await line.innerText())).toMatch(
      /^Provider limits: 5 hours 42% used, resets .*2.* · 7 days 30% used, was reset .*2.* · tokens a minute 3% used$/u,
    );
  });
});

describe('the picture of the window', () => {
  it('has a tile for each file, tool and message, and gathers small ones', async () => {
    const view = await show({ width: 1280, height: 720 });
    const names = await view.page.locator('.tile-name').allInnerTexts();
    expect(names).toEqual(
      expect.arrayContaining(['npm test -- --repeat 40', 'lock.ts', 'edit_file', '42 more', 'Summaries']),
    );
  });

  it('says its result, and shows free space', async () => {
    const view = await show();
    expect(
      plain((await view.page.getByRole('img', { name: /in the window/ }).getAttribute('aria-label')) ?? ''),
    ).toBe(
      '82,746 tokens in the window. Largest: run_command npm test -- --repeat 40 14,374, package-lock.json 11,030, edit_file 9,481.',
    );
    const free = (await view.page.locator('.free-space').boundingBox())!;
    const all = (await view.page.locator('.treemap').boundingBox())!;
    expect(free.width / all.width).toBeCloseTo(1 - 82_746 / 128_000, 1);
    expect(plain(await view.page.locator('.free-space').innerText())).toBe(
      'Free 29,254 Reserved for the reply 16,000',
    );
  });

  it('has areas in proportion to tokens', async () => {
    const view = await show({ width: 1280, height: 720 });
    const area = async (name: string) => {
      const { width, height } = (await tile(view, name).first().boundingBox())!;
      return width * height;
    };
    expect((await area('package-lock.json')) / (await area('store.ts'))).toBeCloseTo(11_030 / 4_120, 0);
  });

  it('names a search by its whole pattern, and a file without its folders', async () => {
    const view = await show({ width: 1280, height: 720 });
    const parts = [
      part('toolResult', 'glob src/**/*.json', 40_000),
      part('toolResult', 'src/session/lock.ts', 40_000),
    ];
    await view.notify(budgetAnswer({ parts }));
    await tile(view, 'lock.ts').waitFor();
    const names = await view.page.locator('.tile-name').allInnerTexts();
    expect(names).toEqual(expect.arrayContaining(['src/**/*.json', 'lock.ts']));
  });

  it('is hatched where the file shows nothing', async () => {
    const view = await showUnseen();
    const background = tile(view, 'Not in the file').evaluate(
      (node) => getComputedStyle(node).backgroundImage,
    );
    expect(await background).toContain('repeating-linear-gradient');
  });

  it('is only a list with bars on a narrow page', async () => {
    const view = await show({ width: 380 });
    expect(await view.page.locator('.treemap').isVisible()).toBe(false);
    const widths = await view.page
      .locator('.largest-bar > i')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    expect(widths[1]! / widths[0]!).toBeCloseTo(11_030 / 14_374, 1);
    expect(await view.overflow()).toBe(0);
  });

  it('fits a small screen with its list and the checks', async () => {
    const view = await show({ width: 1280, height: 720 });
    const { y, height } = (await view.page.locator('.glance').boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(720);
    expect(await view.page.evaluate(() => scrollY)).toBe(0);
  });
});

describe('a part of the window', () => {
  it('with actions is chosen at first, even if tokens without actions are more', async () => {
    const view = await showUnseen({ parts: [part('toolResult', 'src/lock.ts', 8_000)] });
    await eventually(() => chosen(view)).toContain('src/lock.ts');
  });

  it('that can be reduced without a loss is chosen at first', async () => {
    const view = await show();
    expect(await chosen(view)).toContain('Tool results · 3 of 4 replaced by later ones');
    await view.page.getByRole('button', { name: 'Hide 3 · frees 11k' }).click();
    await view.expectPost({ type: 'hide', selection: { messageIds: ['m71', 'm60', 'm51'] } });
    await view.page.getByRole('button', { name: 'Hide all 4' }).click();
    await view.expectPost({ type: 'hide', selection: { messageIds: ['m95', 'm71', 'm60', 'm51'] } });
  });

  it('is chosen in the picture, and can be hidden, pinned and opened', async () => {
    const view = await show();
    await tile(view, 'package-lock.json').click();
    await eventually(() => chosen(view)).toContain('package-lock.json 11,030 tokens · 9% of the window');
    await view.page.getByRole('button', { name: 'Hide · frees 11k' }).click();
    await view.expectPost({ type: 'hide', selection: { messageIds: ['m74'] } });
    await view.page.getByRole('button', { name: 'Pin' }).click();
    await view.expectPost({ type: 'pin', messageId: 'm74', isPinned: true });
    await view.page.getByRole('button', { name: 'Open', exact: true }).click();
    await view.expectPost({ type: 'show-in-chat', messageId: 'm74' });
  });

  it('can be unpinned', async () => {
    const view = await show();
    await view.notify(budgetAnswer({ parts: [part('user', 'Keep this.', 9_000, { isPinned: true })] }));
    await view.page.getByRole('button', { name: 'Unpin' }).click();
    await view.expectPost({ type: 'pin', messageId: 'user-Keep this.', isPinned: false });
  });

  it('is chosen in the list with the keyboard, which is one tab stop', async () => {
    const view = await show();
    await list(view).focus();
    await view.page.keyboard.press('ArrowDown');
    await eventually(() => chosen(view)).toContain('package-lock.json');
    const active = await list(view).getAttribute('aria-activedescendant');
    expect(await view.page.locator(`#${active}`).innerText()).toContain('package-lock.json');
    await view.page.keyboard.press('End');
    await eventually(() => chosen(view)).toContain('Tool definitions');
  });

  it('is listed with all others on demand', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: '9 more' }).click();
    await eventually(() => list(view).getByRole('option').count()).toBe(15);
    expect(plain(await list(view).getByRole('option').last().innerText())).toBe(
      'The rename runs before the handle is closed. 1,066',
    );
  });

  it('stays chosen while the page is hidden', async () => {
    const view = await show();
    await tile(view, 'lock.ts').last().click();
    const key = await view.page.evaluate(
      () => JSON.parse(sessionStorage.getItem(location.search) ?? '{}').tile,
    );
    expect(key).toBe('toolResult src/session/lock.ts');
  });

  it('that consists of tools leads to their switches', async () => {
    const view = await show();
    await tile(view, 'Tool definitions').click();
    await view.page.getByRole('button', { name: 'Switch tools' }).click();
    await view.page.getByRole('checkbox', { name: 'Tools of the MCP server notes' }).waitFor();
  });

  it('of a sub-agent is read-only, and opens as a document', async () => {
    const view = await showSubAgent();
    expect(await view.page.getByRole('button', { name: /^(Hide|Pin)/ }).count()).toBe(0);
    await view.page.getByRole('button', { name: 'Open', exact: true }).click();
    await view.expectPost({ type: 'open-message', messageId: 'm95' });
  });
});

describe('the trigger', () => {
  const slider = ({ page }: InspectorView) => page.getByRole('slider', { name: 'Size at which compaction' });
  const value = (view: InspectorView) => slider(view).inputValue();

  it('is a slider with a value in words', async () => {
    const view = await show();
    expect(await value(view)).toBe('85');
    expect(plain((await slider(view).getAttribute('aria-valuetext')) ?? '')).toBe(
      '85% of the window, 108,800 tokens',
    );
    await view.page.getByText('compact at 85%').waitFor();
  });

  it.each([
    [['ArrowLeft', 'ArrowLeft'], 0.83],
    [['PageDown', 'ArrowUp'], 0.76],
    [['Home'], 0.51],
    [['End'], 0.87],
  ])('is moved with the keyboard: %j', async (keys, ratio) => {
    const view = await show();
    await slider(view).focus();
    for (const key of keys) await view.page.keyboard.press(key);
    await view.expectPost({ type: 'set-trigger', ratio });
    expect(await view.posted('set-trigger')).toHaveLength(1);
  });

  it('is dragged with the pointer, and shows the new value', async () => {
    const view = await show();
    const bar = (await view.page.locator('.trigger-bar').boundingBox())!;
    const y = bar.y + bar.height / 2;
    await view.page.mouse.move(bar.x + bar.width * 0.85, y);
    await view.page.mouse.down();
    await view.page.mouse.move(bar.x + bar.width * 0.7, y, { steps: 4 });
    await view.page.getByText('compact at 70%').waitFor();
    await view.page.mouse.up();
    await view.expectPost({ type: 'set-trigger', ratio: 0.7 });
  });

  it('does not move when the bar is clicked', async () => {
    const view = await show();
    await view.page.locator('.trigger-bar').click({ position: { x: 40, y: 4 } });
    await view.page.getByRole('tab', { name: 'Facts' }).click();
    expect(await view.posted('set-trigger')).toEqual([]);
  });

  it.each([
    ['PageUp', 'Not above 87%: the rest is reserved for the reply.'],
    ['PageDown PageDown PageDown PageDown', 'Not below 51%: the compaction target is just under it.'],
  ])('explains its limit: %s', async (keys, words) => {
    const view = await show();
    await slider(view).focus();
    for (const key of keys.split(' ')) await view.page.keyboard.press(key);
    await eventually(async () => plain(await view.page.locator('.trigger-note').innerText())).toContain(
      words,
    );
  });

  it('returns to its value with Escape', async () => {
    const view = await show();
    await slider(view).focus();
    await view.page.keyboard.press('ArrowLeft');
    await view.page.keyboard.press('Escape');
    await eventually(() => value(view)).toBe('85');
  });

  it('returns to its value if the host refuses, and shows the refusal', async () => {
    const view = await show();
    await slider(view).focus();
    await view.page.keyboard.press('ArrowLeft');
    await view.expectPost({ type: 'set-trigger', ratio: 0.84 });
    await view.notify({ type: 'trigger-refused' });
    await view.page.getByText('The trigger was not moved').waitFor();
    expect(await value(view)).toBe('85');
  });

  it('cannot be moved in a sub-agent, or if the window is unknown', async () => {
    const view = await showSubAgent();
    expect(await slider(view).count()).toBe(0);
    await view.notify(inspectorSnapshot({ usage: { ...usage, window: undefined } }, 2));
    await view.notify(budgetAnswer());
    await list(view).waitFor();
    expect(await slider(view).count()).toBe(0);
  });

  it('says that the user is asked before a compaction', async () => {
    const view = await show();
    await view.notify(inspectorSnapshot({ usage: { ...movable, asks: true } }, 2));
    await view.page.getByText('ask at 85%').waitFor();
  });
});

describe('the checks of the session', () => {
  it('are open if something is to be done, with a word for their state', async () => {
    const view = await show();
    const states = await view.page.locator('.check-state').allTextContents();
    expect(states).toEqual(['Needs attention', 'Bad']);
  });

  it('are folded if they passed', async () => {
    const view = await show();
    await open(view, '1 check passed');
    await view.page.getByText('All 95 requests could reuse the cache.').waitFor();
  });

  it('lead to the setting, the message and the compaction', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: 'Change…: Tool results' }).click();
    await view.expectPost({ type: 'open-setting', id: 'contextBudget.strategy' });
    await view.page.getByRole('button', { name: 'Show message: Tool results' }).click();
    await view.expectPost({ type: 'show-in-chat', messageId: 'm74' });
    await open(view, '1 check passed');
    await view.page.getByRole('button', { name: 'Show compaction: Facts kept' }).click();
    await view.page.getByRole('tab', { name: 'Compactions', selected: true }).waitFor();
  });
});

describe('a list of large content', () => {
  it('opens the message in the chat', async () => {
    const view = await show();
    await open(view, 'Largest messages');
    await view.page.getByRole('list', { name: 'Largest messages' }).getByRole('button').first().click();
    await view.expectPost({ type: 'show-in-chat', messageId: 'm74' });
  });

  it('opens no message of a sub-agent, because it is not in the chat', async () => {
    const view = await showSubAgent();
    await open(view, 'Largest messages');
    const messages = view.page.getByRole('list', { name: 'Largest messages' });
    await eventually(() => messages.getByRole('listitem').count()).toBe(3);
    expect(await messages.getByRole('button').count()).toBe(0);
  });

  it('keeps the focus while the numbers change', async () => {
    const view = await show();
    await open(view, 'Files');
    const first = view.page.getByRole('list', { name: 'Files' }).getByRole('button').first();
    await first.focus();
    await view.notify(budgetAnswer({ largest: budget.largest.slice(1) }));
    expect(await first.evaluate((node) => node === document.activeElement)).toBe(true);
  });
});

it('the tab Window does not overflow at any width', async () => {
  const view = await show({ width: 1600 });
  const endless = 'x'.repeat(300);
  await view.notify(
    budgetAnswer({
      parts: [part('user', endless, 900), part('toolResult', `src/${endless}/a.ts`, 900)],
      files: [{ path: endless, calls: 1, tokens: 1, messageId: 'm' }],
      health: [{ id: endless, state: 'bad', finding: endless, messageIds: [], recordIds: [] }],
    }),
  );
  await open(view, 'Files');
  await view.page.getByText(endless).first().waitFor();
  for (const width of [1600, 300, 170]) {
    await view.resize({ width });
    expect(await view.overflow(), `${width} pixels`).toBe(0);
  }
});

describe('the definitions of tools', () => {
  const group = ({ page }: InspectorView, name: string) => page.getByRole('button', { name });

  it('are listed by server, with the savings of loading on demand and the cost of a change', async () => {
    const view = await show();
    await open(view, 'Tool definitions 6,541 tokens');
    const section = view.page.locator('.tool-definitions');
    const text = plain(await section.innerText());
    expect(text).toContain('On demand: 12,300 tokens saved per request.');
    expect(text).toContain('the next request writes all 82,746 tokens to the prompt cache again.');
    expect(text).toContain('MCP server notes 2 on · on demand · 12,700 tokens');
    await group(view, 'MCP server notes').click();
    expect(plain(await section.getByRole('list', { name: 'MCP server notes' }).innerText())).toBe(
      'mcp_notes_add_note used 3 times 8,000 tokens mcp_notes_list_notes not used yet 4,700 tokens',
    );
  });

  it('can be disabled with the keyboard, for one tool or all tools of a server', async () => {
    const view = await show();
    await open(view, 'Tool definitions');
    await view.page.getByRole('checkbox', { name: 'Tools of the MCP server notes' }).press('Space');
    await view.expectPost({ type: 'switch-tool', server: 'notes', isOn: false });
    await group(view, 'Built-in tools').press('Enter');
    await view.page.getByRole('checkbox', { name: /^run_command/ }).press('Space');
    await view.expectPost({ type: 'switch-tool', tool: 'run_command', isOn: false });
  });

  it('show which tools are disabled in the chat, and which tools cannot be disabled', async () => {
    const view = await show();
    await open(view, 'Tool definitions');
    await group(view, 'Built-in tools').click();
    await group(view, 'MCP server notes').click();
    const box = (name: RegExp) => view.page.getByRole('checkbox', { name });
    expect(await box(/^recall/).isDisabled()).toBe(true);
    expect(await box(/^recall/).isChecked()).toBe(true);
    const groups = budget.schemas.groups.map((each) => ({ ...each, isOn: each.server === undefined }));
    await view.notify(budgetAnswer({ schemas: { ...budget.schemas, groups } }));
    await eventually(() => box(/^mcp_notes_add_note/).isChecked()).toBe(false);
    expect(await box(/^mcp_notes_add_note/).isDisabled()).toBe(true);
    expect(await box(/^Tools of the MCP server notes/).isEnabled()).toBe(true);
  });

  it('of a sub-agent are read-only', async () => {
    const view = await showSubAgent();
    await open(view, 'Tool definitions');
    expect(
      await view.page.getByRole('checkbox', { name: 'Tools of the MCP server notes' }).isDisabled(),
    ).toBe(true);
    expect(await view.page.getByText('prompt cache again').count()).toBe(0);
  });
});
