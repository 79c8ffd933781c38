import { describe, expect, it } from 'vitest';
import type { Activity, AgentEvent } from '../../../src/agent/session/session-ports.ts';
import type { AgentSpan } from '../../../src/agent/telemetry/otlp-span.ts';
import { SessionSpans } from '../../../src/agent/telemetry/session-spans.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import type { CompactionPhase } from '../../../src/compaction/records/phase.ts';
import { transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import { called, result, said, typed } from '../../support/messages.ts';

/** Replays events, one each second, and returns the spans with their times in seconds. */
function replay(...events: readonly AgentEvent[]) {
  const spans: AgentSpan[] = [];
  let seconds = 0;
  const session = new SessionSpans(
    { id: 's1' },
    { now: () => seconds * 1_000, provider: () => 'offline', send: (span) => spans.push(span) },
  );
  const entries: TranscriptEntry[] = [];
  for (const event of events) {
    seconds++;
    if (event.type === 'entry') entries.push(event.entry);
    session.handle(event, { transcript: transcriptOf(entries), tools: [] });
  }
  expect(session.isIdle).toBe(true);
  return spans.map(({ operation, subject, start, end, error }) => ({
    name: `${operation} ${subject}`,
    from: start / 1_000,
    to: end / 1_000,
    error,
  }));
}

const entry = (message: Message): AgentEvent => ({ type: 'entry', entry: { type: 'message', message } });
const activity = (name: Activity): AgentEvent => ({ type: 'activity', activity: name });
const about = { compaction: 1, trigger: { source: 'savings', requirement: 'soft', tokens: 10 } } as const;
const compaction = (phase: CompactionPhase): AgentEvent => ({ type: 'compaction-phase', ...about, ...phase });
const unchanged = {
  phase: 'done',
  strategy: 'ladder',
  status: 'unchanged',
  tokensBefore: 10,
  tokensAfter: 10,
  durationMs: 0,
} as const;

describe('the spans of a session', () => {
  it('measure an action from its approval, and later calls from its end', () => {
    const spans = replay(
      entry(typed('m1', 'go')),
      entry(called('m2', ['c1', 'run'], ['c2', 'look'])),
      { type: 'action', callKey: 'm2:0' },
      entry(result('m3', 'c1', 'done')),
      entry(result('m4', 'c2', 'seen')),
      activity('idle'),
    );
    expect(spans.slice(1)).toMatchObject([
      { name: 'execute_tool _OTHER', from: 3, to: 4 },
      { name: 'execute_tool _OTHER', from: 4, to: 5 },
      { name: 'invoke_agent context-budget', from: 1, to: 6 },
    ]);
  });

  it('end calls and the turn when the user stops it', () => {
    const spans = replay(
      entry(typed('m1', 'go')),
      entry(called('m2', ['c1', 'run'])),
      { type: 'turn', turn: { type: 'turn', outcome: 'stopped', message: 'Stopped.' } },
      activity('idle'),
    );
    expect(spans.slice(1)).toMatchObject([
      { name: 'execute_tool _OTHER', error: 'stopped' },
      { name: 'invoke_agent context-budget', error: 'stopped' },
    ]);
  });

  it('begin a turn again after a failed one', () => {
    const failed: AgentEvent = { type: 'turn', turn: { type: 'turn', outcome: 'failed', message: 'No.' } };
    const spans = replay(
      entry(typed('m1', 'go')),
      activity('waiting'),
      failed,
      activity('idle'),
      { type: 'turn', turn: undefined },
      activity('waiting'),
      entry(said('m2', 'done')),
      activity('idle'),
    );
    expect(spans.map(({ name, error }) => [name, error])).toEqual([
      ['chat ', 'failed'],
      ['invoke_agent context-budget', 'failed'],
      ['chat ', undefined],
      ['invoke_agent context-budget', undefined],
    ]);
  });

  it('leave out automatic compactions that changed nothing and asked no model', () => {
    const start = compaction({ phase: 'before', strategy: 'ladder' });
    expect(replay(start, compaction(unchanged))).toEqual([]);
    const asked = [
      compaction({ phase: 'summary-start', model: 'm' }),
      compaction({ phase: 'summary-end', model: 'm', outcome: 'failed' }),
    ];
    expect(replay(start, ...asked, compaction(unchanged))).toMatchObject([
      { name: 'chat m', error: 'failed' },
      { name: 'compact ladder', error: undefined },
    ]);
  });
});
