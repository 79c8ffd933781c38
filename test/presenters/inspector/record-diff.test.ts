import { beforeAll, describe, expect, it } from 'vitest';
import { describeCall } from '../../../src/agent/tools/catalogue.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { searchDiff } from '../../../src/presenters/inspector/compactions-host.ts';
import { setImmediate as pause } from 'node:timers/promises';
import { nodeSlices } from '../../../src/agent/node-slices.ts';
import { RecordDiff, noLaterChanges } from '../../../src/presenters/inspector/record-diff.ts';
import { createMeter } from '../../support/engine.ts';
import { called, result, said, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';
import { hostSentences } from '../../../src/language/english/host-english.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';

const user = hostSentences.say('titleYou');

const before: readonly Message[] = [
  typed('m1', 'Find the LOCK, please'),
  called('m2', ['a', 'read_file', { path: './src/lock.ts' }], ['b', 'run_command', { command: 'npm test' }]),
  result('m3', 'a', 'export const lock = 1;\nexport const unlock = 2;'),
  result('m4', 'b', 'exit 1: EBUSY (lock.ts:4)'),
  said('m5', 'The lock is fine.'),
];
const hidden: Message = { ...before[2]!, content: '[hidden, ask for m3]' };
const record = recordWith(
  'c1',
  [
    { kind: 'keep', sourceIds: ['m1', 'm2'], reason: 'not touched', tokensBefore: 20, tokensAfter: 20 },
    { kind: 'hide', sourceIds: ['m3'], outputId: 'm3', reason: 'old', tokensBefore: 12, tokensAfter: 6 },
    { kind: 'drop', sourceIds: ['m4'], reason: 'old', tokensBefore: 9, tokensAfter: 0 },
    { kind: 'keep', sourceIds: ['m5'], reason: 'not touched', tokensBefore: 5, tokensAfter: 5 },
  ],
  [hidden],
);

describe('the diff of a record', () => {
  let meter: UsageMeter;
  let diff: RecordDiff;
  beforeAll(async () => {
    meter = await createMeter();
    diff = new RecordDiff(record, before, {
      meterOf: () => meter,
      user,
      describeCall,
      wording: englishWording,
    });
  });

  it('lists the tools and files of each row for the filter', async () => {
    const rows = await diff.rowViews(noLaterChanges, nodeSlices());
    expect(rows.map(({ tools, files }) => [tools, files])).toEqual([
      [['read_file', 'run_command'], ['src/lock.ts']],
      [['read_file'], ['src/lock.ts']],
      [['run_command'], []],
      [[], []],
    ]);
  });

  it('lists kind and tokens of every message of each row, even if its line is not sent', async () => {
    const [kept] = await diff.rowViews(noLaterChanges, nodeSlices());
    expect(kept?.strip).toEqual([
      ['user', expect.any(Number)],
      ['toolCall', expect.any(Number)],
    ]);
  });

  it('marks the last message with a file or command that is no longer named', async () => {
    const dropped = recordWith(
      'c2',
      [
        { kind: 'keep', sourceIds: ['m1'], reason: 'not touched', tokensBefore: 20, tokensAfter: 20 },
        { kind: 'drop', sourceIds: ['m2', 'm3', 'm4'], reason: 'old', tokensBefore: 9, tokensAfter: 0 },
        { kind: 'keep', sourceIds: ['m5'], reason: 'not touched', tokensBefore: 5, tokensAfter: 5 },
      ],
      [],
    );
    const ports = { meterOf: () => meter, user, describeCall, wording: englishWording };
    const rows = await new RecordDiff(dropped, before, ports).rowViews(noLaterChanges, nodeSlices());
    expect(rows.map(({ lostCount }) => lostCount)).toEqual([undefined, 1, undefined]);
    expect(rows[1]?.sources.map(({ isLost = false }) => isLost)).toEqual([true, false, false]);
  });

  it('marks messages that are now hidden or in context', async () => {
    const rows = await diff.rowViews(
      { ...noLaterChanges, hidden: new Set(['m3']), inContext: new Set(['m4']) },
      nodeSlices(),
    );
    const sources = rows.flatMap((row) => row.sources);
    expect(
      sources.map(({ id, isHidden = false, isInContext = false }) => [id, isHidden, isInContext]),
    ).toEqual([
      ['m3', true, false],
      ['m4', false, true],
    ]);
    expect(rows.reduce((count, { hiddenCount = 0 }) => count + hiddenCount, 0)).toBe(1);
  });

  it('marks messages that were pinned or restored later', async () => {
    const marks = { ...noLaterChanges, restored: new Set(['m3']), pins: new Set(['m4']) };
    const rows = await diff.rowViews(marks, nodeSlices());
    const sources = rows.flatMap((row) => row.sources);
    expect(sources.map(({ id, isRestored, isPinned = false }) => [id, isRestored, isPinned])).toEqual([
      ['m3', true, false],
      ['m4', false, true],
    ]);
  });

  it('sends the kept messages between two changes only on request', async () => {
    const [kept] = await diff.rowViews(noLaterChanges, nodeSlices());
    expect(kept?.sources).toEqual([]);
    const all = await diff.sources(0, noLaterChanges);
    expect(all?.map(({ id }) => id)).toEqual(['m1', 'm2']);
    expect(await diff.sources(9, noLaterChanges)).toBeUndefined();
  });

  it('returns the texts on both sides', () => {
    expect(diff.texts('m3', 12)).toEqual({ before: 'export const', after: '[hidden, ask' });
    expect(diff.texts('m4', 100)).toEqual({ before: 'exit 1: EBUSY (lock.ts:4)', after: undefined });
    expect(diff.texts('m9', 100)).toBeUndefined();
  });
});

describe('a search in a diff', () => {
  const rows = () => new RecordDiff(record, before, ports).rows;
  const ports = {
    meterOf: () => Promise.reject(new Error('not counted')) as never,
    wording: englishWording,
    user,
    describeCall,
  };
  const find = async (query: string) => searchDiff(rows(), query, pause, new AbortController().signal);

  it('finds text on either side, regardless of case', async () => {
    const { matches, total } = await find('lock');
    expect(matches.map(({ messageId, side, count }) => [messageId, side, count])).toEqual([
      ['m1', 'both', 1],
      ['m2', 'both', 1],
      ['m3', 'before', 2],
      ['m4', 'before', 1],
      ['m5', 'both', 1],
    ]);
    expect(total).toBe(5);
  });

  it('finds the text that the compaction wrote', async () => {
    const { matches } = await find('ask for');
    expect(matches).toMatchObject([{ messageId: 'm3', side: 'after', index: 1 }]);
  });

  it('treats the query as plain text, not as a pattern', async () => {
    expect((await find('(lock.ts:4)')).total).toBe(1);
    expect((await find('l.ck')).total).toBe(0);
    expect((await find('   ')).total).toBe(0);
  });

  it('shows a match and the text around it on one line', async () => {
    const { matches } = await find('unlock');
    expect(matches[0]?.excerpt).toEqual({
      before: 'export const lock = 1; export const ',
      match: 'unlock',
      after: ' = 2;',
    });
  });

  it('stops when the next search begins', async () => {
    const stop = new AbortController();
    stop.abort();
    const long = new RecordDiff(
      recordWith('c1', record.actions, []),
      before.map((message) => ({ ...message, content: 'lock '.repeat(600_000) })),
      ports,
    );
    const { total } = await searchDiff(long.rows, 'lock', pause, stop.signal);
    expect(total).toBeLessThan(before.length);
  });
});
