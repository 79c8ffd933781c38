import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import type { ExitCode } from '../../src/cli/command.ts';
import { ask } from '../bridge/proxy/proxied.ts';
import { exportedSpans } from '../bridge/telemetry/exported.ts';
import { runCommand } from '../support/command-line.ts';

let state: string;
const before = process.env['CONTEXT_BUDGET_STATE'];

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'otlp-command-'));
  process.env['CONTEXT_BUDGET_STATE'] = state;
});

afterEach(async () => {
  if (before === undefined) delete process.env['CONTEXT_BUDGET_STATE'];
  else process.env['CONTEXT_BUDGET_STATE'] = before;
  await rm(state, { recursive: true });
});

describe('context-budget otlp', () => {
  it('prints the endpoint, and stores telemetry until it is interrupted', async () => {
    const stop = new AbortController();
    const notes: string[] = [];
    let ended = Promise.resolve<ExitCode>(2);
    const printed = await new Promise<string>((print) => {
      const note = (text: string) => void notes.push(text);
      ended = runCli(['otlp'], { print, note, ask: () => Promise.resolve(''), signal: stop.signal });
    });
    const [name, endpoint = ''] = printed.split('=');
    expect(name).toBe('OTEL_EXPORTER_OTLP_ENDPOINT');
    expect(endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/u);
    const headers = { 'content-type': 'application/x-protobuf' };
    const send = (body: Buffer) => ask(`${endpoint}/v1/traces`, { headers, body });
    expect((await send(exportedSpans)).status).toBe(200);
    expect((await send(Buffer.from('?'))).status).toBe(400);
    expect(notes, 'a note while it runs').toEqual([expect.stringContaining('The export cannot be read')]);
    stop.abort();
    expect(await ended).toBe(0);
    expect(await readdir(join(state, 'telemetry'))).toHaveLength(1);
  });

  it.each([
    [['--port', 'x'], '--port must be a whole number'],
    [['--upstream', 'https://api.example.com'], 'Unknown option'],
  ])('refuses %j', async (args, reason) => {
    const { code, notes } = await runCommand('otlp', ...args);
    expect(code).toBe(2);
    expect(notes.join(' ')).toContain(reason);
  });
});
