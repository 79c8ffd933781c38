import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptedReply } from '../agent/openai/scripted-reply.ts';
import type { ScriptedServer } from '../agent/openai/scripted-server.ts';
import { textOf } from '../../src/compaction/messages/message.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import type { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage, openFold } from '../harness/inspector-page.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import type { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { until } from '../support/eventually.ts';

/** A line that occurs only in the output of a command. */
const problem = 'Error: the index is torn at block 4711';
const filler = 'All is well so far.';
const command = 'sh check.sh';

/** A session, shown in all views and changed from there; each test begins where the one before it ended. */
describe('the inspector', () => {
  let session: ScriptedSession;
  let server: ScriptedServer;
  let workbench: VscodeWorkbench;
  let chat: ChatPage;
  let inspector: InspectorPage;

  beforeAll(async () => {
    session = await ScriptedSession.open({
      window: 50_000,
      strategy: 'tool-result-hiding',
      'toolResultHiding.preserveRecentGroups': 1,
      models: { scripted: { price: { input: 2, output: 8, cachedInput: 0.2 } } },
    });
    ({ server, workbench, chat } = session);
    await workbench.workspace.write('report.txt', `${`${filler}\n`.repeat(200)}${problem}\n`);
    await workbench.workspace.write('check.sh', 'cat report.txt\n');

    await session.ask('What does the lock do?', read('src/lock.ts'), { text: 'It keeps two writers apart.' });
    server.reply(run(), { text: 'A block of the index is torn.' });
    await chat.say('Check the store');
    await chat.frame.locator('.approval').getByRole('button', { name: 'Allow for this session' }).click();
    await chat.answers.getByText('A block of the index is torn.').waitFor();
    await chat.done();
    await session.ask('Where is it written?', read('src/store.ts'), { text: 'In the store.' });
    await session.compact();
    await session.ask('Check again', run(), { text: 'It is still torn.' });
    await session.ask('Who reads it?', read('src/search.ts'), { text: 'The search.' });
    await session.compact();
    await session.ask('Thank you', { text: 'You are welcome.' });

    await chat.meter.click();
    inspector = await InspectorPage.opened(workbench);
    return () => session.close();
  });
  afterEach(() => {
    expect(workbench.problems.ofWebviews).toEqual([]);
  });

  const read = (path: string): ScriptedReply => ({ toolCalls: [{ name: 'read_file', arguments: { path } }] });
  const run = (): ScriptedReply => ({ toolCalls: [{ name: 'run_command', arguments: { command } }] });

  /** All text of the next request, after a check that providers accept it. */
  async function textsInView(): Promise<string> {
    const view = await session.view();
    expect(findViolations(view)).toEqual([]);
    return view.map(({ content }) => textOf(content)).join('\n');
  }

  describe('in its tab Window', () => {
    it('shows large content, the share of each tool and the checks of the session', async () => {
      const budget = await inspector.choose('Window');
      for (const title of ['Largest messages', 'Tools', 'passed']) await openFold(budget, title);
      const largest = budget.getByRole('list', { name: 'Largest messages' }).getByRole('listitem');
      await largest.first().filter({ hasText: 'src/search.ts' }).waitFor();
      const tools = budget.getByRole('list', { name: 'Tools' });
      for (const tool of ['read_file', 'run_command']) await tools.getByText(tool).waitFor();
      await budget.getByText(/requests could reuse the cache/).waitFor();
      await budget
        .getByText(/Compaction starts at/)
        .first()
        .waitFor();
    });

    it('shows the place of a large message in the chat', async () => {
      const budget = await inspector.choose('Window');
      await openFold(budget, 'Largest messages');
      const largest = budget.getByRole('list', { name: 'Largest messages' }).getByRole('button');
      await largest.filter({ hasText: 'src/search.ts' }).first().click();
      await chat.frame.locator('.row.tool.is-revealed', { hasText: 'src/search.ts' }).waitFor();
    });

    const slider = () => inspector.frame.getByRole('slider', { name: 'Size at which compaction starts' });

    it('moves the trigger by keyboard, which changes the workspace setting', async () => {
      await slider().press('ArrowLeft');
      await slider().press('PageDown');
      // 85%, less one step and one leap, of a window of 50,000.
      await until(async () => expect(await session.setting('triggerRatio')).toBe(0.74));
      await chat.frame.getByRole('button', { name: /Compacts at 37,000/ }).waitFor();
    });

    it('moves the trigger by dragging its mark', async () => {
      const bar = (await inspector.frame.locator('.trigger-bar').boundingBox())!;
      await workbench.page.mouse.move(bar.x + bar.width * 0.74, bar.y + bar.height / 2);
      await workbench.page.mouse.down();
      await workbench.page.mouse.move(bar.x + bar.width * 0.6, bar.y + bar.height / 2, { steps: 4 });
      await workbench.page.mouse.up();
      await until(async () => expect(await session.setting('triggerRatio')).toBe(0.6));
      await chat.frame.getByRole('button', { name: /Compacts at 30,000/ }).waitFor();
    });
  });

  describe('in its Timeline tab', () => {
    it('shows every request and compaction, in a chart and in a list', async () => {
      const timeline = await inspector.choose('Timeline');
      const requests = server.requests.filter(({ method }) => method === 'POST').length;
      await timeline.getByText(`${requests} requests, 2 compactions`).waitFor();
      await timeline.getByRole('button', { name: 'As a table' }).click();
      const rows = timeline.getByRole('list', { name: 'Requests' }).getByRole('listitem');
      expect(await rows.first().getAttribute('aria-setsize')).toBe(String(requests));
    });

    it('explains the cache miss of a request, and its cost', async () => {
      const timeline = await inspector.choose('Timeline');
      await timeline.getByRole('button', { name: /^\d+ cache miss/ }).click();
      const pair = timeline.getByRole('region', { name: /^Request \d+ compared with request \d+$/ });
      await pair
        .getByText('A compaction rewrote the conversation from here on: Tool Result Hiding.')
        .waitFor();
      await pair.getByText(/Writing again cost about \$0\.\d+; from the cache/).waitFor();
      await pair.locator('pre').last().filter({ hasText: 'recall(' }).waitFor();
      await pair.getByRole('button', { name: 'Previous request' }).click();
      await pair.getByText(/starts with the complete previous one/).waitFor();
      await workbench.page.keyboard.press('Escape');
      await pair.waitFor({ state: 'hidden' });
    });
  });

  describe('in its Compactions tab', () => {
    it('states in words what was kept and lost', async () => {
      await inspector.choose('Compactions');
      await inspector.records.first().click();
      await inspector.frame.getByText(/no longer (?:mentions|contains) .*1 of 1 error/).waitFor();
    });

    it('pins a message', async () => {
      const store = inspector.diff.locator('.is-hide', { hasText: 'src/store.ts' });
      await store.getByRole('button', { name: /^Result/ }).click();
      await store.getByRole('button', { name: 'Pin', exact: true }).click();
      await store.getByText('pinned', { exact: true }).waitFor();
      const entries = await session.entries();
      const pin = entries.find((entry) => entry.type === 'pin');
      const pinned = messagesOf({ entries }).filter(({ id }) => pin!.messageIds.includes(id));
      expect(pinned.map(({ content }) => textOf(content))).toEqual([expect.stringContaining('class Store')]);
    });

    it('restores lost facts after showing the price', async () => {
      expect(await textsInView()).not.toContain(problem);
      await inspector.frame.getByRole('button', { name: 'Show', exact: true }).click();
      await inspector.frame.getByRole('button', { name: 'Bring back…' }).click();
      const plan = inspector.frame.getByRole('region', { name: 'Messages to bring back' });
      await plan.getByText(/adds? [\d,]+ tokens to every request/).waitFor();
      await plan.getByRole('button', { name: /^Bring back th/ }).click();
      await until(async () => expect(await textsInView()).toContain(problem));
      await inspector.frame.getByRole('button', { name: 'Bring back…' }).click();
      await plan.getByText(/^Nothing is missing:/).waitFor();
      await plan.getByRole('button', { name: 'Cancel' }).click();
    });

    it('compacts again with another strategy, replacing the previous one', async () => {
      server.reply({ text: '<summary>The lock keeps two writers apart.</summary>' });
      await inspector.frame.getByRole('button', { name: 'Details' }).click();
      await inspector.frame.getByRole('button', { name: 'Re-run with…' }).click();
      await workbench.quickInput.locator('input').first().fill('LLM Summary');
      await workbench.quickInput.getByText('LLM Summary', { exact: true }).click();
      await inspector.records.nth(2).waitFor();
      await inspector.records.nth(1).getByText('undone').waitFor();
      const [, hiding, summary] = await session.records();
      expect(summary).toMatchObject({ status: 'applied', actualStrategy: 'llm-summary' });
      const undone = (await session.entries()).filter((entry) => entry.type === 'undo');
      expect(undone).toMatchObject([{ recordIds: [hiding!.id] }]);
    });
  });

  describe('in its What if tab', () => {
    beforeAll(async () => {
      await session.ask('When is it written?', read('src/when.ts'), { text: 'At any time.' });
      await session.ask('By whom?', read('src/commands.ts'), { text: 'By commands.' });
    });

    it('tries every strategy, and sorts them', async () => {
      const whatIf = await inspector.choose('What if');
      await whatIf.getByText(/Compared \d+ strategies/).waitFor();
      const names = whatIf.getByRole('table', { name: 'Comparison of strategies' }).getByRole('rowheader');
      const applied = await names.allTextContents();
      await whatIf.getByRole('button', { name: 'Strategy' }).click();
      const sorted = await names.allTextContents();
      expect(sorted).not.toEqual(applied);
      expect(sorted.toSorted()).toEqual(applied.toSorted());
    });

    it('shows the effect of a strategy on each message before it is applied', async () => {
      const whatIf = await inspector.choose('What if');
      const table = whatIf.getByRole('table', { name: 'Comparison of strategies' });
      await table.getByRole('button', { name: 'Whole History' }).click();
      await whatIf.getByRole('button', { name: 'Preview' }).click();
      await whatIf.getByRole('region', { name: 'What Whole History would do' }).waitFor();
      await inspector.diff.getByText('summarised', { exact: true }).first().waitFor();
      expect(await session.records()).toHaveLength(3);
    });

    it('sets a strategy for the workspace', async () => {
      await inspector.frame.getByRole('button', { name: 'Make default here' }).click();
      await until(async () => expect(await session.setting('strategy')).toBe('whole-history'));
      await inspector.frame.getByRole('button', { name: 'Default here' }).waitFor();
    });

    it('applies a tried strategy, with a summary by the session’s own model', async () => {
      server.reply({ text: '<summary>A torn block was looked for.</summary>' });
      await inspector.frame.getByRole('button', { name: 'Use once' }).click();
      await chat.compactions.filter({ hasText: 'Whole History' }).waitFor();
      expect((await session.records()).at(-1)).toMatchObject({
        status: 'applied',
        actualStrategy: 'whole-history',
      });
      const texts = await textsInView();
      expect(texts).not.toContain(filler);
      expect(texts).toContain('A torn block was looked for.');
    });
  });

  describe('in its Facts tab', () => {
    it('shows the source of a fact', async () => {
      const facts = await inspector.choose('Facts');
      await facts.getByRole('button', { name: 'Search', exact: true }).click();
      await facts.getByRole('searchbox').fill('4711');
      const rows = facts.getByRole('list', { name: 'Facts' }).getByRole('button');
      await rows.filter({ hasText: problem }).click();
      await rows.filter({ hasText: 'run_command' }).first().click();
      // The message may also be among those that the search found.
      await facts.locator('pre').filter({ hasText: problem }).first().waitFor();
    });

    it('finds facts out of context, and restores them', async () => {
      const facts = await inspector.choose('Facts');
      await facts.getByRole('searchbox').fill('well so far');
      const places = facts.getByRole('list', { name: 'Messages' });
      // The test before may have opened the same message.
      const place = places.getByRole('button', { name: /run_command.*gone/ }).first();
      if ((await place.getAttribute('aria-expanded')) === 'false') await place.click();
      await places.getByRole('button', { name: 'Restore', exact: true }).click();
      await places.getByRole('button', { name: 'Restore', exact: true }).waitFor({ state: 'detached' });
      expect(await textsInView()).toContain(filler);
    });
  });

  describe('when the context is edited by hand', () => {
    /** Agrees once the price is shown. */
    async function confirmHiding(): Promise<void> {
      const question = workbench.page.getByRole('dialog').filter({ hasText: 'from the context?' });
      await question
        .getByText(/tokens/)
        .first()
        .waitFor();
      await question.getByRole('button', { name: 'Hide', exact: true }).click();
    }

    it('hides search results after showing the price, and shows them again', async () => {
      const before = await textsInView();
      const facts = await inspector.choose('Facts');
      const places = facts.getByRole('list', { name: 'Messages' });
      const place = (where: string) =>
        places.getByRole('button', { name: new RegExp(`run_command.*${where}`) }).first();
      await place('in context').press('Delete');
      await confirmHiding();
      await place('hidden by hand').waitFor();
      expect(await textsInView()).not.toContain(filler);

      await inspector.choose('Compactions');
      await inspector.records.first().getByText('Hidden by hand').waitFor();
      await inspector.choose('Facts');
      await place('hidden by hand').click({ button: 'right' });
      await inspector.frame.getByRole('menuitem', { name: 'Show' }).click();
      await place('in context').waitFor();
      expect(await textsInView()).toBe(before);
    });

    it('compares the context at any two points', async () => {
      const timeline = await inspector.choose('Timeline');
      await timeline.getByRole('button', { name: 'Compare…' }).click();
      const views = timeline.getByRole('region', { name: 'The context at two points' });
      await views.getByText('inserted', { exact: true }).first().waitFor();
      const to = views.getByLabel('To', { exact: true });
      await to.selectOption({ index: 1 });
      await views.getByText('src/lock.ts').first().waitFor();
      await views.getByRole('button', { name: 'Back to the timeline' }).click();
      await timeline.getByRole('slider', { name: 'Request' }).waitFor();
    });

    it('asks how to compact a range selected in the timeline', async () => {
      const timeline = await inspector.choose('Timeline');
      await timeline.getByRole('slider', { name: 'Request' }).press('End');
      await workbench.page.keyboard.press('ArrowLeft');
      await workbench.page.keyboard.press('Shift+ArrowLeft');
      await timeline.getByRole('button', { name: 'Compact from here to here…' }).click();
      await workbench.quickInput
        .getByText(/^Compact \d+ Messages?/)
        .first()
        .waitFor();
      await workbench.page.keyboard.press('Escape');
    });
  });
});
