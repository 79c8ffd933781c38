import { describe, expect, it } from 'vitest';
import type { BringBackPlan } from '../../../src/protocol/inspector-compactions.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { coverage, diffRows, inspectorSnapshot, ladder, message } from '../support/inspector-fixtures.ts';
import { showDiff, texts } from '../support/show-diff.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';

const suite = inspectorSuite();

async function show(record: RecordView = ladder, changes = {}): Promise<InspectorView> {
  const view = await suite.open({ width: 1200 });
  await view.notify(inspectorSnapshot({ records: [record], ...changes }));
  return view;
}

async function bringBack({ page }: InspectorView): Promise<void> {
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('button', { name: 'Bring back…' }).click();
}

const details = ({ page }: InspectorView) => page.getByRole('button', { name: 'Details' }).click();

const plan: BringBackPlan = {
  messages: [
    {
      message: message({ id: 'm7', kind: 'toolCall', title: 'run_command', label: 'npm test -- lock' }),
      facts: ['npm test -- lock'],
    },
    { message: message({ id: 'm9', kind: 'toolCall', title: 'run_command' }), facts: ['git log -3'] },
  ],
  missing: 3,
  unreachable: ['npm run lint'],
  tokensBefore: 82_746,
  tokensAfter: 83_950,
  trigger: 108_800,
};

describe('lost facts', () => {
  it('are listed by name', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: 'Show' }).click();
    const lost = view.page.getByRole('region', { name: 'No longer mentioned' });
    await lost.getByText('npm test -- lock').waitFor();
    await lost.getByText('git log -3 --oneline').waitFor();
  });

  it('are hidden again', async () => {
    const { page } = await show();
    await page.getByRole('button', { name: 'Show' }).click();
    const lost = page.getByRole('region', { name: 'No longer mentioned' });
    await lost.waitFor();
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await lost.waitFor({ state: 'detached' });
  });

  it('lead to the first message of the diff that contains them', async () => {
    const view = await showDiff(suite);
    await view.page.getByRole('button', { name: 'Show' }).click();
    await view.page.getByRole('button', { name: 'git log -3 --oneline' }).click();
    const query = 'git log -3 --oneline';
    await view.expectPost({ type: 'search-diff', recordId: 'r3', query });
    const excerpt = { before: '', match: query, after: '' };
    const matches = [{ index: 3, messageId: 'm71', side: 'before', count: 1, excerpt }] as const;
    await view.notify({ type: 'diff-matches', recordId: 'r3', query, matches, total: 1 });
    await view.expectPost({ type: 'texts', recordId: 'r3', messageId: 'm71' });
    await view.notify(texts('m71', `$ ${query}`));
    await view.page.getByText(`$ ${query}`).waitFor();
  });

  it('are requested if the record does not contain them', async () => {
    const userMessages = { kept: 11, total: 12, missing: ['m4'] };
    const view = await show({ ...ladder, coverage: { ...coverage, userMessages } });
    await view.page.getByRole('button', { name: 'Show' }).click();
    await view.expectPost({ type: 'missing', recordId: 'r3', kind: 'userMessages' });
    await view.notify({ type: 'missing', recordId: 'r3', kind: 'userMessages', names: ['Please use tabs'] });
    await view.page.getByText('Please use tabs').waitFor();
  });

  it('are copied', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: 'Copy' }).click();
    await view.expectPost({ type: 'copy-missing', recordId: 'r3' });
  });

  it('are neither shown nor copied if there are none', async () => {
    const view = await show({ ...ladder, coverage: { ...coverage, commands: coverage.files } });
    await view.page.getByText('Nothing was lost').waitFor();
    for (const name of ['Show', 'Copy'])
      expect(await view.page.getByRole('button', { name, exact: true }).count()).toBe(0);
  });
});

describe('restoring missing facts', () => {
  it('happens only after the price was shown', async () => {
    const view = await show();
    await bringBack(view);
    await view.expectPost({ type: 'plan-bring-back', recordId: 'r3' });
    await view.notify({ type: 'bring-back-plan', recordId: 'r3', plan });
    const panel = view.page.getByRole('region', { name: 'Messages to bring back' });
    await panel.getByText('2 messages contain 2 missing facts that can be brought back.').waitFor();
    await panel.getByText('This adds 1,204 tokens to every request: 82,746 → 83,950.').waitFor();
    await panel.getByText('No single message contains npm run lint.').waitFor();
    expect(await view.posted('bring-back')).toEqual([]);
    await panel.getByRole('button', { name: 'Bring back these messages' }).click();
    await view.expectPost({ type: 'bring-back', recordId: 'r3', messageIds: ['m7', 'm9'] });
  });

  it('warns if the result would trigger the next compaction', async () => {
    const view = await show();
    await bringBack(view);
    await view.notify({ type: 'bring-back-plan', recordId: 'r3', plan: { ...plan, tokensAfter: 110_000 } });
    await view.page.getByText('That is above 108,800, where the next compaction starts.').waitFor();
  });

  it('can be cancelled', async () => {
    const view = await show();
    await bringBack(view);
    await view.notify({ type: 'bring-back-plan', recordId: 'r3', plan });
    await view.page.getByRole('button', { name: 'Cancel' }).click();
    expect(await view.page.locator('.bring-back').count()).toBe(0);
    expect(await view.posted('bring-back')).toEqual([]);
  });
});

describe('a compaction', () => {
  it('can be run again with another strategy', async () => {
    const view = await show();
    await details(view);
    await view.page.getByRole('button', { name: 'Re-run with…' }).click();
    await view.expectPost({ type: 'rerun', recordId: 'r3' });
  });

  it('can be handed off', async () => {
    const view = await show();
    await view.page.getByRole('button', { name: 'Hand off…' }).click();
    await view.expectPost({ type: 'hand-off' });
  });

  it.each(['html', 'markdown'] as const)('can be exported as %s', async (format) => {
    const view = await show();
    await details(view);
    const name = { html: 'Export as HTML', markdown: 'Export as Markdown' }[format];
    await view.page.getByRole('button', { name }).click();
    await view.expectPost({ type: 'export-record', recordId: 'r3', format });
  });

  it('of a sub-agent is read-only', async () => {
    const shown = { sessionId: 'session-1.a', messageCount: 3, records: [ladder] };
    const view = await show(ladder, shown);
    await view.page.getByRole('tab', { name: /^Compactions/ }).click();
    await view.page.getByRole('button', { name: 'Show' }).click();
    await details(view);
    await view.page.getByRole('button', { name: 'Export as HTML' }).waitFor();
    for (const name of [/^Bring back/, /^Re-run/, /^Undo/]) {
      expect(await view.page.getByRole('button', { name }).count()).toBe(0);
    }
  });
});

describe('a message', () => {
  it('can be pinned, even if it was kept', async () => {
    const view = await showDiff(suite);
    await view.page.getByRole('button', { name: /^3 messages kept/ }).click();
    await view.page.getByRole('button', { name: /^System You are/ }).click();
    await view.notify(texts('m1', 'You are careful.', 'You are careful.'));
    await view.page.getByRole('button', { name: 'Pin' }).click();
    await view.expectPost({ type: 'pin', messageId: 'm1', isPinned: true });
  });

  it('shows that it is pinned, and can be unpinned', async () => {
    const rows = diffRows.map((row) => ({
      ...row,
      sources: row.sources.map((source) => ({ ...source, isPinned: source.id === 'm71' })),
    }));
    const view = await showDiff(suite, rows);
    await view.page.getByRole('button', { name: /^run_command.*pinned/ }).click();
    await view.notify(texts('m71', 'all of it', 'exit 1'));
    await view.page.getByRole('button', { name: 'Unpin' }).click();
    await view.expectPost({ type: 'pin', messageId: 'm71', isPinned: false });
  });

  it('is requested again once it was pinned', async () => {
    const view = await showDiff(suite);
    await view.page.getByRole('button', { name: /^run_command/ }).click();
    await view.notify(texts('m71', 'all of it', 'exit 1'));
    await view.page.getByRole('button', { name: 'Pin' }).click();
    await view.notify(inspectorSnapshot({}, 2));
    await view.expectPost({ type: 'diff', recordId: 'r3' });
    expect(await view.posted('diff')).toHaveLength(2);
    // That the message came back with its pin may be told after the pin.
    await view.notify(inspectorSnapshot({}, 3));
    await eventually(async () => (await view.posted('diff')).length).toBe(3);
  });
});
