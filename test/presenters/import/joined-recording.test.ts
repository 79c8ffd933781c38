import { describe, expect, it } from 'vitest';
import { withRecording } from '../../../src/presenters/import/joined-recording.ts';
import type { Message, ToolSchema } from '../../../src/compaction/messages/message.ts';
import type { Imported } from '../../../src/transcripts/reading/transcript-format.ts';
import { entriesOf, said, system, typed } from '../../support/messages.ts';

const tools: readonly ToolSchema[] = [{ type: 'function', function: { name: 'read' } }];
const imported = (messages: readonly Message[], more: Partial<Imported> = {}): Imported => ({
  entries: entriesOf(messages),
  tools: [],
  compactions: [],
  problems: [],
  ...more,
});

const recording = imported(
  [
    system('m1', 'You write code.'),
    typed('m2', 'Go.'),
    { ...said('m3', 'Done.'), usage: { inputTokens: 25_600, outputTokens: 2 } },
  ],
  { tools, servers: { read: 'files' } },
);

describe('a session joined with its recording', () => {
  it('begins with the recorded system prompt and has the recorded tools', () => {
    const joined = withRecording(imported([typed('m1', 'Go.'), said('m2', 'Done.')]), recording);
    expect(joined.entries.map((entry) => entry.type === 'message' && entry.message.id)).toEqual([
      'wire-m1',
      'm1',
      'm2',
    ]);
    expect(joined).toMatchObject({ tools, servers: { read: 'files' } });
  });

  it('has the recorded reports of replies without one', () => {
    const own = { ...said('m2', 'Done.'), usage: { inputTokens: 10, outputTokens: 1 } };
    const without = withRecording(imported([typed('m1', 'Go.'), said('m2', 'Done.')]), recording);
    expect(without.entries.at(-1)).toMatchObject({ message: { usage: { inputTokens: 25_600 } } });
    expect(withRecording(imported([typed('m1', 'Go.'), own]), recording).entries.at(-1)).toEqual({
      type: 'message',
      message: own,
    });
  });

  it('has the recorded exchanges at its own replies', () => {
    const exchange = { createdAt: '2026-11-27T10:00:00.000Z', outcome: 'complete', duration: 900 } as const;
    const exchanges = [
      { ...exchange, outcome: 'unreachable' as const },
      { ...exchange, messageId: 'm3' },
      { ...exchange, messageId: 'm9' },
    ];
    const own = imported([typed('m1', 'Go.'), said('m2', 'Done.')]);
    expect(withRecording(own, { ...recording, exchanges }).exchanges).toEqual([
      { ...exchange, outcome: 'unreachable' },
      { ...exchange, messageId: 'm2' },
      exchange,
    ]);
  });

  it('keeps its own system prompt and tools', () => {
    const own = imported([system('m1', 'You mend locks.'), typed('m2', 'Go.')], {
      tools: [...tools, ...tools],
    });
    expect(withRecording(own, recording)).toMatchObject({ entries: own.entries, tools: own.tools });
  });

  it('has its compactions at the same messages', () => {
    const compactions = [{ beforeMessageIndex: 2, keptFromIndex: 1, alsoKept: [0], summary: 'All is done.' }];
    const joined = withRecording(
      imported([typed('m1', 'Go.'), said('m2', 'Done.')], { compactions }),
      recording,
    );
    expect(joined.compactions).toEqual([
      { beforeMessageIndex: 3, keptFromIndex: 2, alsoKept: [1], summary: 'All is done.' },
    ]);
  });
});
