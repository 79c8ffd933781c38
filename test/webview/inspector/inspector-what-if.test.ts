import { describe, expect, it } from 'vitest';
import type { InspectorNotification } from '../../../src/protocol/inspector.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { diff, inspectorSnapshot, ladder } from '../support/inspector-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView, type OpenOptions } from '../support/view.ts';
import { whatIf, whatIfRow, whatIfRows } from '../support/what-if-fixtures.ts';

const suite = inspectorSuite();

const previewed: RecordView = {
  ...ladder,
  id: 'what-if:state-snapshot',
  requestedStrategy: 'state-snapshot',
};

async function show(options: OpenOptions = {}, changes = {}): Promise<InspectorView> {
  const view = await suite.open({ width: 1200, ...options });
  await view.notify(inspectorSnapshot(changes));
  await view.page.getByRole('tab', { name: 'What if' }).click();
  await view.expectPost({ type: 'what-if-show' });
  return view;
}

async function showOutcomes(changes = {}, options: OpenOptions = {}): Promise<InspectorView> {
  const view = await show(options);
  await view.notify(whatIf(changes));
  await view.page.getByRole('table', { name: 'Comparison of strategies' }).waitFor();
  return view;
}

async function showPreview(changes = {}): Promise<InspectorView> {
  const view = await showOutcomes(changes);
  await choose(view, 'State Snapshot');
  await view.page.getByRole('button', { name: 'Preview' }).click();
  await view.expectPost({ type: 'what-if-preview', strategy: 'state-snapshot' });
  await view.notify({
    type: 'what-if-preview',
    sessionId: 'session-1',
    strategy: 'state-snapshot',
    record: previewed,
  });
  await view.expectPost({ type: 'diff', recordId: previewed.id });
  await view.notify(diff(previewed.id));
  await view.page.locator('.diff-row').first().waitFor();
  return view;
}

const outcomes = (view: InspectorView) => view.page.getByRole('table', { name: 'Comparison of strategies' });
const strategies = async (view: InspectorView) => {
  const names = await outcomes(view).getByRole('rowheader').allInnerTexts();
  return names.map((name) => name.split(' · ')[0]);
};
const status = (view: InspectorView) => view.page.locator('.what-if-head [role=status]').innerText();
const chosen = (view: InspectorView, name: string) => view.page.getByRole('group', { name, exact: true });
const choose = (view: InspectorView, name: string) => outcomes(view).getByRole('button', { name }).click();

describe('the comparison of strategies', () => {
  it('starts by itself, once a session', async () => {
    const view = await show();
    expect(await view.posted('what-if-run')).toEqual([]);
    const idle = whatIf({ phase: 'idle', rows: [] });
    await view.notify(idle);
    await view.expectPost({ type: 'what-if-run' });
    await view.notify(idle);
    await view.notify(whatIf({ phase: 'failed', problem: 'No thread.', rows: [] }));
    await view.page.getByRole('button', { name: 'Compare again' }).waitFor();
    expect(await view.posted('what-if-run')).toHaveLength(1);
  });

  it('starts again when its session is shown again', async () => {
    const view = await show();
    const idle = whatIf({ phase: 'idle', rows: [] });
    await view.notify(idle);
    await view.expectPost({ type: 'what-if-run' });
    await view.notify(inspectorSnapshot({ sessionId: 'session-2' }));
    await view.notify(inspectorSnapshot());
    await view.notify(idle);
    await eventually(() => view.posted('what-if-run')).toHaveLength(2);
  });

  it('ignores what is told about another session', async () => {
    const view = await showOutcomes();
    await view.notify(whatIf({ phase: 'running', rows: [] }, 'session-2'));
    await view.page.getByText('Compared 4 strategies in 0.9 s.').waitFor();
    expect(await status(view)).toContain('Stay with Ladder');
  });

  it('shows its progress, and can be cancelled', async () => {
    const view = await show();
    await view.notify(
      whatIf({ phase: 'running', running: 'sliding-window', total: 20, rows: whatIfRows.slice(0, 2) }),
    );
    expect(await status(view)).toBe('2 of 20 · Sliding Window');
    expect(await view.page.getByRole('progressbar').getAttribute('value')).toBe('2');
    await view.page.getByRole('button', { name: 'Cancel' }).click();
    await view.expectPost({ type: 'what-if-cancel' });
    await view.notify(whatIf({ phase: 'cancelled', total: 20, rows: whatIfRows.slice(0, 2) }));
    await eventually(() => status(view)).toBe('Cancelled after 2 of 20.');
  });

  it('answers in one sentence which strategy is best, and why', async () => {
    const view = await showOutcomes();
    expect(await status(view)).toBe(
      'Stay with Ladder: it keeps 100% of the facts in 39k tokens, fewest tokens with nothing lost.',
    );
    await view.notify(whatIf({ current: 'none' }));
    await eventually(() => status(view)).toBe(
      'Ladder keeps 100% of the facts in 39k tokens: fewest tokens with nothing lost.',
    );
  });

  it('draws tokens against kept facts, and chooses the strategy of a clicked point', async () => {
    const view = await showOutcomes();
    await view.page.getByRole('img', { name: /one point a strategy\. Stay with Ladder/ }).waitFor();
    await view.page.locator('.point', { hasText: 'State Snapshot' }).locator('.mark').click();
    await chosen(view, 'State Snapshot').waitFor();
  });

  it('says what it compared, and compares again', async () => {
    const view = await showOutcomes();
    await view.page.getByText('Compared 4 strategies in 0.9 s.').waitFor();
    await view.page.getByRole('button', { name: 'Compare again' }).click();
    await view.expectPost({ type: 'what-if-run' });
  });

  it('states that it is outdated once the conversation has grown', async () => {
    const view = await showOutcomes();
    await view.notify(whatIf({ isStale: true }));
    await view.page.getByText('The conversation has moved on since.').waitFor();
    await eventually(() => view.page.getByRole('button', { name: 'Use once' }).isDisabled()).toBe(true);
  });

  it('is requested again after each change of the session', async () => {
    const view = await showOutcomes();
    await view.notify(inspectorSnapshot({}, 2));
    await eventually(async () => (await view.posted('what-if-show')).length).toBe(2);
  });

  it('states why it failed', async () => {
    const view = await show();
    await view.notify(whatIf({ phase: 'failed', problem: 'The counter stopped.', rows: [] }));
    await eventually(() => status(view)).toBe('The comparison failed: The counter stopped.');
  });
});

describe('the table of strategies', () => {
  it('shows tokens, kept facts and price, the best strategy first', async () => {
    const view = await showOutcomes();
    expect(await strategies(view)).toEqual(['Ladder', 'State Snapshot', 'Sliding Window']);
    const cells = await view.page
      .getByRole('row', { name: /^State Snapshot/ })
      .getByRole('cell')
      .allInnerTexts();
    expect(cells).toEqual(['31,806', '61%', '13/14', '11/33', '4/4', '1', '3 requests']);
  });

  it('leaves out columns in which there is nothing to compare', async () => {
    const none = { kept: 0, total: 0 };
    const coverage = { ...whatIfRow.coverage, commands: none, rules: none };
    const view = await showOutcomes({ rows: [{ ...whatIfRow, coverage }] });
    expect(await outcomes(view).getByRole('columnheader').allInnerTexts()).toEqual([
      'Strategy',
      'Tokens',
      'Kept',
      'Files',
      'Worth it after',
    ]);
  });

  it('marks the recommended and the current strategy, and estimates', async () => {
    const view = await showOutcomes({ current: 'sliding-window' });
    expect(await outcomes(view).getByRole('rowheader').allInnerTexts()).toEqual([
      'Ladder · recommended',
      'State Snapshot · estimate',
      'Sliding Window · current',
    ]);
  });

  it('shows six and the current one until all are requested', async () => {
    const rows = Array.from({ length: 9 }, (_, index) => ({
      ...whatIfRow,
      strategy: `s${index}`,
      tokensAfter: 1_000 * (index + 1),
    }));
    const view = await showOutcomes({ rows, current: 's8' });
    expect(await outcomes(view).getByRole('rowheader').count()).toBe(7);
    await view.page.getByRole('button', { name: 'All 9' }).click();
    expect(await outcomes(view).getByRole('rowheader').count()).toBe(9);
    await outcomes(view).getByRole('columnheader', { name: 'Saves' }).waitFor();
  });

  it('gathers strategies that would change nothing in one line, with their reasons', async () => {
    const view = await showOutcomes();
    await view.page.getByRole('button', { name: '1 strategy changes nothing or cannot run' }).click();
    await view.page.getByText('None This strategy never compacts.').waitFor();
  });

  it('can be sorted by any column, and announces by which', async () => {
    const view = await showOutcomes();
    const head = outcomes(view).getByRole('columnheader', { name: 'Tokens' });
    await head.getByRole('button').click();
    expect(await strategies(view)).toEqual(['State Snapshot', 'Ladder', 'Sliding Window']);
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    await head.getByRole('button').press('Enter');
    expect(await strategies(view)).toEqual(['Sliding Window', 'Ladder', 'State Snapshot']);
    expect(await head.getAttribute('aria-sort')).toBe('descending');
  });

  it('never breaks the name of a strategy into letters', async () => {
    const rows = Array.from({ length: 9 }, (_, index) => ({ ...whatIfRow, strategy: `s${index}` }));
    const view = await showOutcomes({ rows }, { width: 920 });
    await view.page.getByRole('button', { name: 'All 9' }).click();
    const name = await outcomes(view).getByRole('rowheader').last().boundingBox();
    expect(name!.height).toBeLessThan(60);
  });

  it('fits any width', async () => {
    const view = await showOutcomes({}, { width: 1600 });
    for (const width of [1600, 1200, 900, 600, 300, 170]) {
      await view.resize({ width });
      expect(await view.overflow(), `${width} pixels`).toBe(0);
    }
  });
});

describe('the chosen strategy', () => {
  it('is the recommended one at first', async () => {
    const view = await showOutcomes();
    await eventually(() => chosen(view, 'Ladder').locator('p').innerText()).toBe(
      'Ladder saves 43,834 tokens a request, rewrites 41,020 in the cache once. Loses nothing.',
    );
  });

  it('shows the price in money if it is known', async () => {
    const view = await showOutcomes({ rows: [{ ...whatIfRow, money: { now: 0.12, savedPerCall: 0.03 } }] });
    await chosen(view, 'Ladder').getByText('saves 43,834 (about $0.03) tokens').waitFor();
    await chosen(view, 'Ladder').getByText('rewrites 41,020 (about $0.12)').waitFor();
  });

  it('names what it would lose on request', async () => {
    const view = await showOutcomes();
    await choose(view, 'State Snapshot');
    await view.page.getByRole('button', { name: 'Loses 1 file, 22 commands, 5 errors' }).click();
    await view.expectPost({ type: 'what-if-lost', strategy: 'state-snapshot' });
    const lost = {
      files: ['a.ts'],
      commands: ['npm run lint'],
      errors: [],
      identifiers: [],
      userMessages: [],
      rules: [],
    };
    await view.notify({ type: 'what-if-lost', sessionId: 'session-1', strategy: 'state-snapshot', lost });
    await view.page.getByText('npm run lint').waitFor();
  });

  it('can be used once, without a preview', async () => {
    const view = await showOutcomes();
    await chosen(view, 'Ladder').getByRole('button', { name: 'Use once' }).click();
    await view.expectPost({ type: 'what-if-apply', strategy: 'ladder' });
  });

  it('can become the default of the workspace', async () => {
    const view = await showOutcomes();
    await choose(view, 'State Snapshot');
    await view.page.getByRole('button', { name: 'Make default here' }).click();
    await view.expectPost({ type: 'what-if-use', strategy: 'state-snapshot' });
    await view.notify(whatIf({ current: 'state-snapshot' }));
    await eventually(() => view.page.getByRole('button', { name: 'Default here' }).isDisabled()).toBe(true);
  });
});

describe('an actual compaction compared with other strategies', () => {
  const moments = [
    {
      recordId: 'c2',
      createdAt: '2026-11-26T10:00:00.000Z',
      tokensBefore: 174_000,
      tokensAfter: 9_000,
    },
    {
      recordId: 'c1',
      createdAt: '2026-11-25T10:00:00.000Z',
      tokensBefore: 170_000,
      tokensAfter: 8_000,
    },
  ];
  const { modelCalls: _calls, durationMs: _time, ...known } = whatIfRow;
  const made = { ...known, strategy: 'c2', title: 'claude-code', tokensAfter: 90_000 };

  it('is chosen by default in a session of another agent', async () => {
    const view = await show();
    await view.notify(whatIf({ phase: 'idle', rows: [], moments, before: 'c2' }));
    expect(await status(view)).toContain('before this compaction');
    await view.expectPost({ type: 'what-if-run', before: 'c2' });
  });

  it('is compared in the answer and the table, and offers its diff', async () => {
    const view = await showOutcomes({ moments, before: 'c2', made });
    expect(await status(view)).toMatch(/^Ladder would have kept .* Claude Code kept 100% in 90k\.$/);
    expect((await strategies(view)).at(-1)).toBe('Claude Code');
    await choose(view, 'Claude Code');
    await chosen(view, 'Claude Code').getByRole('button', { name: 'Diff' }).click();
    await view.expectPost({ type: 'what-if-preview', strategy: 'c2' });
  });

  it('can be exchanged for another compaction or the current context', async () => {
    const view = await showOutcomes({ moments, before: 'c2', made });
    const choice = view.page.getByRole('combobox', { name: 'Context to compare' });
    await choice.click();
    await view.page.getByRole('option', { name: /170k → 8k/ }).click();
    await view.expectPost({ type: 'what-if-run', before: 'c1' });
    await choice.click();
    await view.page.getByRole('option', { name: 'The context now' }).click();
    await view.expectPost({ type: 'what-if-run' });
  });

  it('can be opened from the compaction itself', async () => {
    const view = await suite.open({ width: 1200 });
    await view.notify(inspectorSnapshot({ messageCount: 3 }));
    await view.page.getByRole('button', { name: 'Details' }).click();
    await view.page.getByRole('button', { name: 'Try other strategies' }).click();
    await view.expectPost({ type: 'what-if-run', before: 'r3' });
    await view.page.getByRole('tab', { name: 'What if', selected: true }).waitFor();
  });
});

describe('the preview of a strategy', () => {
  it('shows the diff and the numbers of the compaction that would be made', async () => {
    const view = await showPreview();
    await view.page.getByRole('region', { name: 'What State Snapshot would do' }).waitFor();
    await view.page
      .getByRole('tabpanel', { name: 'What if' })
      .getByText('Nothing has been changed yet.')
      .waitFor();
    expect(await view.page.locator('cb-what-if .diff-row').count()).toBe(13);
    expect(await view.page.getByRole('button', { name: /^Undo|^Re-run|^Bring back/ }).count()).toBe(0);
  });

  it('can be applied', async () => {
    const view = await showPreview();
    await view.page.getByRole('button', { name: 'Use once' }).click();
    await view.expectPost({ type: 'what-if-apply', strategy: 'state-snapshot' });
  });

  it('states for an estimate that the session’s own model will first write the summary', async () => {
    const view = await showPreview();
    const row = (isEstimate: boolean) =>
      whatIfRows.map((one) => (one.strategy === 'state-snapshot' ? { ...one, isEstimate } : one));
    await view.notify(whatIf({ rows: row(true) }));
    await view.page.getByText('The session’s model writes its own summary.').waitFor();
    await view.page.getByRole('button', { name: 'Use once' }).click();
    await view.expectPost({ type: 'what-if-apply', strategy: 'state-snapshot' });
    await view.notify(whatIf({ rows: row(true), applying: 'state-snapshot' }));
    const busy = view.page.getByRole('button', { name: 'Writing summary…' });
    await eventually(() => busy.isDisabled()).toBe(true);
    await view.notify(whatIf({ rows: row(false) }));
    await view.page.getByRole('button', { name: 'Use once' }).waitFor();
  });

  it('cannot be applied to a conversation that has changed', async () => {
    const view = await showPreview();
    await view.notify(whatIf({ isStale: true }));
    await view.page.getByText('Compare again before you use it.').waitFor();
    await eventually(() => view.page.getByRole('button', { name: 'Use once' }).isDisabled()).toBe(true);
  });

  it('shows that it was applied, and how to undo it', async () => {
    const view = await showPreview();
    await view.notify(whatIf({ isStale: true, applied: 'state-snapshot' }));
    await view.page.getByText('Done. Undo it in the chat').waitFor();
    await eventually(() => view.page.getByRole('button', { name: 'Used' }).isDisabled()).toBe(true);
  });

  it('states that another strategy has since been applied', async () => {
    const view = await showPreview();
    await view.notify(whatIf({ isStale: true, applied: 'ladder' }));
    await view.page.getByText('Ladder has been applied since.').waitFor();
    await view.page.keyboard.press('Escape');
    await view.page.getByText('Ladder has been applied since.').waitFor();
  });

  it('returns the focus to the button that opened it', async () => {
    const view = await showPreview();
    await view.page.keyboard.press('Escape');
    const focused = () => view.page.evaluate(() => document.activeElement?.textContent.trim());
    await eventually(focused).toBe('Preview');
  });

  it('shows the title that a custom strategy declares, and applies it by its id', async () => {
    const view = await showOutcomes({
      rows: [{ ...whatIfRow, strategy: 'custom', title: 'Keep Decisions' }],
    });
    expect(await strategies(view)).toEqual(['Keep Decisions']);
    await view.page.getByRole('button', { name: 'Preview' }).click();
    const record = { ...previewed, requestedStrategy: 'Keep Decisions' };
    await view.notify({ type: 'what-if-preview', sessionId: 'session-1', strategy: 'custom', record });
    await view.page.getByRole('region', { name: /Keep Decisions/u }).waitFor();
    await view.page.getByRole('button', { name: 'Use once' }).click();
    await view.expectPost({ type: 'what-if-apply', strategy: 'custom' });
  });

  it('cannot be applied in a read-only session', async () => {
    const view = await show({}, { sessionId: 'session-1.a', messageCount: 4 });
    const notification = whatIf();
    await view.notify({ ...notification, sessionId: 'session-1.a' } as InspectorNotification);
    await view.page.getByRole('button', { name: 'Preview' }).click();
    await view.notify({
      type: 'what-if-preview',
      sessionId: 'session-1.a',
      strategy: 'ladder',
      record: previewed,
    });
    await view.page
      .getByRole('tabpanel', { name: 'What if' })
      .getByText('A dry run: the session is not changed.')
      .waitFor();
    expect(await view.page.getByRole('button', { name: /^Use|^Make/ }).count()).toBe(0);
  });
});
