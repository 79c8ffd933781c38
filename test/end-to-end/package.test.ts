import { globSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { mostOfPackage, packagePath, packageSizes } from '../../scripts/build/package-sizes.ts';
import { isTyped, textOf } from '../../src/compaction/messages/message.ts';
import { messagesOf, transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { readSession } from '../../src/transcripts/session/session-format.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { EarlierStorage } from '../harness/earlier-storage.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import { SessionLog } from '../harness/session-log.ts';
import type { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import {
  claudeCodeSession,
  firstQuestion,
  forgottenFile,
  rememberedFile,
  summary,
} from '../support/claude-code-session.ts';
import { eventually } from '../support/eventually.ts';
import { appendByAnotherProcess } from '../support/agents/growing-file.ts';
import { claudeCodeFields, contextIn, runConfiguredHooks } from '../support/agents/hook-agents.ts';

const storage = new EarlierStorage('0.1.0');
const stored = readFileSync(await storage.session(), 'utf8');
const before = readSession(stored);

describe('the packaged extension', () => {
  let session: ScriptedSession;
  let workbench: VscodeWorkbench;
  let chat: ChatPage;
  /** Folder that the server unpacked the package into. */
  let installed: string;

  beforeAll(async () => {
    const extension = { vsix: await packagePath() };
    session = await ScriptedSession.open({}, { ...(await storage.options()), extension });
    ({ workbench, chat } = session);
    [installed = ''] = globSync(join(workbench.host.folder, 'extensions', 'context-budget.context-budget-*'));
    return () => session.close();
  });

  it('contains everything it needs to run, and no sources', async () => {
    const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(installed, join(parentPath, name)).replaceAll('\\', '/'));
    const strange = files.filter(
      (file) =>
        !/^(?:(?:dist|media|l10n|samples)\/|package[.\w-]*\.json$|README|CHANGELOG|LICENSE|SECURITY|THIRD_PARTY_NOTICES|sbom\.cdx|\.vsixmanifest$)/i.test(
          file,
        ),
    );
    expect(strange).toEqual([]);
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/extension.cjs',
        'dist/engine-worker.js',
        'dist/strategy-worker.js',
        'dist/webview/chat.js',
        'dist/webview/chinese-texts.js',
        'package.nls.json',
        'package.nls.zh-cn.json',
        'media/walkthrough/ask.md',
        'media/walkthrough/ask.nls.zh-cn.md',
        'SECURITY.md',
        'THIRD_PARTY_NOTICES.txt',
        'sbom.cdx.json',
      ]),
    );
  });

  it('stays within its limits of size and number of files', async () => {
    const { bytes, files } = await packageSizes();
    expect(bytes).toBeLessThanOrEqual(mostOfPackage.bytes);
    expect(files).toBeLessThanOrEqual(mostOfPackage.files);
  });

  it('names every package whose code it contains', async () => {
    const notices = await readFile(join(installed, 'THIRD_PARTY_NOTICES.txt'), 'utf8');
    const sbom = JSON.parse(await readFile(join(installed, 'sbom.cdx.json'), 'utf8')) as {
      readonly components: readonly { readonly name: string; readonly version: string }[];
    };
    const named = sbom.components.map(({ name, version }) => `${name} ${version} (`);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !notices.includes(`\n${name}`))).toEqual([]);
    for (const name of ['openai', 'js-tiktoken', 'dompurify', 'marked', 'diff']) {
      expect(named).toEqual(expect.arrayContaining([expect.stringMatching(`^${name} `)]));
    }
  });

  /** Each test begins where the one before it ended. */
  describe('with the storage of version 0.1.0', () => {
    const button = (name: RegExp) => chat.frame.getByRole('button', { name });

    it('opens the old chat with its messages, pictures, pins, plan and draft', async () => {
      await chat.answers.getByText('I go on with the lock.').waitFor();
      const said = await chat.questions.allInnerTexts();
      const questions = messagesOf({ entries: before.entries }).filter(isTyped);
      expect(questions).toHaveLength(9);
      for (const [index, { content }] of questions.entries()) {
        expect(said[index]).toContain(textOf(content).split(/\n| #picture/u)[0]);
      }
      const image = chat.questions.nth(1).locator('img');
      await image.scrollIntoViewIfNeeded();
      await eventually(() => image.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth)).toBe(7);
      await chat.frame.getByText('1 pinned').waitFor();
      await button(/^Plan 1\/2.*Mend the lock/).waitFor();
      await chat.frame.locator('.hidden-messages').getByText('Planned.').waitFor();
      await chat.compactions.first().getByText('undone').waitFor();
      expect(await chat.composer.inputValue()).toBe('A draft that was not sent');
    });

    it('honours the settings of user and workspace', async () => {
      await button(/^Compaction strategy: Whole History/).waitFor();
      expect(await chat.meter.locator('.spoken').innerText()).toMatch(/[\d,]+ of 50,000/);
    });

    it('shows the conversation of a sub-agent', async () => {
      await chat.meter.click();
      const inspector = await InspectorPage.opened(workbench);
      await inspector.frame.locator('.session-button').click();
      await inspector.frame.getByRole('menuitemradio', { name: /^counter/ }).click();
      await inspector.frame.getByText('There are three.').first().waitFor();
    });

    it('shows the effect of a compaction, and undoes it', async () => {
      await chat.compactions.last().getByRole('button', { name: 'Diff' }).click();
      const inspector = await InspectorPage.opened(workbench);
      await inspector.diff.getByText('The lock in src/lock.py is to be mended.').first().waitFor();
      await inspector.undo.click();
      await chat.compactions.last().getByText('undone').waitFor();
      const last = before.entries.findLastIndex(({ type }) => type === 'compaction');
      const whole = transcriptOf(before.entries.slice(0, last)).view;
      expect((await session.view()).slice(0, whole.length)).toEqual(whole);
    });

    it('reverts the changes of a turn', async () => {
      expect(await workbench.workspace.read('notes.txt')).toBe('one\nzwei\nthree\n');
      await chat.frame.locator('.row.edits').getByRole('button', { name: 'Undo Edits' }).click();
      await chat.frame.locator('.row.edits.is-undone').waitFor();
      expect(await workbench.workspace.read('notes.txt')).toBe('one\ntwo\nthree\n');
    });

    it('continues the chat, and does not ask about actions that are always allowed', async () => {
      const edits = [{ search: 'three', replace: 'drei' }];
      const edit = { name: 'edit_file', arguments: { path: 'notes.txt', edits } };
      const note = { name: 'remember', arguments: { text: 'The user reads German.' } };
      await session.ask('And the third line?', { toolCalls: [edit, note] }, { text: 'That, too.' });
      await chat.answers.getByText('That, too.').waitFor();
      expect(await chat.frame.locator('.approval').count()).toBe(0);
      expect(await workbench.workspace.read('notes.txt')).toBe('one\ntwo\ndrei\n');
      const { body } = session.server.requests.at(-1)!;
      expect(body.model).toBe('scripted');
      expect(JSON.stringify(body.messages)).toContain('A blue rectangle.');
      const memory = join(workbench.host.globalStorage, 'context-budget.context-budget', 'memory.md');
      expect(await readFile(memory, 'utf8')).toMatch(/likes rhymes\.\n.*reads German\.\n/u);
    });

    it('compacts', async () => {
      session.server.reply({ text: '<summary>Two lines are translated.</summary>' });
      await session.compact();
      expect((await session.records()).at(-1)).toMatchObject({
        status: 'applied',
        actualStrategy: 'whole-history',
      });
      expect(JSON.stringify(await session.view())).toContain('Two lines are translated.');
    });

    it('has only appended to the session, which can still be read', async () => {
      const text = await readFile((await SessionLog.of(workbench)).path, 'utf8');
      expect(text.startsWith(stored)).toBe(true);
      expect(readSession(text).problems).toEqual([]);
    });

    it('shows everything after a reload', async () => {
      await workbench.reload();
      chat = await ChatPage.open(workbench);
      await chat.answers.getByText('That, too.').waitFor();
      await chat.compactions.last().getByRole('button', { name: 'Undo', exact: true }).waitFor();
      expect(workbench.problems.ofWebviews).toEqual([]);
    });
  });

  describe('next to a session of Claude Code in the usual folder', () => {
    const lines = claudeCodeSession.split(/(?<=\n)/u);
    const summaryAt = lines.findIndex((line) => line.includes(summary));
    const [first = ''] = lines;
    let home: string;
    let session: string;
    let inspector: InspectorPage;
    const hooks = (event: string, more?: object) =>
      runConfiguredHooks(
        join(home, '.claude', 'settings.json'),
        { HOME: home, CONTEXT_BUDGET_STATE: join(home, 'state') },
        event,
        claudeCodeFields(event, session, more),
      );

    beforeAll(async () => {
      home = workbench.host.agentsFolder;
      const { path: cwd } = workbench.workspace;
      session = join(home, '.claude', 'projects', cwd.replaceAll(/[^a-zA-Z\d]/g, '-'), 's1.jsonl');
      await mkdir(dirname(session), { recursive: true });
      const opening = `${JSON.stringify({ ...(JSON.parse(first) as object), cwd })}\n`;
      await writeFile(session, [opening, ...lines.slice(1, summaryAt)].join(''));
    });

    it('shows the session live', async () => {
      const row = workbench.page.getByRole('treeitem', { name: firstQuestion }).first();
      await row.getByText('live').waitFor();
      await row.click();
      inspector = await InspectorPage.opened(workbench);
      await inspector.frame.getByRole('heading', { level: 1, name: firstQuestion }).waitFor();
    });

    it('connects Claude Code with a click', async () => {
      const agent = workbench.listRows('Claude Code').first();
      await workbench.runAndChoose('Context Budget: Connect an Agent…', agent);
      await workbench.quickInput.getByText('Connect Claude Code? This changes').first().waitFor();
      await workbench.quickInput.getByRole('option', { name: 'Connect', exact: true }).click();
      await workbench.notification('Claude Code gets back what its summaries leave out').waitFor();
    });

    it('shows the facts that its compaction lost', async () => {
      await hooks('PreCompact');
      await appendByAnotherProcess(session, lines[summaryAt]!, 1);
      await workbench
        .notification('no longer mentions 1 of 2 files')
        .getByRole('button', { name: 'Show What Was Lost' })
        .click();
      inspector = await InspectorPage.opened(workbench);
      await inspector.diff.getByText('summarised by Claude Code').first().waitFor();
      await inspector.frame.getByRole('button', { name: 'Show', exact: true }).click();
      await inspector.frame.getByText(forgottenFile).first().waitFor();
    });

    it('returns the lost facts at the next start', async () => {
      const given = contextIn(await hooks('SessionStart', { source: 'compact' }));
      expect(given).toContain(forgottenFile);
      expect(given).not.toContain(rememberedFile);
    });
  });
});
