import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../../src/compaction/messages/message.ts';
import { InspectorPage, openFold } from '../harness/inspector-page.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import { textOfTokens } from '../support/messages.ts';
import { until } from '../support/eventually.ts';

const files = ['src/near.ts', 'src/far.ts'] as const;
/** A line that occurs only in its file. */
const said = (path: string) => `secret line of ${path.slice(4, -3)}`;

/** A session whose context the user edits; each test begins where the one before it ended. */
describe('editing the context by hand', () => {
  let session: ScriptedSession;
  let inspector: InspectorPage;
  /** The view before anything was hidden. */
  let whole: string;

  beforeAll(async () => {
    session = await ScriptedSession.open({ window: 60_000, strategy: 'llm-summary', mode: 'off' });
    for (const path of files) {
      await session.workbench.workspace.write(path, `${said(path)}\n${textOfTokens(600)}\n`);
      const read = { toolCalls: [{ name: 'read_file', arguments: { path } }] };
      await session.ask(`What is in ${path}?`, read, { text: 'Something.' });
    }
    await session.ask('Thank you', { text: `Welcome. ${textOfTokens(2_000)}` });
    whole = await view();
    await session.chat.meter.click();
    inspector = await InspectorPage.opened(session.workbench);
    return () => session.close();
  });

  const view = async () => JSON.stringify(await session.view());
  const hiddenFiles = async () => {
    const text = await view();
    return files.filter((path) => !text.includes(said(path)));
  };
  const list = (name: string) => inspector.frame.getByRole('list', { name });

  /** Chooses an action from an item's menu. */
  async function act(target: Locator, item: string): Promise<void> {
    await target.click({ button: 'right' });
    await inspector.frame.getByRole('menuitem', { name: item, exact: true }).click();
  }

  /** Agrees once the price is shown. */
  async function confirmHiding(): Promise<void> {
    const question = session.workbench.page.getByRole('dialog').filter({ hasText: 'from the context?' });
    await question
      .getByText(/Frees [\d,]+ tokens/)
      .first()
      .waitFor();
    await question.getByRole('button', { name: 'Hide', exact: true }).click();
  }

  it('hides one of the largest messages, and shows it again, in the tab Window', async () => {
    await openFold(await inspector.choose('Window'), 'Largest messages');
    await act(
      list('Largest messages')
        .getByRole('button', { name: /far\.ts/ })
        .first(),
      'Hide…',
    );
    await confirmHiding();
    await openFold(await inspector.choose('Window'), 'Hidden by hand');
    const hidden = list('Hidden by hand')
      .getByRole('button', { name: /far\.ts/ })
      .first();
    await hidden.waitFor();
    expect(await hiddenFiles()).toEqual(['src/far.ts']);

    await act(hidden, 'Show');
    await hidden.waitFor({ state: 'detached' });
    expect(await view()).toBe(whole);
  });

  it('hides all results of a tool', async () => {
    await openFold(await inspector.choose('Window'), 'Tools');
    await act(
      list('Tools')
        .getByRole('button', { name: /read_file/ })
        .first(),
      'Hide all results of read_file…',
    );
    await confirmHiding();
    await openFold(await inspector.choose('Window'), 'Hidden by hand');
    await list('Hidden by hand')
      .getByRole('button', { name: /near\.ts/ })
      .first()
      .waitFor();
    expect(await hiddenFiles()).toEqual(files);
  });

  it('shows several hidden messages at once from the diff, and hides one there', async () => {
    await inspector.choose('Compactions');
    await inspector.records.first().click();
    const row = (path: string) => inspector.diff.locator('.pair', { hasText: path }).first();
    for (const path of files) await row(path).click({ modifiers: ['ControlOrMeta'] });
    const bar = inspector.frame.getByRole('group', { name: 'Selected messages' });
    await bar.getByText('2 messages selected').waitFor();
    await bar.getByRole('button', { name: 'Show', exact: true }).click();
    await until(async () => expect(await view()).toBe(whole));

    await act(row('near.ts'), 'Hide…');
    await confirmHiding();
    await until(async () => expect(await hiddenFiles()).toEqual(['src/near.ts']));
  });

  it('keeps hidden messages out of a later compaction', async () => {
    const { server } = session;
    const before = server.requests.length;
    server.reply({ text: '<summary>Two files were read.</summary>' });
    await session.compact();
    await until(async () =>
      expect((await session.records()).at(-1)).toMatchObject({
        status: 'applied',
        actualStrategy: 'llm-summary',
      }),
    );
    const asked = JSON.stringify(server.requests.slice(before).map(({ body }) => body));
    expect(asked).toContain(said('src/far.ts'));
    expect(asked).not.toContain(said('src/near.ts'));
    expect(await view()).not.toContain(said('src/near.ts'));
  });

  it('lets the model find and recall a hidden message', async () => {
    // The session may still be writing its file, and a partial line cannot be read.
    const entries = await until(() => session.entries());
    const hidden = entries.flatMap((entry) =>
      entry.type === 'message' && textOf(entry.message.content).includes(said('src/near.ts'))
        ? [entry.message.id]
        : [],
    );
    const lastResult = async () =>
      textOf((await session.view()).findLast(({ role }) => role === 'tool')!.content);
    const search = { name: 'search_history', arguments: { query: said('src/near.ts') } };
    await session.ask('Find it', { toolCalls: [search] }, { text: 'Found.' });
    expect(await lastResult()).toContain(hidden[0]);
    const recall = { name: 'recall', arguments: { id: hidden[0] } };
    await session.ask('Recall it', { toolCalls: [recall] }, { text: 'Recalled.' });
    expect(await lastResult()).toContain(said('src/near.ts'));
  });

  it('continues from an earlier message, with a summary of the later messages', async () => {
    const { chat, workbench, server } = session;
    server.reply({ text: '<summary>The file was found and recalled.</summary>' });
    const rows = await chat.compactions.count();
    const question = chat.questions.filter({ hasText: 'Find it' });
    await question.hover();
    await question.getByRole('button', { name: 'More actions' }).click();
    await chat.frame.getByRole('menuitem', { name: 'Continue from here' }).click();
    await workbench.quickInput.getByText('Summarise Later Messages', { exact: true }).click();
    await chat.compactions.nth(rows).waitFor();
    await until(async () =>
      expect((await session.records()).at(-1)).toMatchObject({
        status: 'applied',
        actualStrategy: 'llm-summary',
        part: { rewinds: true },
      }),
    );
    const view = await session.view();
    expect(view.slice(-2).map(({ kind, content }) => [kind, textOf(content).slice(0, 7)])).toEqual([
      [undefined, 'Find it'],
      ['summary', '<conver'],
    ]);
  });
});
