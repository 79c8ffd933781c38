import { describe, expect, it } from 'vitest';
import type { BudgetView } from '../../../src/protocol/inspector-budget.ts';
import type { FullnessView, InspectorState, ReportView, UsageView } from '../../../src/protocol/inspector.ts';
import { inspectorSnapshot, usage } from '../support/inspector-fixtures.ts';
import { budgetAnswer } from '../support/tab-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();

async function show(
  changes: Partial<UsageView> = {},
  state: Partial<InspectorState> = {},
  budget: Partial<BudgetView> = {},
): Promise<InspectorView> {
  const view = await suite.open({ width: 1200 });
  await view.notify(inspectorSnapshot({ usage: { ...usage, ...changes }, ...state }));
  await view.page.getByRole('tab', { name: 'Window' }).click();
  await view.notify(budgetAnswer(budget));
  await view.page.getByRole('button', { name: 'Numbers' }).click();
  await view.page.getByRole('table', { name: 'Tokens in use' }).waitFor();
  return view;
}

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

/** The table's rows as a reader hears them: name, tokens, share. */
async function lines({ page }: InspectorView): Promise<readonly string[]> {
  const rows = await page.getByRole('table', { name: 'Tokens in use' }).getByRole('row').all();
  return Promise.all(
    rows.map(async (row) => plain((await row.locator('th, td').allInnerTexts()).join(' | '))),
  );
}

/** The other numbers by their names. */
async function facts({ page }: InspectorView): Promise<Readonly<Record<string, string>>> {
  const [names, values] = await Promise.all(
    ['dt', 'dd'].map((name) => page.locator(`.numbers ${name}`).allInnerTexts()),
  );
  return Object.fromEntries(names!.map((name, index) => [name, plain(values![index]!)]));
}

describe('the numbers of a session', () => {
  it('are a table in which the kinds add up to the total', async () => {
    expect(await lines(await show())).toEqual([
      'Kind | Tokens | Share',
      'System | 3,302 | 2.6%',
      'Tool definitions | 6,541 | 5.1%',
      'Memory | 1,820 | 1.4%',
      'You | 4,107 | 3.2%',
      'Assistant | 8,866 | 6.9%',
      'Tool calls | 14,981 | 11.7%',
      'Tool results | 39,804 | 31.1%',
      'Summaries | 3,325 | 2.6%',
      'Total | 82,746 | 64.6%',
      'Reserved for the reply | 16,000 | 12.5%',
      'Free | 29,254 | 22.9%',
    ]);
  });

  it('compare each kind with its share only for the strategy that enforces shares', async () => {
    const view = await show({ byKind: { ...usage.byKind, tools: 25_600 } }, { strategy: 'budgeted' });
    expect(await lines(view)).toEqual(
      expect.arrayContaining([
        'Kind | Tokens | Share | Its share',
        'System | 3,302 | 2.6% | within its 10%',
        'Tool definitions | 25,600 | 20.0% | 5 points over its 15%',
      ]),
    );
  });

  it('distinguish counted from reported tokens', async () => {
    expect(await facts(await show())).toMatchObject({
      Window: '128,000',
      Counted: '82,746',
      'Provider reported': '82,611 · 3 messages ago',
      'Last request': '82,611 reported, 82,111 counted (+0.6%)',
    });
  });

  it.each([
    [0, '82,611'],
    [1, '82,611 · 1 message ago'],
  ])('show the age of the report: %d messages', async (messagesSince, words) => {
    const view = await show({ reported: { tokens: 82611, messagesSince } });
    expect((await facts(view))['Provider reported']).toBe(words);
  });

  it('say that another tokenizer counted', async () => {
    expect((await facts(await show({ isApproximate: true })))['Counted']).toBe(
      '82,746 (with a similar tokenizer; expect a difference of a few percent)',
    );
  });

  it('state what is always in the window, the cost and the share from the cache', async () => {
    expect(await facts(await show())).toMatchObject({
      'From the cache': '87% of the input',
      Requests:
        'input $0.21, cached input $0.12, output $0.08 · 2 requests of unknown cost · cache writes may cost more',
      'Always in the window':
        '12,475 (tool definitions 6,541, system messages 3,302, memory 1,820, your newest message 512, your first message 300)',
    });
  });

  it.each([
    [
      { total: 0.42, requests: 0.3, summaries: 0.05, subAgents: 0.07, isAtLeast: false },
      '$0.42 (requests $0.30, summaries $0.05, sub-agents $0.07)',
    ],
    [{ total: 0.0032, requests: 0.0032, summaries: 0, subAgents: 0, isAtLeast: true }, 'at least $0.0032'],
  ])('add up the cost of the chat', async (cost, words) => {
    expect((await facts(await show({}, { cost })))['Cost so far']).toBe(words);
  });

  it('leave out what is unknown', async () => {
    const unknown = { money: undefined, cachedShare: undefined, compared: undefined };
    const view = await show({ reported: undefined }, {}, unknown);
    expect(Object.keys(await facts(view))).toEqual(['Window', 'Counted', 'Always in the window']);
  });

  it('compare the reported and counted tokens of an opened session, with its cost', async () => {
    const report: ReportView = {
      counted: 3_120,
      reported: 40_365,
      missing: ['system', 'tools'],
      cachedShare: 0.93,
      dollars: 4.12,
      isPartOfCost: true,
    };
    const view = await show(
      {},
      { report },
      { compared: undefined, cachedShare: undefined, money: undefined },
    );
    expect(await facts(view)).toMatchObject({
      'Last request': '40,365 reported, 3,120 counted (+1,193.8%)',
      'From the cache': '93% of the input',
      'Cost so far': 'at least $4.12',
    });
  });
});

describe('the numbers of a session of another agent', () => {
  /** Nothing is known about its reserve and target. */
  const showForeign = (fullness: FullnessView) =>
    show({ reserved: 0, target: undefined, trigger: undefined, fullness });

  it('include tokens that are not in its file', async () => {
    const unseen = { tokens: 17_254 };
    const view = await showForeign({ tokens: 100_000, basis: 'reported', alternatives: [], unseen });
    expect((await lines(view)).slice(-3)).toEqual([
      'Not in the file | 17,254 | 13.5%',
      'Total | 100,000 | 78.1%',
      'Free | 28,000 | 21.9%',
    ]);
    expect((await facts(view))['Counted']).toBe('82,746 visible in the file, 17,254 not');
    const [first] = await view.page.getByRole('img', { name: /not in the file/ }).all();
    expect(await first?.getAttribute('aria-label')).toContain('17,254 not in the file.');
  });

  it('name the agent version for which an unreported part was measured', async () => {
    const unseen = { tokens: 17_254, measuredWith: '2.1.197' };
    const view = await showForeign({ tokens: 100_000, basis: 'counted', alternatives: [], unseen });
    await view.page.locator('.tile', { hasText: 'Not in the file' }).click();
    await view.page.getByText('measured with version 2.1.197').waitFor();
  });

  it('show the other possible window, and the share of the compaction size that is in use', async () => {
    const compactsAt = 100_000;
    const view = await showForeign({
      tokens: 82_746,
      basis: 'counted',
      alternatives: [1_000_000],
      compactsAt,
    });
    expect((await facts(view))['Window']).toBe(
      '128,000 or 1,000,000 · 82.7% of the 100,000 at which it compacts',
    );
  });

  it('have the size reported by the provider if that is below our count', async () => {
    const view = await showForeign({ tokens: 70_000, basis: 'reported', alternatives: [] });
    expect((await lines(view)).slice(-2)).toEqual(['Total | 70,000 | 54.7%', 'Free | 58,000 | 45.3%']);
  });
});

describe('a window', () => {
  it('whose size is unknown has shares of the total', async () => {
    const view = await show({ window: undefined, trigger: undefined, target: undefined });
    expect((await lines(view)).slice(-2)).toEqual(['Summaries | 3,325 | 4.0%', 'Total | 82,746 | 100.0%']);
  });

  it('that is too small has no free space', async () => {
    const view = await show({ window: 64_000, trigger: 54_000, target: 32_000 });
    expect((await lines(view)).at(-1)).toBe('Free | 0 | 0.0%');
    expect(await view.page.locator('.free-space').count()).toBe(0);
    expect(await view.overflow()).toBe(0);
  });

  it('updates its numbers without replacing rows', async () => {
    const view = await show();
    const row = view.page.locator('.numbers tbody tr').first();
    await row.evaluate((first) => Object.assign(window, { first }));
    const more = { ...usage, byKind: { ...usage.byKind, system: 4302 }, tokens: 83746 };
    await view.notify(inspectorSnapshot({ usage: more }, 2));
    await eventually(async () => (await lines(view))[1]).toBe('System | 4,302 | 3.4%');
    expect(await row.evaluate((first) => first === Reflect.get(window, 'first'))).toBe(true);
  });
});
