import { appendFile, mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, it } from 'vitest';
import { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { take } from './take.ts';

/** Files of a made-up project: the summary names the first fifteen. */
const files = [
  ...['ticket', 'refund', 'invoice', 'ledger', 'currency', 'rounding', 'tax', 'webhook', 'retry', 'queue'],
  ...[
    'clock',
    'receipt',
    'customer',
    'payment',
    'gateway',
    'dispute',
    'payout',
    'balance',
    'audit',
    'export',
  ],
  ...['import', 'report', 'mailer', 'template', 'locale', 'limits', 'session', 'cursor', 'paging', 'search'],
  ...['index', 'cache', 'health', 'config'],
].map((name) => `src/${name}.ts`);
const namedFiles = files.slice(0, 15);
/** Commands that ran. The summary names the first two. */
const commands = [
  ...['npm test', 'npm run build'],
  ...files.slice(0, 24).map((file) => `npm test -- ${file.slice('src/'.length, -'.ts'.length)}`),
];

const title = 'Refunds are rounded twice';
const summary = `The user wants refunds rounded once. They are rounded in src/refund.ts and again in src/ledger.ts; the second one goes.

Read so far: ${namedFiles.join(', ')}.
To check: npm test, then npm run build.
Next: change src/ledger.ts, then the receipts.`;

/** The first picture of the README: another agent's session, live, just after its compaction. */
describe('pictures of a session of another agent', () => {
  let workbench: VscodeWorkbench;
  let path: string;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open({
      settings: {
        'editor.fontFamily': 'DejaVu Sans Mono',
        'workbench.colorTheme': 'Dark Modern',
        'workbench.statusBar.visible': true,
      },
      size: { width: 1320, height: 860 },
    });
    const { agentsFolder } = workbench.host;
    const { path: cwd } = workbench.workspace;
    const projects = join(agentsFolder, 'claude/projects', cwd.replaceAll(/[^a-zA-Z\d]/g, '-'));
    path = join(projects, 'refunds.jsonl');
    await write(join(projects, 'retries.jsonl'), 50, [
      user('Retry webhooks with growing pauses', { cwd }),
      reply('a', [text('Done.')], 61_000),
    ]);
    await write(join(agentsFolder, 'codex/sessions/2026/02/03/rollout-1.jsonl'), 300, [
      { timestamp, type: 'session_meta', payload: { id: 's1', cwd } },
      codexItem({ type: 'message', role: 'user', content: [text('Read the tax rates from a table')] }),
      { timestamp, type: 'event_msg', payload: { type: 'token_count', info: codexUsage } },
    ]);
    await write(path, 0, [
      user(title, { cwd }),
      ...files.flatMap((file, index) => [
        reply(
          `r${index}`,
          [call(`f${index}`, 'Read', { file_path: join(cwd, file) })],
          20_000 + index * 3_600,
        ),
        result(`f${index}`, `export const ${file.slice(4, -3)} = { round: 'half-even' };\n`.repeat(300)),
      ]),
      ...commands.flatMap((command, index) => [
        reply(`c${index}`, [call(`b${index}`, 'Bash', { command })], 144_000 + index * 600),
        result(`b${index}`, ' ✓ 12 tests passed\n'.repeat(12)),
      ]),
    ]);
    await ChatPage.open(workbench);
    return () => workbench.close();
  });

  it('live, with the losses of its compaction', async () => {
    const { page } = workbench;
    await workbench.setSideBarWidth(390);
    await page.getByRole('button', { name: 'Chat Section' }).click();
    await page.getByRole('treeitem', { name: title }).first().click();
    const inspector = await InspectorPage.opened(workbench);
    await inspector.frame.getByRole('heading', { level: 1 }).getByText('Refunds').waitFor();
    await appendFile(
      path,
      lines([
        user(summary, { isCompactSummary: true }),
        reply('z', [text('src/ledger.ts no longer rounds.')], 21_400),
      ]),
    );
    await workbench.notification('Claude Code compacted').waitFor();
    await inspector.choose('Compactions');
    await inspector.diff.getByText('summarised', { exact: true }).first().waitFor();
    await page.locator('.statusbar-item', { hasText: 'Claude Code · 11%' }).waitFor();
    await inspector.frame.getByText('no longer mentions').waitFor();
    await page.mouse.move(620, 840);
    await take(page, 'live.png');
  });
});

const timestamp = '2026-02-03T04:05:06.000Z';
const codexUsage = {
  last_token_usage: { input_tokens: 88_000, output_tokens: 900 },
  model_context_window: 272_000,
};
const text = (said: string) => ({ type: 'text', text: said });
const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const codexItem = (payload: object) => ({ timestamp, type: 'response_item', payload });

function lines(events: readonly object[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

function user(content: unknown, more: object = {}): object {
  const message = { role: 'user', content };
  return { type: 'user', parentUuid: null, sessionId: 'refunds', message, timestamp, ...more };
}

function reply(id: string, content: readonly object[], tokens: number): object {
  const usage = { input_tokens: tokens, output_tokens: 0 };
  const message = { id, role: 'assistant', model: 'claude-sonnet-4-5', content, usage };
  return { type: 'assistant', parentUuid: null, sessionId: 'refunds', message, timestamp };
}

function result(id: string, content: string): object {
  return user([{ type: 'tool_result', tool_use_id: id, content }]);
}

/** @param age minutes since it was changed */
async function write(path: string, age: number, events: readonly object[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, lines(events));
  const at = new Date(Date.now() - age * 60_000);
  await utimes(path, at, at);
}
