import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { diffOf } from '../../src/compaction/records/compaction-diff.ts';
import { toChatMessage, type Message, type ToolSchema } from '../../src/compaction/messages/message.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { append, messagesOf, recordsOf, transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { noSession } from '../../src/compaction/quoting/session-tags.ts';
import { summaryText } from '../../src/compaction/summary/summary-form.ts';
import { viewBefore } from '../../src/compaction/transcript/view.ts';
import type { ForeignCompaction, Imported } from '../../src/transcripts/reading/transcript-format.ts';
import { addForeignCompactions } from '../../src/transcripts/foreign-compactions.ts';
import { createMeter } from '../support/engine.ts';
import { histories } from '../support/histories.ts';
import { called, result, said, system, typed } from '../support/messages.ts';

const summaryOf = (notes: string) => summaryText(notes, noSession);

let meter: UsageMeter;
beforeAll(async () => {
  meter = await createMeter();
});

function imported(
  messages: readonly Message[],
  compactions: readonly ForeignCompaction[],
  tools: readonly ToolSchema[] = [],
): Imported {
  return {
    entries: messages.map((message) => ({ type: 'message', message })),
    tools,
    compactions,
    problems: [],
  };
}

async function compacted(messages: readonly Message[], ...compactions: readonly ForeignCompaction[]) {
  return transcriptOf(await addForeignCompactions(imported(messages, compactions), meter));
}

function undoAll(transcript: ReturnType<typeof transcriptOf>) {
  const recordIds = recordsOf(transcript).map(({ id }) => id);
  return append(transcript, { type: 'undo', createdAt: '2026-01-02T00:00:00.000Z', recordIds });
}

const conversation = [
  system('m1', 'rules'),
  typed('m2', 'read src/store.ts'),
  called('m3', ['c1', 'read_file', { path: 'src/store.ts' }]),
  result('m4', 'c1', 'export const store = 1;'),
  said('m5', 'It exports store.'),
  typed('m6', 'and the lock?'),
];

describe('compactions of other agents', () => {
  it('become records at the positions where they were made', async () => {
    const compaction = {
      agent: 'codex',
      beforeMessageIndex: 5,
      summary: 'store is in src/store.ts',
      createdAt: '2026-01-01T08:00:00.000Z',
    };
    const transcript = await compacted(conversation, compaction);
    expect(transcript.entries.map(({ type }) => type)).toEqual([
      ...Array<string>(5).fill('message'),
      'compaction',
      'message',
    ]);
    expect(transcript.view.map(({ content }) => content)).toEqual([
      'rules',
      summaryOf('store is in src/store.ts'),
      'and the lock?',
    ]);
    expect(recordsOf(transcript)).toMatchObject([
      {
        id: 'c1',
        createdAt: '2026-01-01T08:00:00.000Z',
        requestedStrategy: 'codex',
        actualStrategy: 'codex',
        status: 'applied',
        tiers: [{ strategy: 'codex', status: 'applied' }],
        coverage: { files: { kept: 1, total: 1 }, userMessages: { kept: 0, total: 1 } },
      },
    ]);
  });

  it('are measured with our token counter, including tool schemas', async () => {
    const tools: readonly ToolSchema[] = [{ type: 'function', function: { name: 'read_file' } }];
    const compaction = { beforeMessageIndex: 5, summary: 'notes' };
    const entries = await addForeignCompactions(imported(conversation, [compaction], tools), meter);
    const [record] = recordsOf({ entries });
    const toolTokens = (await meter.measureTools(tools)).total;
    const before = await meter.measure(conversation.slice(0, 5));
    const after = await meter.measure([conversation[0]!, ...(record?.outputs ?? [])]);
    expect(record).toMatchObject({
      trigger: { tokens: before.total + toolTokens },
      before: { messages: 5, tokens: before.total + toolTokens },
      after: { messages: 2, tokens: after.total + toolTokens },
      cost: { savedPerCall: before.total - after.total },
    });
    const tokens = (side: 'tokensBefore' | 'tokensAfter') =>
      record?.actions.reduce((total, action) => total + action[side], toolTokens);
    expect(tokens('tokensBefore')).toBe(before.total + toolTokens);
    expect(tokens('tokensAfter')).toBe(after.total + toolTokens);
  });

  it('record the outcome of each message', async () => {
    const transcript = await compacted(conversation, {
      agent: 'pi',
      beforeMessageIndex: 5,
      summary: 'notes',
    });
    const [record] = recordsOf(transcript);
    const rows = diffOf(record!, viewBefore(transcript.entries, 'c1'));
    expect(rows.map(({ action, sources }) => [action.kind, sources.map(({ id }) => id)])).toEqual([
      ['keep', ['m1']],
      ['summarise', ['m2', 'm3', 'm4', 'm5']],
    ]);
    expect(rows[1]).toMatchObject({
      action: { reason: 'summarised by Pi' },
      output: { kind: 'summary', origin: 'strategy' },
    });
  });

  it('keep the messages that the agent kept, and the whole exchange of each', async () => {
    const transcript = await compacted(conversation, {
      beforeMessageIndex: 5,
      keptFromIndex: 3,
      summary: 'notes',
    });
    expect(transcript.view.map(({ id }) => id)).toEqual(['m1', 'c1.1', 'm3', 'm4', 'm5', 'm6']);
  });

  it('keep single earlier messages that the agent kept', async () => {
    const transcript = await compacted(conversation, {
      beforeMessageIndex: 6,
      keptFromIndex: 5,
      alsoKept: [1, 99],
      summary: 'notes',
    });
    expect(transcript.view.map(({ id }) => id)).toEqual(['m1', 'm2', 'c1.1', 'm6']);
  });

  it('remove only the instructions that were not kept', async () => {
    const messages = [...conversation.slice(0, 5), system('m6', 'facts'), typed('m7', 'and the lock?')];
    const transcript = await compacted(messages, {
      beforeMessageIndex: 6,
      instructionsLeft: [5, 99],
      summary: 'Notes.',
    });
    expect(transcript.view.map(({ content }) => content)).toEqual([
      'rules',
      summaryOf('Notes.'),
      'and the lock?',
    ]);
  });

  it('remove messages that were cut off, without a replacement', async () => {
    const cut = { agent: 'roo-code', summary: '', isCut: true, beforeMessageIndex: 5 } as const;
    const transcript = await compacted(conversation, { ...cut, alsoKept: [1] });
    expect(transcript.view.map(({ id }) => id)).toEqual(['m1', 'm2', 'm6']);
    const [record] = recordsOf(transcript);
    expect(record?.actions.at(-1)).toMatchObject({ kind: 'drop', sourceIds: ['m3', 'm4', 'm5'] });
    // The remaining message names it.
    expect(record?.coverage.files).toEqual({ kept: 1, total: 1, missing: [] });
    expect(undoAll(transcript).view).toEqual(transcriptOf(imported(conversation, []).entries).view);
    const nothing = await compacted(conversation, { ...cut, beforeMessageIndex: 2, alsoKept: [1] });
    expect(recordsOf(nothing)).toEqual([]);
  });

  it('are moved before an exchange that they would split', async () => {
    const transcript = await compacted(conversation, { beforeMessageIndex: 3, summary: 'notes' });
    expect(transcript.view.map(({ id }) => id)).toEqual(['m1', 'c1.1', 'm3', 'm4', 'm5', 'm6']);
  });

  it('take effect one after another, in the order of their positions', async () => {
    const transcript = await compacted(
      conversation,
      { beforeMessageIndex: 6, summary: 'second' },
      { beforeMessageIndex: 2, summary: 'first' },
    );
    expect(transcript.view.map(({ content }) => content)).toEqual(['rules', summaryOf('second')]);
    const [first, second] = recordsOf(transcript);
    expect(first?.actions[1]).toMatchObject({ sourceIds: ['m2'], outputId: 'c1.1' });
    expect(second?.actions[1]).toMatchObject({ sourceIds: ['c1.1', 'm3', 'm4', 'm5', 'm6'] });
  });

  it('place a summary of messages missing from the file before all other messages', async () => {
    const transcript = await compacted(conversation, {
      beforeMessageIndex: 0,
      summary: 'an earlier session',
    });
    expect(transcript.view[0]?.content).toBe(summaryOf('an earlier session'));
    const behindSystem = await compacted(conversation, { beforeMessageIndex: 1, summary: 'earlier' });
    expect(behindSystem.view.slice(0, 2).map(({ id }) => id)).toEqual(['m1', 'c1.1']);
  });

  it('keep the text of our own summaries', async () => {
    const transcript = await compacted(conversation, {
      beforeMessageIndex: 6,
      summary: summaryOf('ours'),
    });
    expect(transcript.view.at(-1)?.content).toBe(summaryOf('ours'));
  });

  it('have the strategy of another agent and the time of the previous message if the file states neither', async () => {
    const [record] = recordsOf(await compacted(conversation, { beforeMessageIndex: 6, summary: 'notes' }));
    expect(record).toMatchObject({
      actualStrategy: 'another-agent',
      createdAt: conversation.at(-1)?.createdAt,
    });
  });

  it('are left out without a summary', async () => {
    const entries = await addForeignCompactions(
      imported(conversation, [{ beforeMessageIndex: 5, summary: ' ' }]),
      meter,
    );
    expect(entries.map(({ type }) => type)).not.toContain('compaction');
  });

  it('can all be undone, and leave a valid view at any position', async () => {
    const position = fc.integer({ min: -1, max: 70 });
    const compaction = fc.record(
      {
        beforeMessageIndex: position,
        keptFromIndex: position,
        alsoKept: fc.array(position, { maxLength: 5 }),
        isCut: fc.constant(true),
        summary: fc.constant('notes'),
      },
      { requiredKeys: ['beforeMessageIndex', 'summary'] },
    );
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.array(compaction as fc.Arbitrary<ForeignCompaction>, { maxLength: 3 }),
        async ({ messages }, compactions) => {
          const plain = transcriptOf(imported(messages, []).entries);
          const transcript = await compacted(messages, ...compactions);
          const summaries = compactions.filter(({ isCut }) => isCut !== true);
          expect(recordsOf(transcript).length).toBeGreaterThanOrEqual(summaries.length);
          expect(recordsOf(transcript).length).toBeLessThanOrEqual(compactions.length);
          expect(messagesOf(transcript)).toEqual(messages);
          expect(findViolations(transcript.view.map(toChatMessage))).toEqual([]);
          expect(undoAll(transcript).view).toEqual(plain.view);
        },
      ),
    );
  });
});
