import { beforeAll, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/compaction/cancellation.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { messagesOf, recordsOf } from '../../../src/compaction/transcript.ts';
import type { AgentSession } from '../../../src/agent/session.ts';
import { readOnlySession } from '../../../src/extension/import/read-only-session.ts';
import { InspectorModel } from '../../../src/extension/inspector/inspector-model.ts';
import { claudeCodeSession, firstQuestion, summary } from '../../support/claude-code-session.ts';
import { createMeter } from '../../support/engine.ts';

describe('a session that is only looked at', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });
  const open = (text: string, signal = new AbortController().signal) => {
    const budget = () => ({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 });
    return readOnlySession(text, 'file-name', { meterOf: () => meter, budget }, signal);
  };

  it('has the messages as they are, without any of ours', async () => {
    const { transcript, title, activity } = await open(claudeCodeSession);
    expect(messagesOf(transcript).every(({ role }) => role !== 'system')).toBe(true);
    expect([title, activity]).toEqual([firstQuestion, 'idle']);
  });

  it('is called after its file where nobody typed anything', async () => {
    const { title } = await open(JSON.stringify([{ role: 'assistant', content: 'Hello.' }]));
    expect(title).toBe('file-name');
  });

  it('has the compactions of its agent as records, with what undoing them would take along', async () => {
    const { transcript, compaction } = await open(claudeCodeSession);
    const records = recordsOf(transcript);
    expect(records.map(({ actualStrategy }) => actualStrategy)).toEqual(['claude-code']);
    expect(compaction.undoneWith(records[0]!.id)).toEqual(records);
    expect(compaction.undoneWith('c9')).toEqual([]);
  });

  it('can be inspected', async () => {
    // The inspector asks for no more than a session to look at has.
    const session = (await open(claudeCodeSession)) as unknown as AgentSession;
    const inspector = new InspectorModel(session, () => meter);
    const rows = (await inspector.diff('c1'))!;
    const summarised = rows.find(({ fate }) => fate === 'summarise')!;
    expect(summarised.sourceCount).toBeGreaterThan(1);
    expect(summarised.output?.excerpt).toContain(summary.slice(0, 40));
  });

  it('counts what its agent would send, tool schemas too', async () => {
    const tools = [{ type: 'function', function: { name: 'read_file', description: 'Reads a file' } }];
    const messages = [{ role: 'user', content: 'hi' }];
    const bare = await (await open(JSON.stringify({ messages }))).compaction.usage();
    const usage = await (await open(JSON.stringify({ messages, tools }))).compaction.usage();
    expect(bare.byKind).toMatchObject({ tools: 0 });
    expect(usage.byKind.tools).toBeGreaterThan(0);
    expect(usage.total - bare.total).toBe(usage.byKind.tools);
  });

  it('is held against the budget of the settings', async () => {
    const { compaction } = await open(claudeCodeSession);
    expect(compaction.budget).toMatchObject({ window: 10_000, trigger: 8_500, target: 5_000 });
  });

  it('says what could not be read', async () => {
    const { problems } = await open(`${claudeCodeSession}{"type":"us`);
    expect(problems).toEqual([expect.stringMatching(/^Line \d+ was skipped/)]);
  });

  it.each([
    ['dear diary', /no transcript in a known format/],
    ['{"sessionId":"s","projectHash":"h",\n"messages":3}', /^Line 2: expected a Gemini CLI session/],
    ['{"messages":[]}', /There are no messages/],
  ])('is refused with what was expected: %j', async (text, message) => {
    await expect(open(text)).rejects.toThrow(message);
  });

  it('is not waited for any more once that is cancelled', async () => {
    await expect(open(claudeCodeSession, AbortSignal.abort())).rejects.toThrow(CancelledError);
  });
});
