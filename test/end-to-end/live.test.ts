import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { eventually } from '../support/eventually.ts';
import { appendByAnotherProcess } from '../support/growing-file.ts';

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
describe('a session of another agent that goes on', () => {
  let workbench: VscodeWorkbench;
  let inspector: InspectorPage;
  let path: string;

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
        reply('r2', [call('c3', 'Bash', { command: 'npm run lost' })], 164_000),
        result('c3'),
      ),
    );
    await ChatPage.open(workbench);
    return async () => {
      await rm(dirname(path), { recursive: true });
      await workbench.close();
    };
  });

  it('is in the status bar with the fill of its context', async () => {
    await workbench.page.locator('.statusbar-item', { hasText: 'Claude Code · 82%' }).waitFor();
  });

  it('is in the tree of sessions, live, and opens from there', async () => {
    const { page } = workbench;
    await page.getByRole('button', { name: 'Sessions Section' }).click();
    const row = page.getByRole('treeitem', { name: title });
    await row.getByText('live').waitFor();
    await row.click();
    inspector = await InspectorPage.opened(workbench);
    await inspector.frame.getByRole('heading', { level: 1, name: title }).waitFor();
  });

  it('shows in the inspector what another process adds to its file', async () => {
    const messages = await inspector.choose('Messages');
    await appendByAnotherProcess(path, lines(reply('r3', [text('The file has grown.')], 165_000)), 1);
    await messages.getByText('The file has grown.').waitFor();
  });

  it('tells when its agent compacts, and shows the difference', async () => {
    await appendFile(path, lines(user('Only src/kept.ts matters.', { isCompactSummary: true })));
    const notice = workbench.notification('Claude Code compacted: 1 of 2 files, 1 of 1 command');
    await notice.getByRole('button', { name: 'Diff' }).click();
    await inspector.diff.getByText('summarised by Claude Code').first().waitFor();
  });

  it('copies what is missing', async () => {
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await appendFile(
      path,
      lines(
        user('Go on'),
        reply('r4', [call('c4', 'Bash', { command: 'npm run again' })], 20_000),
        result('c4'),
        user('It goes on.', { isCompactSummary: true }),
      ),
    );
    await workbench
      .notification('Claude Code compacted')
      .getByRole('button', { name: 'Copy What Is Missing' })
      .click();
    const copied = () => workbench.page.evaluate(() => navigator.clipboard.readText());
    await eventually(copied).toContain('npm run again');
    expect(await copied()).toContain('src/lost.ts');
  });
});
