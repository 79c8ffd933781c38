import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll } from 'vitest';
import { SessionStore } from '../../src/presenters/storage/session-store.ts';
import { agentFolders } from '../harness/foreign-sessions.ts';
import { soak } from '../support/soak.ts';
import { connectionsIn, lostIn, note, nothingAcknowledged } from './support/acknowledged.ts';
import { bundledScript } from './support/bundled-script.ts';
import { busyPlaces, writeConfigurations } from './support/busy-places.ts';
import { fault } from './support/fault.ts';

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'busy-folder-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts the server on the sessions of a folder, like an agent. */
async function connectServer(workspace: string): Promise<Client> {
  const client = new Client({ name: 'claude-code', version: '1.0.0' }, { capabilities: {} });
  const env = { ...process.env, ...agentFolders(folder), HOME: folder } as Record<string, string>;
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp'],
      cwd: workspace,
      env,
      stderr: 'pipe',
    }),
  );
  return client;
}

fault('two windows and three agents work in one folder while the server answers requests', async (count) => {
  const [window, agent] = [
    await bundledScript('busy-process', folder),
    await bundledScript('fake-agent', folder),
  ];
  const workspace = join(folder, 'workspace');
  const { sessions, notes } = busyPlaces(folder);
  await mkdir(workspace);
  await writeConfigurations(folder);

  const client = await connectServer(workspace);
  const store = new SessionStore(sessions);
  const windows = await Promise.all(
    [1, 2].map(async (number) => {
      const { id, file } = store.create(number);
      await file.append({ type: 'title', title: `window ${number}` });
      await file.close();
      const child = spawn(process.execPath, [window, folder, id, String(number)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return { id, child, out: text(child.stdout) };
    }),
  );
  let isOver = false;
  const agents = Promise.all(
    [1, 2, 3].map(async (number) => {
      const session = join(folder, 'claude/projects/workspace', `agent${number}.jsonl`);
      const child = spawn(process.execPath, [agent, session, notes, workspace, String(soak(12, 80))], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return (await text(child.stdout)).split('\n').filter((line) => line !== '');
    }),
  ).finally(() => (isOver = true));

  let asked = 0;
  do {
    for (const [tool, input] of [
      ['what_was_lost', {}],
      ['search_history', { query: 'Please change' }],
      ['context_usage', {}],
    ] as const) {
      const { content } = await client.callTool({ name: tool, arguments: input });
      const [{ text: answer = '' } = {}] = content as readonly { readonly text?: string }[];
      // Answers concern one session at a time. How full each one is is reported with its name.
      const of = new Set(answer.match(/src\/agent\d+/gu));
      if (of.size > 1 && tool !== 'context_usage') count.harmed(`${tool} mixes ${[...of].join()}`);
      if (/TypeError|ENOENT|unexpectedly/u.test(answer)) count.harmed(`${tool}: ${answer.slice(0, 200)}`);
      asked++;
    }
  } while (!isOver);
  await client.close();

  let calls = 0;
  for (const line of (await agents).flat()) {
    if (line.startsWith('done ')) calls += Number(line.slice('done '.length));
    else count.harmed(line);
  }
  let acknowledged = 0;
  for (const { id, child, out } of windows) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const lines = (await out).split('\n').slice(0, -1);
    acknowledged += lines.length;
    const known = nothingAcknowledged();
    note(known, lines);
    for (const harm of await lostIn(folder, id, known)) count.harmed(`window ${id}: ${harm}`);
  }
  for (const harm of await connectionsIn(folder)) count.harmed(harm);
  count.tried(calls + asked + acknowledged);
  if (calls === 0 || asked === 0 || acknowledged === 0) count.harmed('somebody did nothing');
  count.note(`${acknowledged} acknowledged by windows, ${calls} calls of hooks, ${asked} questions`);
});
