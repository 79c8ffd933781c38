import { describe, it } from 'vitest';
import type { InspectorState } from '../../../src/protocol/inspector.ts';
import { Content, unfold } from '../support/content.ts';
import {
  coverage,
  diff,
  inspectorSnapshot,
  ladder,
  message,
  otherSessions,
  usage,
} from '../support/inspector-fixtures.ts';
import { texts } from '../support/show-diff.ts';
import { budget, budgetAnswer, factsAnswer, hits, part, timelineAnswer } from '../support/tab-fixtures.ts';
import { eventually, inspectorSuite, type InspectorView } from '../support/view.ts';
import { whatIf, whatIfRow } from '../support/what-if-fixtures.ts';

const suite = inspectorSuite();

type TabName = 'messages' | 'budget' | 'timeline' | 'compactions' | 'what-if' | 'ledger';

/** A Chinese inspector that shows one tab of a session. */
async function openTab(tab: TabName, state: Partial<InspectorState> = {}): Promise<InspectorView> {
  const view = await suite.open({ width: 1200, language: 'zh-cn' });
  view.page.setDefaultTimeout(8000);
  await view.notify(inspectorSnapshot(state));
  await view.page.getByRole('tablist').waitFor();
  await view.page.locator(`#tab-${tab}`).click();
  return view;
}

describe('foreign text in a Chinese inspector is shown unchanged', () => {
  it('above the tabs', async () => {
    const content = new Content();
    const { page } = await openTab('budget', {
      title: content.say('title of the chat'),
      model: content.say('model'),
      strategy: content.say('strategy'),
      usage,
      otherSessions: [
        { ...otherSessions[0]!, name: content.say('sub-agent') },
        { ...otherSessions[1]!, name: content.say('branch'), kind: 'branch' },
      ],
    });
    await page.locator('.session-button').click();
    await content.expectShown(page);
  });

  it('among the messages of a sub-agent', async () => {
    const content = new Content();
    const view = await openTab('messages', {
      sessionId: 'session-1.b',
      otherSessions,
      messageCount: 1,
      records: [],
    });
    const shown = message({
      id: 'm1',
      title: content.say('speaker'),
      label: content.say('label'),
      excerpt: content.say('excerpt'),
    });
    await view.notify({ type: 'messages', sessionId: 'session-1.b', from: 0, messages: [shown] });
    await view.page.locator('.message').waitFor();
    await unfold(view.page);
    await view.notify({
      type: 'message-text',
      sessionId: 'session-1.b',
      messageId: 'm1',
      text: content.say('whole text'),
    });
    await content.expectShown(view.page);
  });

  it('in the tab Window', async () => {
    const content = new Content();
    const view = await openTab('budget');
    await view.notify(
      budgetAnswer({
        parts: [part('toolResult', content.say('part'), 900)],
        largest: [{ ...budget.largest[0]!, title: content.say('largest message') }],
        tools: [{ ...budget.tools[0]!, tool: content.say('tool') }],
        files: [{ ...budget.files[0]!, path: content.say('path') }],
        health: [
          { ...budget.health[1]!, finding: content.say('finding'), advice: content.say('advice') },
          { ...budget.health[2]!, id: content.say('unknown check') },
        ],
      }),
    );
    await view.page.locator('.panel-budget li').first().waitFor();
    await unfold(view.page);
    await content.expectShown(view.page);
  });

  it('in the Timeline tab', async () => {
    const content = new Content();
    const view = await openTab('timeline');
    const sizes = { tokensBefore: 105_200, tokensAfter: 39_800 };
    await view.notify(
      timelineAnswer({
        marks: [
          {
            type: 'compaction',
            atCall: 38,
            recordId: 'r2',
            status: 'applied',
            strategy: content.say('strategy'),
            ...sizes,
          },
          {
            type: 'compaction',
            atCall: 70,
            recordId: 'r3',
            status: 'failed',
            strategy: content.say('strategy that failed'),
            ...sizes,
          },
        ],
      }),
    );
    await content.expectShown(view.page);
  });

  it('in the record of a compaction', async () => {
    const content = new Content();
    const view = await openTab('compactions', {
      records: [
        {
          ...ladder,
          focus: content.say('focus'),
          requestedStrategy: content.say('requested strategy'),
          actualStrategy: content.say('actual strategy'),
          tiers: [
            { strategy: content.say('strategy that was tried'), status: 'failed' },
            { strategy: content.say('last strategy'), status: 'applied' },
          ],
          summaryModel: content.say('model of the summary'),
          warnings: [content.say('warning')],
          coverage: { ...coverage, commands: { kept: 0, total: 1, missing: [content.say('command')] } },
        },
        { ...ladder, id: 'r2', status: 'failed', reason: content.say('reason of a provider') },
      ],
    });
    await view.notify(diff('r3', []));
    await view.page.getByRole('button', { name: '显示', exact: true }).click();
    await unfold(view.page);
    await content.expectShown(view.page);
  });

  it('in the effect of a compaction on each message', async () => {
    const content = new Content();
    const view = await openTab('compactions');
    const { page } = view;
    const say = (place: string, id: string) =>
      message({
        id,
        title: content.say(`${place}: title`),
        label: content.say(`${place}: label`),
        excerpt: content.say(`${place}: excerpt`),
      });
    await view.notify(
      diff('r3', [
        {
          index: 0,
          fate: 'clip',
          reason: content.say('reason'),
          sources: [say('original', 'm1')],
          sourceCount: 1,
          kinds: { toolResult: 1 },
          tools: [content.say('tool')],
          files: ['src/a.ts'],
          output: message({ id: 'm1', excerpt: content.say('replacement') }),
          tokensBefore: 100,
          tokensAfter: 10,
        },
      ]),
    );
    await page.locator('.is-clip .pair').click();
    await view.notify(texts('m1', content.say('before'), content.say('after')));
    await page.getByRole('button', { name: '显示', exact: true }).click();
    await page.getByRole('button', { name: '找回…' }).click();
    await view.notify({
      type: 'bring-back-plan',
      recordId: 'r3',
      plan: {
        messages: [{ message: say('brought back', 'm2'), facts: [content.say('fact')] }],
        missing: 2,
        unreachable: [content.say('fact that no message holds')],
        tokensBefore: 82_746,
        tokensAfter: 90_000,
      },
    });
    await page.locator('.brought').waitFor();
    await unfold(page);
    await page.getByRole('button', { name: '筛选', exact: true }).click();
    await content.expectShown(page);
  });

  it('in the What if tab', async () => {
    const content = new Content();
    const view = await openTab('what-if');
    await view.notify(
      whatIf({
        rows: [
          { ...whatIfRow, strategy: content.say('strategy') },
          {
            ...whatIfRow,
            strategy: content.say('strategy that fails'),
            status: 'failed',
            reason: content.say('reason of a provider'),
          },
        ],
      }),
    );
    await view.page.locator('.panel-what-if table').first().waitFor();
    await view.page.locator('.folded [aria-expanded]').click();
    await content.expectShown(view.page);
  });

  it('in the reason of a failed comparison', async () => {
    const content = new Content();
    const view = await openTab('what-if');
    await view.notify(whatIf({ phase: 'failed', problem: content.say('problem'), rows: [] }));
    await content.expectShown(view.page);
  });

  it('in the Facts tab', async () => {
    const content = new Content();
    const view = await openTab('ledger');
    const { page } = view;
    const source = { messageId: 'm2', kind: 'user', isInView: true, isPinned: false } as const;
    await view.notify(
      factsAnswer({
        facts: [
          {
            section: 'replaced',
            text: content.say('fact'),
            replacedBy: content.say('newer fact'),
            presence: 'verbatim',
            sources: [{ ...source, title: content.say('source of a fact') }],
            sourceCount: 1,
          },
        ],
        total: 1,
      }),
    );
    await page.locator('.fact-row').waitFor();
    await unfold(page);
    await page.getByRole('searchbox').first().fill('tests');
    await eventually(async () => (await view.posted('archive-search')).length).toBeGreaterThan(0);
    const excerpt = content.say('excerpt');
    await view.notify({
      type: 'archive-hits',
      sessionId: 'session-1',
      query: 'tests',
      hits: [{ ...hits[0]!, title: content.say('title'), excerpt, ranges: [{ start: 8, end: 13 }] }],
    });
    await page.locator('.said').first().click();
    await view.notify({
      type: 'archive-text',
      sessionId: 'session-1',
      messageId: 'm71',
      text: content.say('message'),
      isCut: false,
    });
    await content.expectShown(page);
  });
});
