import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src/compaction/messages/message.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import { textOfTokens } from '../support/messages.ts';

const reads = (...paths: readonly string[]) => ({
  toolCalls: paths.map((path) => ({ name: 'read_file', arguments: { path } })),
});

describe('files that are in use', () => {
  let session: ScriptedSession;
  /** The view before the summary. */
  let whole: readonly Message[];

  beforeAll(async () => {
    session = await ScriptedSession.open({ window: 60_000, strategy: 'llm-summary', mode: 'off' });
    const { workspace } = session.workbench;
    await workspace.write('src/limits.ts', 'export const limit = 3;\n');
    await workspace.write('src/gone.ts', 'export const gone = true;\n');
    const read = reads('src/limits.ts', 'src/gone.ts');
    await session.ask('What are the limits?', read, { text: 'There is one.' });
    await session.ask('Raise it.', read, { text: `Both are read. ${textOfTokens(3_000)}` });
    return () => session.close();
  });

  it('are restored after a summary in their current state, with their number and tokens in the row', async () => {
    const { workbench, chat, server } = session;
    await workbench.workspace.write('src/limits.ts', 'export const limit = 4;\n');
    await rm(join(workbench.workspace.path, 'src/gone.ts'));
    await session.ask('Thanks.', { text: 'You are welcome.' });
    whole = await session.view();
    server.reply({ text: '<summary>The limit in src/limits.ts is to be raised.</summary>' });
    await session.compact();
    await chat.compactions
      .last()
      .getByText(/1 file restored \([\d,]+ tokens\)/u)
      .waitFor();

    const copies = (await session.view()).filter(({ kind }) => kind === 'file');
    expect(copies).toMatchObject([{ source: 'src/limits.ts', origin: 'harness' }]);
    expect(copies[0]?.content).toContain('1\texport const limit = 4;');
    expect(copies[0]?.content).toContain('It changed on disk after you last saw it');
  });

  it('are sent with the next request', async () => {
    const { server } = session;
    const before = server.requests.length;
    await session.ask('Go on.', { text: 'Going on.' });
    const { messages } = server.requests[before]!.body;
    expect(JSON.stringify(messages)).toContain('export const limit = 4;');
  });

  it('appear in the diff, and are removed by an undo, which restores the context byte for byte', async () => {
    const { workbench, chat } = session;
    await chat.compactions.last().getByRole('button', { name: 'Diff' }).click();
    const inspector = await InspectorPage.opened(workbench);
    await inspector.diff
      .getByText('src/limits.ts was restored; it has changed on disk', { exact: false })
      .first()
      .waitFor();
    await inspector.undo.click();
    await inspector.records.first().getByText('undone').waitFor();
    const after = await session.view();
    expect(JSON.stringify(after.slice(0, whole.length))).toBe(JSON.stringify(whole));
    expect(after).toHaveLength(whole.length + 2);
  });

  it('are not restored if the setting is off', async () => {
    await session.change({ restoreFiles: { files: 0 } });
    session.server.reply({ text: '<summary>Nothing else.</summary>' });
    await session.compact();
    expect((await session.records()).at(-1)).toMatchObject({ status: 'applied' });
    expect((await session.view()).filter(({ kind }) => kind === 'file')).toEqual([]);
  });
});
