import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import type { ExitCode } from '../../src/cli/command.ts';
import { runCommand } from '../support/command-line.ts';
import { type LoopbackServer, loopbackServer } from '../support/loopback-server.ts';

const reply = {
  model: 'a-model',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello.' } }],
};

let state: string;
let upstream: LoopbackServer;
const before = process.env['CONTEXT_BUDGET_STATE'];

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'proxy-command-'));
  process.env['CONTEXT_BUDGET_STATE'] = state;
  upstream = await loopbackServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(reply));
  });
});

afterEach(async () => {
  if (before === undefined) delete process.env['CONTEXT_BUDGET_STATE'];
  else process.env['CONTEXT_BUDGET_STATE'] = before;
  await upstream.close();
  await rm(state, { recursive: true });
});

/** Runs the command until it is interrupted after one request. */
async function afterOneRequest(...more: readonly string[]) {
  const stop = new AbortController();
  const notes: string[] = [];
  let code = Promise.resolve<ExitCode>(2);
  const baseUrl = await new Promise<string>((resolve) => {
    code = runCli(['proxy', '--upstream', `${upstream.origin}/v1`, ...more], {
      print: resolve,
      note: (text) => notes.push(text),
      ask: () => Promise.resolve(''),
      signal: stop.signal,
    });
  });
  const body = JSON.stringify({ model: 'a-model', messages: [{ role: 'user', content: 'Hello?' }] });
  const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body });
  const answer: unknown = await response.json();
  stop.abort();
  return { baseUrl, answer, code: await code, notes, recordings: await readdir(state, { recursive: true }) };
}

describe('context-budget proxy', () => {
  it('prints a base URL, passes requests on, and records them until it is interrupted', async () => {
    const { baseUrl, answer, code, recordings } = await afterOneRequest();
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/u);
    expect(answer).toEqual(reply);
    expect(upstream.requests.map(({ url }) => url)).toEqual(['/v1/chat/completions']);
    expect(code).toBe(0);
    expect(recordings.filter((path) => path.endsWith('.jsonl'))).toHaveLength(1);
  });

  it('records nothing with --no-bodies', async () => {
    const { answer, recordings } = await afterOneRequest('--no-bodies');
    expect(answer).toEqual(reply);
    expect(recordings).toEqual([]);
  });

  it.each([
    [[], '--upstream must name the provider'],
    [['--upstream', 'api.example.com'], 'is not the address of a provider'],
    [['--upstream', 'https://key@api.example.com'], 'without a key'],
    [['--upstream', 'https://api.example.com', '--window', '32000'], '--window needs --compact'],
    [['--upstream', 'https://api.example.com', '--recall'], '--recall needs --compact'],
    [['--upstream', 'https://api.example.com', '--compact', 'magic'], 'Unknown strategy "magic"'],
    [['--upstream', 'https://api.example.com', '--port', 'x'], '--port must be a whole number'],
  ])('refuses %j', async (args, reason) => {
    const { code, notes } = await runCommand('proxy', ...args);
    expect(code).not.toBe(0);
    expect(notes.join(' ')).toContain(reason);
  });
});
