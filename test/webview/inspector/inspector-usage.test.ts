import { describe, expect, it } from 'vitest';
import type { FullnessView, ReportView, UsageView } from '../../../src/protocol/inspector.ts';
import { inspectorSnapshot, subAgentSnapshot, usage } from '../support/inspector-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();
async function show(changes: Partial<UsageView> = {}): Promise<InspectorView> {
  const view = await suite.open({ width: 1200 });
  await view.notify(inspectorSnapshot({ usage: { ...usage, ...changes } }));
  await view.page.getByRole('tab', { name: 'Window' }).click();
  return view;
}

/** The table's rows as a reader hears them: name, tokens, share. */
async function lines(view: InspectorView): Promise<readonly string[]> {
  const rows = await view.page.getByRole('table', { name: 'Tokens in use' }).getByRole('row').all();
  return Promise.all(
    rows.map(async (row) =>
      (await row.locator('th, td').allInnerTexts()).join(' | ').replaceAll('\u00a0', ' '),
    ),
  );
}

describe('the header of the inspector', () => {
  it('shows the title, the model, the strategy, the fill and the trigger in one line', async () => {
    const view = await show();
    await view.page.getByRole('heading', { level: 1, name: 'Fix the flaky session-store test' }).waitFor();
    await eventually(async () => (await view.page.locator('header').innerText()).split(/\s*\n\s*/)).toEqual([
      'Fix the flaky session-store test',
      'gpt-5-mini',
      '· Ladder',
      '65% of 128k',
      'compacts at 109k',
    ]);
  });

  it('names the agent of an opened session, and its tokens if the window is unknown', async () => {
    const view = await suite.open({ width: 1200 });
    const changes = { window: undefined, trigger: undefined, target: undefined };
    await view.notify(subAgentSnapshot({ agent: 'Codex', model: '', usage: { ...usage, ...changes } }));
    await eventually(() => view.page.locator('.header-facts').innerText()).toBe('Codex');
    await eventually(() => view.page.locator('.header-fill').innerText()).toBe('83k tokens');
  });

  it.each([
    [
      { total: 0.42, requests: 0.3, summaries: 0.05, subAgents: 0.07, isAtLeast: false },
      'cost so far $0.42 (requests $0.30, summaries $0.05, sub-agents $0.07)',
    ],
    [
      { total: 0.0032, requests: 0.0032, summaries: 0, subAgents: 0, isAtLeast: true },
      'cost so far at least $0.0032',
    ],
  ])('shows the cost of the chat so far if prices are known', async (cost, words) => {
    const view = await suite.open({ width: 1200 });
    await view.notify(inspectorSnapshot({ cost }));
    await view.page.getByRole('tab', { name: 'Window' }).click();
    await eventually(() => view.page.locator('.cost').innerText()).toBe(words);
  });

  it('compares the reported and counted tokens of an opened session, and lists parts missing from its file', async () => {
    const view = await suite.open({ width: 1200 });
    const report: ReportView = {
      counted: 3_120,
      reported: 40_365,
      missing: ['system', 'tools'],
      cachedShare: 0.93,
      dollars: 4.12,
      isPartOfCost: false,
    };
    await view.notify(inspectorSnapshot({ report }));
    await view.page.getByRole('tab', { name: 'Window' }).click();
    const line = view.page.locator('.usage-report');
    await line.waitFor();
    expect((await line.innerText()).replaceAll('\u00a0', ' ')).toBe(
      'Last request: 40,365 reported, 3,120 counted. 37,245 missing from the file: system prompt and tool definitions. 93% of the input came from the cache. All requests cost $4.12.',
    );
    await view.notify(inspectorSnapshot({ report: { ...report, missing: [], isPartOfCost: true } }, 2));
    await eventually(() => line.innerText()).toContain('The counts differ by 37,245.');
    await eventually(() => line.innerText()).toContain('Requests with known prices cost $4.12.');
  });

  it('opens the choice of a strategy', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: 'Strategy: Ladder' }).click();
    await view.expectPost({ type: 'select-strategy' });
  });

  it('compacts from its menu', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: 'More actions' }).click();
    await view.page.getByRole('menuitem', { name: 'Compact now' }).click();
    await view.expectPost({ type: 'compact' });
  });

  it('does not offer a second compaction while one is running', async () => {
    const view = await suite.open({ width: 1200 });
    await view.notify(inspectorSnapshot({ isCompacting: true }));
    await view.page.getByRole('button', { name: 'More actions' }).click();
    await view.page.getByRole('menuitem', { name: 'Select strategy…' }).waitFor();
    expect(await view.page.getByRole('menuitem', { name: 'Compact now' }).count()).toBe(0);
  });
});

describe('the usage', () => {
  it('distinguishes counted from reported tokens', async () => {
    const view = await show();
    expect(
      (await view.page.locator('.usage-total').innerText()).replaceAll('\u00a0', ' ').split('\n'),
    ).toEqual(['82,746', 'of 128,000 tokens · 64.6% · counted', 'provider reported 82,611, 3 messages ago']);
  });

  it('states, even to a screen reader, that the count uses a similar tokenizer', async () => {
    const view = await show({ isApproximate: true });
    await view.page.getByText('64.6% · counted approximately').waitFor();
    const [title, spoken] = await Promise.all([
      view.page.locator('.usage-total [title]').getAttribute('title'),
      view.page.locator('.usage-total .spoken').textContent(),
    ]);
    expect(title).toContain('a similar tokenizer');
    expect(spoken).toBe(title);
  });

  it('does not mention the tokenizer if it is the tokenizer of the model', async () => {
    const view = await show();
    expect(await view.page.locator('.usage-total .spoken').isHidden()).toBe(true);
  });

  it.each([
    [0, 'provider reported 82,611'],
    [1, 'provider reported 82,611, 1 message ago'],
  ])('shows the age of the report: %d messages', async (messagesSince, words) => {
    const view = await show({ reported: { tokens: 82611, messagesSince } });
    await view.page.getByText(words, { exact: true }).waitFor();
  });

  /** Of a session of another agent, about whose reserve and target nothing is known. */
  const showForeign = (fullness: FullnessView, changes: Partial<UsageView> = {}) =>
    show({ reserved: 0, target: undefined, trigger: undefined, ...changes, fullness });
  const total = async (view: InspectorView) =>
    (await view.page.locator('.usage-total').innerText()).replaceAll('\u00a0', ' ').split('\n').slice(0, 2);

  it('includes tokens that are not in the file of an opened session', async () => {
    const view = await showForeign({
      tokens: 100_000,
      basis: 'reported',
      alternatives: [],
      unseen: { tokens: 17_254 },
    });
    await eventually(() => total(view)).toEqual([
      '100,000',
      'of 128,000 tokens · 78.1% · 82,746 of them in the file',
    ]);
    expect((await lines(view)).slice(-3)).toEqual([
      'Not in the file | 17,254 | 13.5% | ',
      'Total | 100,000 | 78.1% | ',
      'Free | 28,000 | 21.9% | ',
    ]);
    const name = await view.page.locator('.usage').getByRole('img').getAttribute('aria-label');
    expect(name).toMatch(/^100,000 of .*17,254 not in the file\.$/);
  });

  it('states the agent version for which an unreported part was measured', async () => {
    const unseen = { tokens: 17_254, measuredWith: '2.1.197' };
    const view = await showForeign({ tokens: 100_000, basis: 'counted', alternatives: [], unseen });
    await eventually(() => total(view)).toContain(
      'of 128,000 tokens · 78.1% · 17,254 of them not in the file, as measured with version 2.1.197',
    );
  });

  it('shows the other possible window, and the share of the compaction size that is in use', async () => {
    const view = await showForeign({
      tokens: 82_746,
      basis: 'counted',
      alternatives: [1_000_000],
      compactsAt: 100_000,
    });
    await eventually(() => total(view)).toContain(
      'of 128,000 or 1,000,000 tokens · 64.6% or 8.3% · 82.7% of the 100,000 at which it compacts · counted',
    );
  });

  it('is the size reported by the provider if that is below our count', async () => {
    const view = await showForeign({ tokens: 70_000, basis: 'reported', alternatives: [] });
    await eventually(() => total(view)).toEqual(['70,000', 'of 128,000 tokens · 54.7%']);
    expect((await lines(view)).slice(-3)).toEqual([
      'Counted, but not reported | -12,746 |  | ',
      'Total | 70,000 | 54.7% | ',
      'Free | 58,000 | 45.3% | ',
    ]);
  });

  it('is a table in which the kinds add up to the total', async () => {
    const view = await show();
    expect(await lines(view)).toEqual([
      'Kind | Tokens | Share | Of its share',
      'System | 3,302 | 2.6% | 26% of its 10% share',
      'Tool definitions | 6,541 | 5.1% | 34% of its 15% share',
      'Memory | 1,820 | 1.4% | 14% of its 10% share',
      'You | 4,107 | 3.2% | 11% of its 30% share',
      'Assistant | 8,866 | 6.9% | 23% of its 30% share',
      'Tool calls | 14,981 | 11.7% | 39% of its 30% share',
      'Tool results | 39,804 | 31.1% | 69% of its 45% share',
      'Summaries | 3,325 | 2.6% | 9% of its 30% share',
      'Total | 82,746 | 64.6% | ',
      'Reserved for reply | 16,000 | 12.5% | ',
      'Free | 29,254 | 22.9% | ',
    ]);
  });

  it('is drawn as a bar for the whole window, and described in words', async () => {
    const view = await show();
    const name = await view.page.locator('.usage').getByRole('img').getAttribute('aria-label');
    expect(name).toBe(
      '82,746 of 128,000 tokens in use. System 3,302, Tool definitions 6,541, Memory 1,820, You 4,107, ' +
        'Assistant 8,866, Tool calls 14,981, Tool results 39,804, Summaries 3,325. ' +
        '16,000 reserved for the reply. Compacts at 108,800. Compaction target: 64,000.',
    );
    const shares = await view.page.locator('.usage-bar').evaluate((bar) => {
      const { left, width } = bar.getBoundingClientRect();
      const box = (selector: string) => bar.querySelector(selector)!.getBoundingClientRect();
      return {
        end: (box('.kind-reserved').right - left) / width,
        reserved: box('.kind-reserved').width / width,
        trigger: (box('.mark-trigger').left + 1 - left) / width,
        target: (box('.mark-target').left + 1 - left) / width,
      };
    });
    expect(shares.end).toBeCloseTo(1, 2);
    expect(shares.reserved).toBeCloseTo(0.125, 2);
    expect(shares.trigger).toBeCloseTo(0.85, 2);
    expect(shares.target).toBeCloseTo(0.5, 2);
    await view.page.getByText('compact at 85%').waitFor();
    await view.page.getByText('target', { exact: true }).waitFor();
  });

  it('marks and describes each size at which a compaction begins', async () => {
    const outlook = { background: 94_000, shortensEarly: true };
    const view = await show(outlook);
    const sentences =
      'Starts in the background at 94,000. Compacts at 108,800. May shorten old output earlier.';
    await view.page.getByText(sentences, { exact: true }).waitFor();
    expect(await view.page.locator('.usage').getByRole('img').getAttribute('aria-label')).toContain(
      sentences,
    );
    await view.page.getByText('background 73%').waitFor();
    await view.page.getByText('compact at 85%').waitFor();
    const shares = await view.page.locator('.usage-bar').evaluate((bar) => {
      const { left, width } = bar.getBoundingClientRect();
      const placeOf = (name: string) =>
        (bar.querySelector(`.mark-${name}`)!.getBoundingClientRect().left + 1 - left) / width;
      return { background: placeOf('background'), trigger: placeOf('trigger') };
    });
    expect(shares.background).toBeCloseTo(94_000 / 128_000, 2);
    expect(shares.trigger).toBeCloseTo(108_800 / 128_000, 2);
  });

  it('states that the user is asked before a compaction', async () => {
    const view = await show({ asks: true });
    await view.page.getByText('ask at 85%').waitFor();
    expect(await view.page.locator('.usage').getByRole('img').getAttribute('aria-label')).toContain(
      'Asks at 108,800 whether to compact.',
    );
  });

  it('omits a label if the conversation is many times as large as the window', async () => {
    const view = await show({ tokens: 50 * 128_000 });
    await view.page.getByText('compact at 85%').waitFor();
    expect(await view.page.getByText('target', { exact: true }).isVisible()).toBe(false);
    expect(await view.page.locator('.usage .mark-target').count()).toBe(1);
  });

  it('is drawn as a bar for the total if the window is unknown', async () => {
    const view = await show({ window: undefined, trigger: undefined, target: undefined });
    await eventually(() => view.page.locator('.usage-total').innerText()).toContain('tokens · counted');
    expect((await lines(view)).slice(-2)).toEqual([
      'Summaries | 3,325 | 4.0% | ',
      'Total | 82,746 | 100.0% | ',
    ]);
    const filled = await view.page.locator('.usage-bar').evaluate((bar) => {
      const last = bar.querySelector('.kind-summary')!.getBoundingClientRect();
      return last.right - bar.getBoundingClientRect().right;
    });
    expect(Math.abs(filled)).toBeLessThan(1);
    expect(await view.page.locator('.usage .mark').count()).toBe(0);
  });

  it('does not overflow the bar if the window is too small', async () => {
    const view = await show({ window: 64_000, trigger: 54_000, target: 32_000 });
    await view.page.getByText('of 64,000 tokens · 129.3% · counted').waitFor();
    expect((await lines(view)).at(-1)).toBe('Free | 0 | 0.0% | ');
    const sticksOut = await view.page.locator('.usage-bar').evaluate((bar) => {
      const right = bar.getBoundingClientRect().right;
      return Math.max(
        ...[...bar.querySelectorAll('.kind')].map((part) => part.getBoundingClientRect().right - right),
      );
    });
    expect(sticksOut).toBeLessThan(1);
  });

  it('updates the numbers without replacing rows', async () => {
    const view = await show();
    await view.page
      .locator('.usage tbody tr')
      .first()
      .evaluate((row) => Object.assign(window, { row }));
    await view.notify(
      inspectorSnapshot({ usage: { ...usage, byKind: { ...usage.byKind, system: 4302 }, tokens: 83746 } }, 2),
    );
    await eventually(async () => (await lines(view))[1]).toBe('System | 4,302 | 3.4% | 34% of its 10% share');
    expect(
      await view.page.evaluate(
        () => document.querySelector('.usage tbody tr') === Reflect.get(window, 'row'),
      ),
    ).toBe(true);
  });
});
