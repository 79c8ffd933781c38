import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentFolders } from '../../harness/foreign-sessions.ts';
import { type LoopbackServer, loopbackServer } from '../../support/loopback-server.ts';

const program = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const secret = 'The key is under the third flowerpot.';

let home: string;
let folder: string;
let provider: LoopbackServer;
const proxies: ChildProcess[] = [];

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'recalled-')));
  folder = join(home, 'project');
  await mkdir(folder);
  provider = await loopbackServer((_request, response) => {
    const message = { role: 'assistant', content: 'Noted.' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }] }));
  });
});

afterAll(async () => {
  for (const proxy of proxies) proxy.kill();
  await provider.close();
  await rm(home, { recursive: true });
});

const env = () => ({
  ...(process.env as Record<string, string>),
  ...agentFolders(home),
  HOME: home,
  CONTEXT_BUDGET_STATE: join(home, 'state'),
});

/** Starts a proxy that hides old results. @returns its base URL */
async function startProxy(...more: readonly string[]): Promise<string> {
  const options = ['--compact', 'tool-result-hiding', '--window', '8000', '--with-parent', ...more];
  const proxy = spawn(process.execPath, [program, 'proxy', '--upstream', provider.origin, ...options], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: env(),
  });
  proxies.push(proxy);
  const [baseUrl] = (await once(createInterface({ input: proxy.stdout }), 'line')) as [string];
  return baseUrl;
}

const prompt = (content: string) => ({ role: 'user', content });
const called = (id: string, name: string, input: object = {}) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
});
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

/** Sends a history. @returns the request that the provider got */
async function send(baseUrl: string, messages: readonly object[]): Promise<string> {
  const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }];
  const headers = { 'content-type': 'application/json', 'user-agent': 'opencode/1.0' };
  const body = JSON.stringify({ model: 'a-model', tools, messages });
  await (await fetch(`${baseUrl}/v1/chat/completions`, { method: 'POST', headers, body })).text();
  return provider.requests.at(-1)!.body;
}

/** Sends a history with long results, so that the oldest is hidden. @returns the request that the provider got */
async function compacted(baseUrl: string, task: string): Promise<string> {
  await send(baseUrl, [prompt(task)]);
  const read = (turn: number) => [
    called(`call_${turn}`, 'read'),
    result(`call_${turn}`, `${turn === 0 ? secret : ''} ${'door '.repeat(900)}`),
  ];
  const reads = Array.from({ length: 9 }, (_, turn) => read(turn)).flat();
  const received = await send(baseUrl, [prompt(task), ...reads, prompt('Where is the key?')]);
  expect(received).not.toContain(secret);
  return received;
}

describe('a result that a proxy hid', () => {
  it('is not said to be recalled unless the user says so', async () => {
    expect(await compacted(await startProxy(), 'Read all.')).not.toContain('recall');
  });

  it('is returned by the MCP server under the id that its placeholder names', async () => {
    const [, id] =
      /recall\(\\"(m\d+)\\"\)/u.exec(await compacted(await startProxy('--recall'), 'Read everything.')) ?? [];
    const client = new Client({ name: 'opencode', version: '1.0.0' }, { capabilities: {} });
    const transport = { command: process.execPath, args: [program, 'mcp'], cwd: folder, env: env() };
    await client.connect(new StdioClientTransport(transport));
    try {
      const answer = await client.callTool({ name: 'recall', arguments: { id, end_line: 1 } });
      expect(JSON.stringify(answer.content)).toContain(secret);
    } finally {
      await client.close();
    }
  });

  it('is not said to be recalled in a sub-agent, which the server does not know', async () => {
    const baseUrl = await startProxy('--recall');
    const task = 'Read everything about the garden.';
    await send(baseUrl, [
      prompt('Delegate.'),
      called('call_t', 'task', { prompt: task }),
      result('call_t', 'Done.'),
    ]);
    expect(await compacted(baseUrl, task)).not.toContain('recall');
  });
});
