import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { transcriptId } from '../../src/presenters/live/opened-transcripts.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { eventually, until } from '../support/eventually.ts';
import { timeLimit } from '../../scripts/machine-speed.ts';
import { appendByAnotherProcess } from '../support/agents/growing-file.ts';

const title = 'Write the growing file';
const timestamp = '2026-02-03T04:05:06.000Z';
const lines = (...events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const user = (content: unknown, more: object = {}) => ({
  type: 'user',
  parentUuid: null,
  sessionId: 'growing',
  message: { role: 'user', content },
  timestamp,
  ...more,
});
const reply = (id: string, content: readonly object[], tokens: number) => ({
  type: 'assistant',
  parentUuid: null,
  sessionId: 'growing',
  message: {
    id,
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content,
    usage: { input_tokens: tokens, output_tokens: 0 },
  },
  timestamp,
});
const text = (said: string) => ({ type: 'text', text: said });
const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const result = (id: string) =>
  user([{ type: 'tool_result', tool_use_id: id, content: 'done\n'.repeat(200) }]);

/** Each test begins where the one before it ended. */
describe('a growing session of another agent', () => {
  let workbench: VscodeWorkbench;
  let inspector: InspectorPage;
  let path: string;
  const other = () => join(dirname(path), 'unopened.jsonl');

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open();
    const { agentsFolder } = workbench.host;
    const project = workbench.workspace.path.replaceAll(/[^a-zA-Z\d]/g, '-');
    path = join(agentsFolder, 'claude', 'projects', project, 'growing.jsonl');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(
      path,
      lines(
        user(title, { cwd: workbench.workspace.path }),
        reply(
          'r1',
          [
            call('c1', 'Read', { file_path: 'src/kept.ts' }),
            call('c2', 'Read', { file_path: 'src/lost.ts' }),
          ],
          90_000,
        ),
        result('c1'),
        result('c2'),
        reply('r2', [call('c3', 'Bash', { command: 'npm install lost' })], 164_000),
        result('c3'),
      ),
    );
    await ChatPage.open(workbench);
    return async () => {
      await rm(dirname(path), { recursive: true });
      await workbench.close();
    };
  });

  const tree = (name: string) => workbench.page.getByRole('treeitem', { name });
  const row = () => tree(title).first();
  const status = (text: string) => workbench.page.locator('.statusbar-item', { hasText: text });
  /**
   * Chooses from the menu of the session's row until its target is open. Uses keys, because a menu ignores
   * clicks while it opens, and repeats if the editor took the focus late.
   */
  const chooseFromRow = async (action: string, outcome: Locator) => {
    const item = workbench.page.getByRole('menuitem', { name: action });
    await until(async () => {
      if (await outcome.isVisible()) return;
      if (!(await item.isVisible())) await row().click({ button: 'right', timeout: timeLimit(5_000) });
      await item.hover({ timeout: timeLimit(5_000) });
      await workbench.page.keyboard.press('Enter');
      await outcome.waitFor({ timeout: timeLimit(5_000) });
    });
  };

  it('is in the status bar, with the share of the window that it fills', async () => {
    await status('Claude Code · 82%').waitFor();
  });

  it('is marked as live in the tree of sessions, under this workspace, and opens from there', async () => {
    await tree('This Workspace').waitFor();
    await row().getByText('82% · live').waitFor();
    await row().click();
    inspector = await InspectorPage.opened(workbench);
    await inspector.frame.getByRole('heading', { level: 1, name: title }).waitFor();
  });

  it('shows in the inspector what another process appends to its file', async () => {
    const messages = await inspector.choose('Messages');
    await appendByAnotherProcess(path, lines(reply('r3', [text('The file has grown.')], 165_000)), 1);
    await messages.getByText('The file has grown.').waitFor();
  });

  it('reports a compaction of its agent, and shows the difference', async () => {
    await appendFile(path, lines(user('Only src/kept.ts matters.', { isCompactSummary: true })));
    const notice = workbench.notification('no longer mentions 1 of 2 files, 1 of 1 command');
    await notice.getByRole('button', { name: 'Show What Was Lost' }).click();
    await inspector.diff.getByText('summarised by Claude Code').first().waitFor();
  });

  it('has a button that copies lost facts', async () => {
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await appendFile(
      path,
      lines(
        user('Go on'),
        reply('r4', [call('c4', 'Bash', { command: 'npm install again' })], 20_000),
        result('c4'),
        user('It goes on.', { isCompactSummary: true }),
      ),
    );
    await workbench.notification('Claude Code compacted').getByRole('button', { name: 'Copy It' }).click();
    const copied = () => workbench.page.evaluate(() => navigator.clipboard.readText());
    await eventually(copied).toContain('npm install again');
    // An earlier compaction removed it.
    expect(await copied()).not.toContain('src/lost.ts');
  });

  it('keeps scroll position and selection in the inspector while it grows', async () => {
    inspector = await InspectorPage.opened(workbench);
    const messages = await inspector.choose('Messages');
    const more = Array.from({ length: 60 }, (_, index) =>
      reply(`s${index}`, [text(`Step ${index}.`)], 30_000),
    );
    await appendFile(path, lines(...more));
    const count = (messages: number) => inspector.frame.getByRole('tab', { name: `Messages ${messages}` });
    await count(70).waitFor();
    const chosen = messages.getByRole('button', { name: 'Step 20.' });
    await chosen.click();
    const place = async () => ({
      box: await chosen.boundingBox(),
      isOpen: await chosen.getAttribute('aria-expanded'),
    });
    const before = await place();
    await appendByAnotherProcess(path, lines(reply('r9', [text('The last of all.')], 31_000)), 1);
    await count(71).waitFor();
    expect(await place()).toEqual(before);
  });

  it('can be hidden from the status bar, and shown again', async () => {
    const toggle = () => workbench.runCommand('Context Budget: Toggle Other Agents in Status Bar');
    await status('Claude Code ·').waitFor();
    await toggle();
    await status('Claude Code ·').waitFor({ state: 'detached' });
    await toggle();
    await status('Claude Code ·').waitFor();
  });

  it('is found by a search among all sessions', async () => {
    const folder = join(workbench.host.agentsFolder, 'claude/projects/elsewhere');
    await mkdir(folder);
    for (let index = 0; index < 200; index++) {
      const session = lines(user(`Errand ${index}`, { cwd: '/projects/elsewhere' }));
      await writeFile(join(folder, `${index}.jsonl`), session);
    }
    await workbench.runCommand('Context Budget: Open Session of Another Agent…');
    const rows = workbench.quickInput.locator('.monaco-list-row');
    await rows.filter({ hasText: title }).getByText('This Workspace').waitFor();
    await workbench.quickInput.locator('input').first().fill('errand 137');
    await rows.filter({ hasText: 'Errand 137' }).click();
    inspector = await InspectorPage.opened(workbench);
    await inspector.frame.getByRole('heading', { level: 1, name: 'Errand 137' }).waitFor();
  });

  it('reports its compaction even if it is not open', async () => {
    const task = 'Count the lines';
    await writeFile(
      other(),
      lines(
        user(task, { cwd: workbench.workspace.path }),
        reply('o1', [call('o2', 'Read', { file_path: 'src/counted.ts' })], 130_000),
        result('o2'),
      ),
    );
    await status('Claude Code · 65%').waitFor();
    await appendByAnotherProcess(other(), lines(user('Counted.', { isCompactSummary: true })), 1);
    const notice = workbench.notification('no longer mentions 1 of 1 file');
    await notice.getByRole('button', { name: 'Show What Was Lost' }).click();
    inspector = await InspectorPage.opened(workbench);
    await inspector.frame.getByRole('heading', { level: 1, name: task }).waitFor();
    await inspector.diff.getByText('summarised by Claude Code').first().waitFor();
  });

  it('is kept after a reload', async () => {
    await workbench.untilSaved(transcriptId(other()));
    await workbench.reload();
    inspector = await InspectorPage.opened(workbench);
    await inspector.frame.getByRole('heading', { level: 1, name: 'Count the lines' }).waitFor();
    await ChatPage.open(workbench);
    await workbench.page.getByRole('button', { name: 'Sessions Section' }).waitFor();
    await row().waitFor();
  });

  it('can be shown as a file, turned into a chat, and handed off from its row', async () => {
    await chooseFromRow('Reveal', workbench.page.getByRole('tab', { name: 'growing.jsonl' }));
    await chooseFromRow('Hand Off', workbench.quickInput.getByText('Start a New Chat').first());
    await workbench.page.keyboard.press('Escape');
    const chat = await ChatPage.open(workbench);
    await chooseFromRow('Continue a Session as a Chat', chat.frame.getByText('The last of all.'));
  });
});
