import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import { textOf } from '../../src/compaction/messages/message.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { importTranscript } from '../../src/transcripts/import-transcript.ts';
import { ScriptedSession } from '../harness/scripted-session.ts';
import { eventually } from '../support/eventually.ts';

/** The chat reports its spans to the receiver of the command line. */
describe('telemetry of the chat', () => {
  let session: ScriptedSession;
  let state: string;

  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), 'telemetry-'));
    const before = process.env['CONTEXT_BUDGET_STATE'];
    process.env['CONTEXT_BUDGET_STATE'] = state;
    const stop = new AbortController();
    let ended: Promise<unknown> = Promise.resolve();
    const printed = await new Promise<string>((print) => {
      const io = { print, note: () => {}, ask: () => Promise.resolve(''), signal: stop.signal };
      ended = runCli(['otlp'], io);
    });
    if (before === undefined) delete process.env['CONTEXT_BUDGET_STATE'];
    else process.env['CONTEXT_BUDGET_STATE'] = before;
    const endpoint = printed.slice(printed.indexOf('=') + 1);
    session = await ScriptedSession.open(
      { strategy: 'ladder' },
      { machineSettings: { 'contextBudget.telemetry': { endpoint, content: true } } },
    );
    return async () => {
      await session.close();
      stop.abort();
      await ended;
      await rm(state, { recursive: true });
    };
  });

  it('becomes a session with the same messages and tokens', async () => {
    await session.ask(
      'read the readme',
      { toolCalls: [{ name: 'read_file', arguments: { path: 'README.md' } }] },
      { text: 'It is about driftwood.', usage: { inputTokens: 2_345, outputTokens: 10 } },
    );
    const received = async () => {
      const [name, ...others] = await readdir(join(state, 'telemetry')).catch(() => []);
      if (name === undefined) return undefined;
      expect(others).toEqual([]);
      const { transcript } = importTranscript(await readFile(join(state, 'telemetry', name), 'utf8'));
      return messagesOf(transcript).map(({ role, content, usage }) => [role, textOf(content), usage]);
    };
    await eventually(async () => (await received())?.at(-1)).toEqual([
      'assistant',
      'It is about driftwood.',
      { inputTokens: 2_345, outputTokens: 10 },
    ]);
    const sent = (await session.view()).map(({ role, content }) => [role, textOf(content)]);
    expect((await received())?.map(([role, text]) => [role, text])).toEqual(sent);
  });
});
