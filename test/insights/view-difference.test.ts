import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src/compaction/messages/message.ts';
import type { RecordedAction } from '../../src/compaction/records/record.ts';
import type { TranscriptEntry } from '../../src/compaction/transcript/transcript-entry.ts';
import { project } from '../../src/compaction/transcript/view.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { viewDifference } from '../../src/insights/view-difference.ts';
import { viewPoints } from '../../src/insights/view-points.ts';
import { createMeter } from '../support/engine.ts';
import { called, entriesOf, result, said, system, textOfTokens, typed } from '../support/messages.ts';
import { sessionStories, tell } from '../support/own-sessions.ts';
import { recordWith } from '../support/records.ts';
import { soak } from '../support/soak.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const begun = entriesOf([
  system('s', 'rules'),
  typed('u', 'find it'),
  called('a1', ['k1', 'read', { path: 'f.ts' }]),
  result('r1', 'k1', textOfTokens(500)),
  said('a2', 'found'),
]);
const more = entriesOf([typed('u2', 'go on'), said('a3', 'done')]);

function compaction(id: string, action: Partial<RecordedAction>, output?: Message): TranscriptEntry {
  const whole = { kind: 'drop', sourceIds: [], reason: `by ${id}`, tokensBefore: 0, tokensAfter: 0 } as const;
  const outputs = output === undefined ? [] : [output];
  const outputId = output === undefined ? {} : { outputId: output.id };
  return { type: 'compaction', record: recordWith(id, [{ ...whole, ...outputId, ...action }], outputs) };
}
const hiding = compaction(
  'c1',
  { kind: 'hide', sourceIds: ['r1'] },
  { ...result('r1', 'k1', 'hidden'), truncation: { fate: 'hide', originalTokens: 500 } },
);
const summing = compaction(
  'c2',
  { kind: 'summarise', sourceIds: ['a1', 'r1', 'a2'] },
  said('c2.1', 'A summary.'),
);
const undo = (...recordIds: readonly string[]): TranscriptEntry => ({ type: 'undo', createdAt, recordIds });
const restore = (...messageIds: readonly string[]): TranscriptEntry => ({
  type: 'restore',
  createdAt,
  messageIds,
});

describe('the difference between the context at two points', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });
  /** Rows in short form: the change, its messages, and their replacement. */
  async function changes(entries: readonly TranscriptEntry[], from: number, to = entries.length) {
    const { rows } = await viewDifference(entries, { from, to }, meter);
    return rows.map(({ action: { kind, sourceIds, outputId } }) =>
      [kind, sourceIds.join('+'), outputId].filter((part) => part !== undefined && part !== '').join(' '),
    );
  }

  it('lists added messages one by one', async () => {
    expect(await changes([...begun, ...more], 5)).toEqual(['keep s+u+a1+r1+a2', 'insert u2', 'insert a3']);
  });

  it('pairs a message with its replacement, even after two compactions', async () => {
    const entries = [...begun, hiding, summing, ...more];
    expect(await changes(entries, 5, 6)).toEqual(['keep s+u+a1', 'hide r1 r1', 'keep a2']);
    expect(await changes(entries, 5, 7)).toEqual(['keep s+u', 'summarise a1+r1+a2 c2.1']);
    expect(await changes(entries, 6, 7)).toEqual(['keep s+u', 'summarise a1+r1+a2 c2.1']);
  });

  it('pairs a restored message with its earlier replacement', async () => {
    for (const event of [undo('c1'), restore('r1')]) {
      expect(await changes([...begun, hiding, event], 6)).toEqual([
        'keep s+u+a1',
        'restore r1 r1',
        'keep a2',
      ]);
    }
  });

  it('lists all messages that an undone summary had replaced', async () => {
    expect(await changes([...begun, hiding, summing, undo('c2', 'c1')], 7)).toEqual([
      'keep s+u',
      'drop c2.1',
      'restore a1',
      'restore r1',
      'restore a2',
    ]);
  });

  it('lists messages that were removed together in one row, with the reason for the compaction', async () => {
    const dropping = compaction('c3', { sourceIds: ['a1', 'r1'] });
    const { rows } = await viewDifference([...begun, dropping], { from: 5, to: 6 }, meter);
    expect(rows.map(({ action }) => [action.kind, action.sourceIds, action.reason])).toEqual([
      ['keep', ['s', 'u'], 'in context both times'],
      ['drop', ['a1', 'r1'], 'by c3'],
      ['keep', ['a2'], 'in context both times'],
    ]);
  });

  it('is empty across a compaction and its undo', async () => {
    expect(await changes([...begun, hiding, undo('c1')], 5)).toEqual(['keep s+u+a1+r1+a2']);
  });

  it('contains every message of both views once, in order, with tokens that add up', async () => {
    await fc.assert(
      fc.asyncProperty(sessionStories, fc.nat(), fc.nat(), async (story, one, other) => {
        const { entries } = await tell(story, meter);
        const [from, to] = [one, other]
          .map((place) => place % (entries.length + 1))
          .toSorted((a, b) => a - b) as [number, number];
        const { before, after, rows } = await viewDifference(entries, { from, to }, meter);
        expect(before).toEqual(project(entries.slice(0, from)));
        expect(rows.flatMap(({ sources }) => sources.map(({ id }) => id)).toSorted()).toEqual(
          before.map(({ id }) => id).toSorted(),
        );
        const right = rows.flatMap(({ action, sources, output }) =>
          action.kind === 'keep' ? sources : (output ?? []),
        );
        expect(right.map(({ id }) => id)).toEqual(after.map(({ id }) => id));
        const sum = (side: 'tokensBefore' | 'tokensAfter') =>
          rows.reduce((total, { action }) => total + action[side], 0);
        expect(sum('tokensBefore')).toBe((await meter.measure(before)).total);
        expect(sum('tokensAfter')).toBe((await meter.measure(after)).total);
      }),
      { numRuns: soak(40, 150), endOnFailure: true },
    );
  });
});

describe('the points of a session', () => {
  it('are its requests, the changes of the context, and the present', () => {
    const refused = { ...recordWith('c9', [], []), status: 'refused' } as const;
    const entries: readonly TranscriptEntry[] = [
      ...begun,
      hiding,
      { type: 'compaction', record: refused },
      undo('c1'),
      restore('r1'),
    ];
    expect(viewPoints(entries)).toEqual([
      { type: 'request', number: 1, at: 2 },
      { type: 'request', number: 2, at: 4 },
      { type: 'compaction', recordId: 'c1', strategy: 'test', at: 6 },
      { type: 'undo', recordIds: ['c1'], at: 8 },
      { type: 'restore', messageIds: ['r1'], at: 9 },
      { type: 'now', at: 9 },
    ]);
  });
});
