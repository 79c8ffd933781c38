import { describe, expect, it } from 'vitest';
import { withRecording } from '../../../src/presenters/import/joined-recording.ts';
import type { Message, ToolSchema } from '../../../src/compaction/messages/message.ts';
import type { Imported } from '../../../src/transcripts/reading/transcript-format.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { entriesOf, said, system, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

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

  describe('that the proxy compacted', () => {
    const compacted = (requestedStrategy: string): Imported => ({
      ...recording,
      entries: [
        ...recording.entries,
        { type: 'compaction', record: { ...recordWith('r1', [], []), requestedStrategy } },
      ],
    });
    const own = [typed('f1', 'Go.'), said('f2', 'Done.')];

    it('has the recorded context and its compactions, which the file lacks', () => {
      const { entries, toolHistory } = compacted('ladder');
      expect(withRecording(imported(own), { ...compacted('ladder'), toolHistory })).toMatchObject({
        entries,
        compactions: [],
      });
    });

    it('still has it if the recording lacks the newest reply', () => {
      const more = [...own, typed('f3', 'And then?'), said('f4', 'That too.')];
      expect(withRecording(imported(more), compacted('ladder')).entries).toEqual(compacted('ladder').entries);
    });

    it('has the messages of the file once it went on without the proxy', () => {
      const more = [...own, said('f3', 'More.'), said('f4', 'Much more.')];
      expect(messagesOf(withRecording(imported(more), compacted('ladder'))).map(({ id }) => id)).toEqual([
        'wire-m1',
        ...more.map(({ id }) => id),
      ]);
    });

    it('has the messages of the file if the client made the compaction', () => {
      const ids = messagesOf(withRecording(imported(own), compacted('rewritten'))).map(({ id }) => id);
      expect(ids).toEqual(['wire-m1', 'f1', 'f2']);
    });
  });
});
