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
  await view.page.getByRole('button', { name: 'Preview diff of State Snapshot' }).click();
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

describe('the comparison of strategies', () => {
  it("starts at the user's request", async () => {
    const view = await show();
    expect(await view.posted('what-if-run')).toEqual([]);
    await view.page.getByRole('button', { name: 'Compare strategies' }).click();
    await view.expectPost({ type: 'what-if-run' });
  });

  it('shows its progress, and can be cancelled', async () => {
    const view = await show();
    await view.notify(
      whatIf({ phase: 'running', running: 'sliding-window', total: 20, rows: whatIfRows.slice(0, 2) }),
    );
    expect(await status(view)).toContain('2 of 20 done · trying Sliding Window…');
    expect(await view.page.getByRole('progressbar').getAttribute('value')).toBe('2');
    await view.page.getByRole('button', { name: 'Cancel' }).click();
    await view.expectPost({ type: 'what-if-cancel' });
    await view.notify(whatIf({ phase: 'cancelled', total: 20, rows: whatIfRows.slice(0, 2) }));
    await eventually(() => status(view)).toBe('cancelled · 2 of 20 done');
  });

  it('shows, for each strategy, the remaining tokens, the cost and the kept facts', async () => {
    const view = await showOutcomes();
    const cells = await view.page
      .getByRole('row', { name: /^Ladder/ })
      .getByRole('cell')
      .allInnerTexts();
    expect(cells.map((cell) => cell.replaceAll('\u00a0', ' ').trim())).toEqual([
      '38,912',
      '−43,834',
      '41,020',
      '2 calls',
      '14 / 14',
      '33 / 33',
      '9 / 9',
      '12 / 12',
      '0',
      '41 ms',
      'Preview diff',
    ]);
  });

  it('marks the current strategy, and marks estimates', async () => {
    const view = await showOutcomes();
    const names = await outcomes(view).getByRole('rowheader').allInnerTexts();
    expect(names).toEqual(['State Snapshot · estimate', 'Ladder · current', 'Sliding Window', 'None']);
    await view.page.getByText('the offline summariser wrote the summary').waitFor();
  });

  it('explains below the other strategies why a strategy would change nothing', async () => {
    const view = await showOutcomes();
    const row = view.page.getByRole('row', { name: /^None/ });
    await eventually(() => row.getByRole('cell').innerText()).toBe(
      'changes nothing: This strategy never compacts.',
    );
  });

  it('shows the cost in money if prices are known', async () => {
    const rows = [{ ...whatIfRow, money: { now: 0.12, savedPerCall: 0.03 } }];
    const view = await showOutcomes({ rows });
    await eventually(() => view.page.locator('td.is-miss').innerText()).toMatch(/41,020\s+about .*0\.12/);
  });

  it('states that it is outdated once the conversation has grown', async () => {
    const view = await showOutcomes();
    expect(await view.page.getByText('The conversation has moved on').isVisible()).toBe(false);
    await view.notify(whatIf({ isStale: true }));
    await view.page.getByText('The conversation has moved on').waitFor();
    await view.page.getByRole('button', { name: 'Run again' }).click();
    await view.expectPost({ type: 'what-if-run' });
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
  it('can be sorted by any column, with ineffective strategies last', async () => {
    const view = await showOutcomes();
    expect(await strategies(view)).toEqual(['State Snapshot', 'Ladder', 'Sliding Window', 'None']);
    await view.page.getByRole('button', { name: 'Files', exact: true }).click();
    expect(await strategies(view)).toEqual(['Ladder', 'State Snapshot', 'Sliding Window', 'None']);
    await view.page.getByRole('button', { name: 'Files', exact: true }).click();
    expect(await strategies(view)).toEqual(['Sliding Window', 'State Snapshot', 'Ladder', 'None']);
  });

  it('announces the column by which it is sorted', async () => {
    const view = await showOutcomes();
    const sortOf = (name: string) => view.page.getByRole('columnheader', { name }).getAttribute('aria-sort');
    expect(await sortOf('Tokens after')).toBe('ascending');
    await view.page.getByRole('button', { name: 'Saved per call' }).focus();
    await view.page.keyboard.press('Enter');
    expect(await sortOf('Saved per call')).toBe('descending');
    expect(await sortOf('Tokens after')).toBeNull();
  });

  it('lists lost facts on request', async () => {
    const view = await showOutcomes();
    await view.page.getByRole('button', { name: '11 / 33 Commands, show what would be lost' }).click();
    await view.expectPost({ type: 'what-if-lost', strategy: 'state-snapshot' });
    const lost = {
      files: ['a.ts'],
      commands: ['npm run lint'],
      errors: [],
      identifiers: [],
      userMessages: [],
    };
    await view.notify({ type: 'what-if-lost', sessionId: 'session-1', strategy: 'state-snapshot', lost });
    await view.page.getByRole('heading', { name: 'Lost with State Snapshot' }).waitFor();
    await view.page.getByText('npm run lint').waitFor();
  });

  it('fits any width', async () => {
    const view = await showOutcomes({}, { width: 1600 });
    for (const width of [1600, 1200, 900, 300, 170]) {
      await view.resize({ width });
      expect(await view.overflow(), `${width} pixels`).toBe(0);
      expect(await outcomes(view).getByRole('cell').count()).toBe(34);
    }
  });
});

describe('an actual compaction compared with other strategies', () => {
  const moments = [
    {
      recordId: 'c2',
      createdAt: '2026-11-26T10:00:00.000Z',
      by: 'claude-code',
      tokensBefore: 174_000,
      tokensAfter: 9_000,
    },
    {
      recordId: 'c1',
      createdAt: '2026-11-25T10:00:00.000Z',
      by: 'claude-code',
      tokensBefore: 170_000,
      tokensAfter: 8_000,
    },
  ];
  const { modelCalls: _calls, durationMs: _time, ...known } = whatIfRow;
  const made = { ...known, strategy: 'c2', title: 'claude-code', tokensAfter: 90_000 };

  it('is chosen by default in a session of another agent', async () => {
    const view = await show();
    await view.notify(whatIf({ phase: 'idle', rows: [], moments, before: 'c2' }));
    await view.page.getByRole('heading', { name: 'This compaction with another strategy' }).waitFor();
    await view.page.getByRole('button', { name: 'Compare strategies' }).click();
    await view.expectPost({ type: 'what-if-run', before: 'c2' });
  });

  it('stays above the strategies, and offers its diff', async () => {
    const view = await showOutcomes({ moments, before: 'c2', made });
    expect((await strategies(view))[0]).toBe('Claude Code');
    await view.page.getByRole('button', { name: 'Strategy', exact: true }).click();
    expect((await strategies(view))[0]).toBe('Claude Code');
    await view.page.getByRole('button', { name: 'Diff of Claude Code' }).click();
    await view.expectPost({ type: 'what-if-preview', strategy: 'c2' });
  });

  it('can be exchanged for another compaction or the current context', async () => {
    const view = await showOutcomes({ moments, before: 'c2', made });
    const choice = view.page.getByRole('combobox', { name: 'Context to compare' });
    await choice.click();
    await view.page.getByRole('option', { name: /170,000 → 8,000/ }).click();
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
    await view.page.getByRole('heading', { name: 'What State Snapshot would do' }).waitFor();
    await view.page
      .getByRole('tabpanel', { name: 'What if' })
      .getByText('Nothing has been changed yet.')
      .waitFor();
    expect(await view.page.locator('.what-if .diff-row').count()).toBe(13);
    expect(await view.page.getByRole('button', { name: /^Undo|^Re-run|^Bring back/ }).count()).toBe(0);
  });

  it('can be applied', async () => {
    const view = await showPreview();
    await view.page.getByRole('button', { name: 'Apply' }).click();
    await view.expectPost({ type: 'what-if-apply', strategy: 'state-snapshot' });
  });

  it('states for an estimate that the session’s own model will first write the summary', async () => {
    const view = await showPreview();
    const row = (isEstimate: boolean) =>
      whatIfRows.map((one) => (one.strategy === 'state-snapshot' ? { ...one, isEstimate } : one));
    await view.notify(whatIf({ rows: row(true) }));
    await view.page.getByText('this session’s model writes its own').waitFor();
    const button = view.page.getByRole('button', { name: 'Write summary and apply', exact: true });
    await button.click();
    await view.expectPost({ type: 'what-if-apply', strategy: 'state-snapshot' });
    await view.notify(whatIf({ rows: row(true), applying: 'state-snapshot' }));
    const busy = view.page.getByRole('button', { name: 'Writing summary…' });
    await eventually(() => busy.isDisabled()).toBe(true);
    await view.notify(whatIf({ rows: row(false) }));
    await view.page.getByRole('button', { name: 'Apply', exact: true }).waitFor();
  });

  it('cannot be applied to a conversation that has changed', async () => {
    const view = await showPreview();
    await view.notify(whatIf({ isStale: true }));
    await view.page.getByText('Run the comparison again before applying.').waitFor();
    await eventually(() => view.page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
  });

  it('shows that it was applied, and how to undo it', async () => {
    const view = await showPreview();
    await view.notify(whatIf({ isStale: true, applied: 'state-snapshot' }));
    await view.page.getByText('Applied. You can undo it').waitFor();
    await eventually(() => view.page.getByRole('button', { name: 'Applied' }).isDisabled()).toBe(true);
    expect(await view.page.getByText('The conversation has moved on').isVisible()).toBe(false);
  });

  it('states that another strategy has since been applied', async () => {
    const view = await showPreview();
    await view.notify(whatIf({ isStale: true, applied: 'ladder' }));
    await view.page.getByText('Ladder has since been applied.').waitFor();
    await view.page.keyboard.press('Escape');
    await view.page
      .getByText('Ladder was applied; these numbers describe the context before that.')
      .waitFor();
  });

  it('can set the strategy of the workspace', async () => {
    const view = await showPreview();
    await view.page.getByRole('button', { name: 'Use in this workspace' }).click();
    await view.expectPost({ type: 'what-if-use', strategy: 'state-snapshot' });
    await view.notify(whatIf({ current: 'state-snapshot' }));
    await view.page.getByRole('button', { name: 'Used in this workspace' }).waitFor();
  });

  it('returns the focus to the button that opened it', async () => {
    const view = await showPreview();
    await view.page.keyboard.press('Escape');
    const focused = () => view.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await eventually(focused).toBe('Preview diff of State Snapshot');
  });

  it('shows the title that a custom strategy declares, and applies it by its id', async () => {
    const view = await showOutcomes({
      rows: [{ ...whatIfRow, strategy: 'custom', title: 'Keep Decisions' }],
    });
    expect(await strategies(view)).toEqual(['Keep Decisions']);
    await view.page.getByRole('button', { name: 'Preview diff of Keep Decisions' }).click();
    const record = { ...previewed, requestedStrategy: 'Keep Decisions' };
    await view.notify({ type: 'what-if-preview', sessionId: 'session-1', strategy: 'custom', record });
    await view.page.getByRole('heading', { name: /Keep Decisions/u }).waitFor();
    await view.page.getByRole('button', { name: 'Apply', exact: true }).click();
    await view.expectPost({ type: 'what-if-apply', strategy: 'custom' });
  });

  it('cannot be applied in a read-only session', async () => {
    const view = await show({}, { sessionId: 'session-1.a', messageCount: 4 });
    const notification = whatIf();
    await view.notify({ ...notification, sessionId: 'session-1.a' } as InspectorNotification);
    await view.page.getByRole('button', { name: 'Preview diff of Ladder' }).click();
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
    expect(await view.page.getByRole('button', { name: /^Apply|^Use/ }).count()).toBe(0);
  });
});
