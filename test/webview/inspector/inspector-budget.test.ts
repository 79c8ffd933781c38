import { describe, expect, it } from 'vitest';
import { inspectorSnapshot, subAgentSnapshot, usage } from '../support/inspector-fixtures.ts';
import { budget, budgetAnswer, triggerRange } from '../support/tab-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView, type OpenOptions } from '../support/view.ts';

const suite = inspectorSuite();
const movable = { ...usage, triggerRange };

async function show(options: OpenOptions = { width: 900 }): Promise<InspectorView> {
  const view = await suite.open(options);
  await view.notify(inspectorSnapshot({ usage: movable }));
  await view.page.getByRole('tab', { name: 'Window' }).click();
  await view.notify(budgetAnswer());
  await view.page.getByRole('heading', { name: 'Health' }).waitFor();
  return view;
}

const slider = ({ page }: InspectorView) => page.getByRole('slider', { name: 'Size at which compaction' });
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('the trigger', () => {
  it('is a slider with a value and limits', async () => {
    const view = await show();
    const attribute = (name: string) => slider(view).getAttribute(name);
    expect(await attribute('aria-valuenow')).toBe('85');
    expect(await attribute('aria-valuemin')).toBe('51');
    expect(await attribute('aria-valuemax')).toBe('87');
    expect(plain((await attribute('aria-valuetext')) ?? '')).toBe('85% of the window, 108,800 tokens');
  });

  it.each([
    [['ArrowLeft', 'ArrowLeft'], 0.83],
    [['PageDown', 'ArrowUp'], 0.81],
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
    const bar = (await view.page.locator('.usage-bar').boundingBox())!;
    const y = bar.y + bar.height / 2;
    await view.page.mouse.move(bar.x + bar.width * 0.85, y);
    await view.page.mouse.down();
    await view.page.mouse.move(bar.x + bar.width * 0.7, y, { steps: 4 });
    await eventually(async () => plain(await view.page.locator('.usage .mark-trigger').innerText())).toBe(
      'compact at 70%',
    );
    await view.page.mouse.up();
    await view.expectPost({ type: 'set-trigger', ratio: 0.7 });
  });

  it('keeps its position if the provider counts more tokens', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(inspectorSnapshot({ usage: { ...movable, tokens: usage.tokens + 12_800 } }));
    await view.page.getByRole('tab', { name: 'Window' }).click();
    await view.page.getByText('compact at 85%').waitFor();
    await view.page.getByText(/82,746 by our count/).waitFor();
    const bar = (await view.page.locator('.usage-bar').boundingBox())!;
    const handle = (await slider(view).boundingBox())!;
    expect((handle.x + handle.width / 2 - bar.x) / bar.width).toBeCloseTo(0.85, 2);
  });

  it('does not move when it is only clicked', async () => {
    const view = await show();
    await slider(view).click();
    await view.page.getByRole('tab', { name: 'Facts' }).click();
    expect(await view.posted('set-trigger')).toEqual([]);
  });

  it.each([
    ['PageUp', 'Cannot go above 87%: the rest of the window is reserved for the reply.'],
    ['Home PageDown', 'Cannot go below 51%: the compaction target is just under it.'],
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
    await view.page.keyboard.press('PageDown');
    await view.page.keyboard.press('Escape');
    expect(await slider(view).getAttribute('aria-valuenow')).toBe('85');
  });

  it('returns to its value if the host refuses, and shows the refusal', async () => {
    const view = await show();
    await slider(view).focus();
    await view.page.keyboard.press('PageDown');
    await view.expectPost({ type: 'set-trigger', ratio: 0.8 });
    await view.notify({ type: 'trigger-refused' });
    await view.page.getByText('The trigger was not moved').waitFor();
    expect(await slider(view).getAttribute('aria-valuenow')).toBe('85');
  });

  it('cannot be moved in a sub-agent, or if the window is unknown', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(subAgentSnapshot({ usage: movable }));
    expect(await slider(view).isVisible()).toBe(false);
    await view.notify(inspectorSnapshot({ usage: { ...usage, window: undefined } }, 2));
    expect(await slider(view).isVisible()).toBe(false);
  });
});

describe('the numbers of the Budget tab', () => {
  it('state unremovable tokens, cost, cached share and the difference between counts', async () => {
    const view = await show();
    const facts = await view.page.locator('.budget-facts .fact').allInnerTexts();
    expect(facts.map((text) => plain(text).replace(/\s+/g, ' '))).toEqual([
      '12,475 tokens no strategy can remove',
      '$0.41 so far',
      '87% of input from the cache',
      '+0.6% reported vs. counted',
    ]);
    const sentences = plain((await view.page.locator('.budget-sentence').allInnerTexts()).join('\n'));
    expect(sentences).toContain('tool definitions 6,541, system messages 3,302, memory 1,820');
    expect(sentences).toContain('the provider counted 82,611 tokens and we counted 82,111 (+0.6%)');
    expect(sentences).toContain('The cost of 2 more requests is unknown.');
  });

  it('leave out unknown values', async () => {
    const view = await show();
    await view.notify(budgetAnswer({ money: undefined, cachedShare: undefined, compared: undefined }));
    await eventually(() => view.page.locator('.budget-facts .fact').count()).toBe(1);
  });
});

describe('the health of the session', () => {
  it('is a list with a word for each state, which is readable without colour', async () => {
    const view = await show();
    const states = await view.page
      .getByRole('list', { name: 'Health' })
      .locator('.health-state')
      .allInnerTexts();
    expect(states).toEqual(['Good', 'Needs attention', 'Bad', 'Unknown']);
    await view.page.getByText('2 items need attention').waitFor();
  });

  it('opens the setting, the message and the compaction', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: 'Open setting: Tool output' }).click();
    await view.expectPost({ type: 'open-setting', id: 'contextBudget.strategy' });
    await view.page.getByRole('button', { name: 'Show message: Tool output' }).click();
    await view.expectPost({ type: 'show-in-chat', messageId: 'm74' });
    await view.page.getByRole('button', { name: 'Show compaction: Completeness' }).click();
    await view.page.getByRole('tab', { name: 'Compactions', selected: true }).waitFor();
  });
});

describe('a list of large content', () => {
  it('opens the message in the chat', async () => {
    const view = await show();
    await view.page.getByRole('list', { name: 'Largest messages' }).getByRole('button').first().click();
    await view.expectPost({ type: 'show-in-chat', messageId: 'm74' });
    await view.page.getByRole('list', { name: 'Tools' }).locator('button.held').last().click();
    await view.expectPost({ type: 'show-in-chat', messageId: 'm71' });
  });

  it('opens no message of a sub-agent, because it is not in the chat', async () => {
    const view = await suite.open({ width: 900 });
    await view.notify(subAgentSnapshot());
    await view.page.getByRole('tab', { name: 'Window' }).click();
    await view.notify(budgetAnswer({}, 'session-1.b'));
    const list = view.page.getByRole('list', { name: 'Largest messages' });
    await eventually(() => list.getByRole('listitem').count()).toBe(3);
    expect(await list.getByRole('button').count()).toBe(0);
  });

  it('keeps the focus while the numbers change', async () => {
    const view = await show();
    const first = view.page.getByRole('list', { name: 'Files' }).getByRole('button').first();
    await first.focus();
    await view.notify(budgetAnswer({ largest: budget.largest.slice(1) }));
    await eventually(() =>
      view.page.getByRole('list', { name: 'Largest messages' }).getByRole('listitem').count(),
    ).toBe(2);
    expect(await first.evaluate((node) => node === document.activeElement)).toBe(true);
  });
});

it('the Budget tab does not overflow at any width', async () => {
  const view = await show({ width: 1600 });
  const endless = 'x'.repeat(300);
  await view.notify(
    budgetAnswer({
      largest: [{ id: 'wide', kind: 'user', title: endless, tokens: 1 }],
      files: [{ path: endless, calls: 1, tokens: 1, messageId: 'm' }],
      health: [{ id: endless, state: 'bad', finding: endless, messageIds: [], recordIds: [] }],
    }),
  );
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
    const section = view.page.locator('.schemas');
    const text = plain(await section.innerText()).replace(/\s+/g, ' ');
    expect(text).toContain('Tool definitions 6,541 tokens in every request');
    expect(text).toContain('On demand: 12,300 tokens saved per request.');
    expect(text).toContain('the next request writes all 82,746 tokens to the prompt cache again.');
    expect(text).toContain('MCP server notes 2 on · on demand 12,700 tokens');
    await group(view, 'MCP server notes').click();
    expect(
      plain(await section.getByRole('list', { name: 'MCP server notes' }).innerText()).replace(/\s+/g, ' '),
    ).toBe('mcp_notes_add_note used 3 times 8,000 tokens mcp_notes_list_notes not used yet 4,700 tokens');
  });

  it('can be disabled with the keyboard, for one tool or all tools of a server', async () => {
    const view = await show();
    await view.page.getByRole('checkbox', { name: 'Tools of the MCP server notes' }).press('Space');
    await view.expectPost({ type: 'switch-tool', server: 'notes', isOn: false });
    await group(view, 'Built-in tools').press('Enter');
    await view.page.getByRole('checkbox', { name: /^run_command/ }).press('Space');
    await view.expectPost({ type: 'switch-tool', tool: 'run_command', isOn: false });
  });

  it('show which tools are disabled in the chat, and which tools cannot be disabled', async () => {
    const view = await show();
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
    const view = await suite.open({ width: 900 });
    await view.notify(subAgentSnapshot());
    await view.page.getByRole('tab', { name: 'Window' }).click();
    await view.notify(budgetAnswer({}, 'session-1.b'));
    await view.page.getByRole('heading', { name: 'Tool definitions' }).waitFor();
    expect(
      await view.page.getByRole('checkbox', { name: 'Tools of the MCP server notes' }).isDisabled(),
    ).toBe(true);
    expect(await view.page.getByText('prompt cache again').isVisible()).toBe(false);
  });
});
