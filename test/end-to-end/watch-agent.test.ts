import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ChatPage } from '../harness/chat-page.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { eventually, until } from '../support/eventually.ts';
import { loopbackServer, type LoopbackServer } from '../support/loopback-server.ts';

const question = 'Which colour has the sky?';

/** A program that asks two questions like Claude Code, prints the answers, and waits for the next line. */
const agent = `#!${process.execPath}
const messages = [];
for (const content of ['${question}', 'And at night?']) {
  messages.push({ role: 'user', content });
  const response = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'claude-cli/2.1.0', 'x-api-key': 'sk-ant-mine' },
    body: JSON.stringify({
      model: 'claude-sonnet-4-5',
      max_tokens: 64,
      system: process.env.ANTHROPIC_BASE_URL,
      metadata: { user_id: String(process.pid) },
      tools: [{ name: 'Look', input_schema: { type: 'object' } }],
      messages,
    }),
  });
  const { content: [{ text }] } = await response.json();
  messages.push({ role: 'assistant', content: text });
  console.log('Claude says: ' + text);
}
process.stdin.resume();
`;

const reply = (text: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 40, output_tokens: 2 },
});

/** The agent's address and process id, which it puts into its requests. */
interface Sent {
  readonly system: string;
  readonly metadata: { readonly user_id: string };
}

interface Started {
  readonly address: URL;
  readonly processId: number;
}

/** Each test begins where the one before it ended. */
describe('an agent that is watched', () => {
  let workbench: VscodeWorkbench;
  let provider: LoopbackServer;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open();
    provider = await loopbackServer((_, response) => {
      const text = provider.requests.length % 2 === 1 ? 'Blue.' : 'Black.';
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply(text)));
    });
    const { agentsFolder, programsFolder } = workbench.host;
    await writeAt(join(programsFolder, 'package.json'), '{ "type": "module" }');
    await writeAt(join(programsFolder, 'claude'), agent);
    await chmod(join(programsFolder, 'claude'), 0o755);
    const env = { ANTHROPIC_BASE_URL: provider.origin };
    await writeAt(join(agentsFolder, 'claude', 'settings.json'), JSON.stringify({ env }));
    // A page of the first start takes the focus and closes the list.
    await ChatPage.open(workbench);
    return async () => {
      await workbench.close();
      await provider.close();
    };
  });

  /** Starts the agent, with its history sent in this way. @returns its process and the address that it was given, once the provider has both requests */
  const start = async (sending: string): Promise<Started> => {
    const before = provider.requests.length;
    const row = workbench.listRows('Claude Code', provider.origin).first();
    await workbench.runAndChoose('Context Budget: Watch an Agent…', row);
    await workbench.listRows(sending).click();
    const paths = () => Promise.resolve(provider.requests.slice(before).map(({ url }) => url));
    await eventually(paths).toEqual(['/v1/messages', '/v1/messages']);
    const { system, metadata } = JSON.parse(provider.requests[before]!.body) as Sent;
    return { address: new URL(system), processId: Number(metadata.user_id) };
  };
  const answer = () => workbench.page.locator('.xterm-rows', { hasText: 'Claude says: Black.' });
  let started: Started;

  it('sends its requests with its own key through a proxy to its own provider', async () => {
    started = await start('Send the history as it is');
    expect(started.address.origin).not.toBe(provider.origin);
    expect(provider.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
      'sk-ant-mine',
      'sk-ant-mine',
    ]);
  });

  it('offers its recording, which has what its file lacks', async () => {
    await workbench
      .notification('What Claude Code sends is being recorded.')
      .getByRole('button', { name: 'Open in Inspector' })
      .click();
    const { frame } = await InspectorPage.opened(workbench);
    await frame.getByRole('heading', { level: 1, name: question }).waitFor();
  });

  it('prints the answers in a terminal', async () => {
    await answer().waitFor();
  });

  it('is a row of Sessions', async () => {
    await workbench.page.getByRole('treeitem', { name: question }).first().waitFor();
  });

  it('has no proxy any more once its terminal is closed', async () => {
    const ended = await endOf(started);
    await workbench.runCommand('Terminal: Kill All Terminals');
    await ended();
  });

  it('is named with its program if it is not installed', async () => {
    const row = workbench.listRows('is not on the path').first();
    await workbench.runAndChoose('Context Budget: Watch an Agent…', row);
    await workbench.notification('was not started, because no program named').waitFor();
  });

  it('ends with its proxy once its window is closed', async () => {
    const ended = await endOf(await start('Compact the history with Ladder'));
    await answer().waitFor();
    await workbench.page.goto('about:blank');
    await ended();
  });
});

/** Connects to the proxy of an agent. @returns a function that waits until the proxy and the agent have ended */
async function endOf({ address, processId }: Started): Promise<() => Promise<void>> {
  const socket = connect(Number(address.port), address.hostname);
  socket.resume().on('error', () => {});
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  return async () => {
    await closed;
    await expect(fetch(address)).rejects.toThrow();
    await until(() => expect(() => process.kill(processId, 0)).toThrow('ESRCH'));
  };
}

async function writeAt(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
