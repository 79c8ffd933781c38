import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { linkExtension } from '../../scripts/test/extensions.ts';
import { readOwner } from '../../src/agent/locks/session-lock.ts';
import { ChatPage } from '../harness/chat-page.ts';
import { sharedHost } from '../harness/vscode-host.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { eventually, until } from '../support/eventually.ts';
import { loopbackServer, type LoopbackServer } from '../support/loopback-server.ts';

const setting = 'claudeCode.environmentVariables';
const key = { name: 'ANTHROPIC_API_KEY', value: 'sk-ant-mine' };
const question = 'Which colour has the sea?';

const manifest = {
  name: 'claude-code',
  publisher: 'anthropic',
  version: '2.1.200',
  engines: { vscode: '^1.100.0' },
  main: './extension.cjs',
  contributes: {
    commands: [{ command: 'claude.ask', title: 'Ask', category: 'Claude' }],
    configuration: { properties: { [setting]: { type: 'array', default: [], scope: 'machine' } } },
  },
};

/** An extension that asks like Claude Code, with the variables of its setting. */
const source = `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.commands.registerCommand('claude.ask', async () => {
    const variables = vscode.workspace.getConfiguration('claudeCode').get('environmentVariables');
    const valueOf = (named) => variables.find(({ name }) => name === named).value;
    await fetch(valueOf('ANTHROPIC_BASE_URL') + '/v1/messages', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'claude-cli/2.1.200 (external, claude-vscode)',
        'x-api-key': valueOf('ANTHROPIC_API_KEY'),
      },
      body: JSON.stringify({
        model: 'claude-sonnet-4-5',
        max_tokens: 64,
        messages: [{ role: 'user', content: '${question}' }],
      }),
    });
  }));
};
`;

const reply = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Green.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 40, output_tokens: 2 },
};

/** Each test begins where the one before it ended. */
describe('an extension that is watched', () => {
  let workbench: VscodeWorkbench;
  let provider: LoopbackServer;
  let own: readonly unknown[];

  beforeAll(async () => {
    const { folder } = await sharedHost();
    const list = join(folder, 'extensions', 'extensions.json');
    const before = await readFile(list, 'utf8');
    const extension = await mkdtemp(join(tmpdir(), 'claude-extension-'));
    await writeFile(join(extension, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(extension, 'extension.cjs'), source);
    await linkExtension(folder, extension);
    provider = await loopbackServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
    });
    own = [key, { name: 'ANTHROPIC_BASE_URL', value: provider.origin }];
    workbench = await VscodeWorkbench.open({ machineSettings: { [setting]: own } });
    // A page of the first start takes the focus and closes the list.
    await ChatPage.open(workbench);
    return async () => {
      await workbench.close();
      await provider.close();
      await writeFile(list, before);
      await rm(extension, { recursive: true });
    };
  });

  const settingsFile = () => join(workbench.host.folder, 'data', 'Machine', 'settings.json');
  const settings = async () =>
    JSON.parse(await readFile(settingsFile(), 'utf8')) as Readonly<Record<string, unknown>>;
  const isOwn = () => eventually(async () => (await settings())[setting]).toEqual(own);

  const choose = () =>
    workbench.runAndChoose(
      'Context Budget: Watch an Agent…',
      workbench.listRows('Claude Code for VS Code', provider.origin).first(),
    );
  const watch = async () => {
    await choose();
    await workbench.quickInput.getByRole('option', { name: 'Watch', exact: true }).click();
    await eventually(async () => (await settings())[setting]).not.toEqual(own);
  };

  it('is changed only after the change to its setting is shown', async () => {
    await choose();
    await workbench.quickInput.getByText('Watch Claude Code for VS Code?').first().waitFor();
    const editor = workbench.page.locator('.editor-instance');
    await editor.getByText('http://127.0.0.1').first().waitFor();
    expect(await editor.getByText(key.value).count()).toBe(0);
    expect((await settings())[setting]).toEqual(own);
  });

  it('sends its requests through a proxy once the user agrees', async () => {
    await workbench.quickInput.getByRole('option', { name: 'Watch', exact: true }).click();
    await workbench.notification('From its next session on').waitFor();
    expect((await settings())[setting]).toEqual([
      key,
      { name: 'ANTHROPIC_BASE_URL', value: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\w+$/u) },
    ]);
    await workbench.runCommand('Claude: Ask');
    await eventually(() => Promise.resolve(provider.requests.map(({ url }) => url))).toEqual([
      '/v1/messages',
    ]);
    expect(provider.requests[0]?.headers['x-api-key']).toBe(key.value);
    await workbench.page.getByRole('treeitem', { name: question }).first().waitFor();
  });

  it('has its earlier setting once the user stops, with changes made in the meantime', async () => {
    const now = await settings();
    const added = { name: 'HTTP_PROXY', value: 'http://proxy.example.com' };
    own = [...own, added];
    const variables = [...(now[setting] as readonly unknown[]), added];
    const title = 'With a proxy';
    const changed = { ...now, [setting]: variables, 'window.title': title };
    await writeFile(settingsFile(), JSON.stringify(changed, undefined, 2));
    // The title shows that the editor has noticed the change.
    await until(async () => expect(await workbench.page.title()).toBe(title));
    await workbench.page.locator('.statusbar-item', { hasText: 'Claude Code for VS Code' }).click();
    await workbench.notification('is no longer watched').waitFor();
    await isOwn();
  });

  it('has its earlier setting once the window is loaded again', async () => {
    await watch();
    await workbench.reload();
    await isOwn();
  });

  it('has its earlier setting at the next start after a crash', async () => {
    await watch();
    const storage = join(workbench.host.globalStorage, 'context-budget.context-budget');
    const owner = await readOwner(join(storage, 'watched', 'claude-code.json.owner'));
    process.kill(owner!.process, 'SIGKILL');
    expect((await settings())[setting]).not.toEqual(own);
    await workbench.reload();
    await isOwn();
  });
});
