import { beforeAll, describe, expect, it } from 'vitest';
import { describeCall } from '../../../src/agent/tools/catalogue.ts';
import type { Message } from '../../../src/compaction/message.ts';
import type { RecordedAction } from '../../../src/compaction/record.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import {
  append,
  restoredTogether,
  type Transcript,
  transcriptOf,
} from '../../../src/compaction/transcript.ts';
import { planBringBack } from '../../../src/extension/inspector/bring-back.ts';
import { missingNames } from '../../../src/extension/inspector/missing-facts.ts';
import { setImmediate as pause } from 'node:timers/promises';
import { RecordDiff } from '../../../src/extension/inspector/record-diff.ts';
import { createMeter } from '../../support/engine.ts';
import { called, entriesOf, result, said, system, textOfTokens, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const history: readonly Message[] = [
  system('s', 'rules'),
  typed('u1', 'Always use tabs.'),
  called('a1', ['c1', 'run_command', { command: 'npm test' }]),
  result('r1', 'c1', 'fine'),
  called('a2', ['c2', 'run_command', { command: 'npm test && npm run lint' }]),
  result('r2', 'c2', textOfTokens(40)),
  called(
    'a3',
    ['c3', 'run_command', { command: 'npm test' }],
    ['c4', 'read_file', { path: 'src/a.ts' }],
    ['c5', 'read_file', { path: 'src/b.ts' }],
  ),
  result('r3', 'c3', 'fine'),
  result('r4', 'c4', 'a'),
  result('r5', 'c5', 'b'),
  typed('u2', 'and now?'),
  said('a4', 'done'),
];

/** Everything between the system message and the last question is dropped. */
const dropped = history.slice(1, 10).map(({ id }) => id);
const drop: RecordedAction = {
  kind: 'drop',
  sourceIds: dropped,
  reason: 'old',
  tokensBefore: 0,
  tokensAfter: 0,
};
const record = recordWith('k1', [drop], []);

function compacted(): Transcript {
  return append(transcriptOf(entriesOf(history)), { type: 'compaction', record });
}

function restored(transcript: Transcript, ids: readonly string[]): Transcript {
  return ids.reduce(
    (grown, id) => append(grown, { type: 'restore', createdAt: '', messageIds: restoredTogether(grown, id) }),
    transcript,
  );
}

describe('bringing back what is missing', () => {
  let meter: UsageMeter;
  let diff: RecordDiff;
  beforeAll(async () => {
    meter = await createMeter();
    diff = new RecordDiff(record, history, { meterOf: () => meter, user: 'You', describeCall });
  });
  const plan = (transcript: Transcript) => planBringBack(transcript, diff, meter, pause);

  it('takes the fewest messages that hold it', async () => {
    const { messages, missing, unreachable } = await plan(compacted());
    // `a3` says `npm test`, so `a1` is not needed.
    expect(messages.map(({ message }) => message.id)).toEqual(['u1', 'a2', 'a3']);
    expect(missing).toBe(5);
    expect(unreachable).toEqual([]);
  });

  it('says what each holds', async () => {
    const { messages } = await plan(compacted());
    expect(messages.map(({ facts }) => facts.toSorted())).toEqual([
      ['Always use tabs.'],
      ['npm test && npm run lint'],
      ['npm test', 'src/a.ts', 'src/b.ts'],
    ]);
  });

  it('costs what it says', async () => {
    const transcript = compacted();
    const { messages, addedTokens } = await plan(transcript);
    const after = restored(
      transcript,
      messages.map(({ message }) => message.id),
    );
    const [one, other] = await Promise.all([meter.measure(transcript.view), meter.measure(after.view)]);
    expect(addedTokens).toBe(other.total - one.total);
    expect(addedTokens).toBeGreaterThan(0);
  });

  it('leaves nothing missing', async () => {
    const transcript = compacted();
    const { messages } = await plan(transcript);
    const after = restored(
      transcript,
      messages.map(({ message }) => message.id),
    );
    expect(await plan(after)).toEqual({ messages: [], missing: 0, unreachable: [], addedTokens: 0 });
  });

  it('does not bring back what another message says again by now', async () => {
    const again = append(compacted(), {
      type: 'message',
      message: called('a9', ['c9', 'read_file', { path: 'src/a.ts' }]),
    });
    const { missing } = await plan(again);
    expect(missing).toBe(4);
  });
});

describe('the names of what is missing', () => {
  it('are all there, and messages go by what they say', () => {
    expect(missingNames({ record, before: history })).toEqual({
      files: ['src/a.ts', 'src/b.ts'],
      commands: ['npm test && npm run lint', 'npm test'],
      errors: [],
      identifiers: [],
      userMessages: ['Always use tabs.'],
    });
  });

  it('are more than a record names', () => {
    const calls = Array.from({ length: 80 }, (_, index) =>
      called(`x${index}`, [`c${index}`, 'read_file', { path: `src/${index}.ts` }]),
    );
    const all = { ...drop, sourceIds: calls.map(({ id }) => id) };
    const { files } = missingNames({ record: recordWith('k1', [all], []), before: calls });
    expect(files).toHaveLength(80);
  });

  it('leave out what the compaction wrote down', () => {
    const summary: Message = { ...typed('k1.1', 'src/a.ts was read, and npm\ntest ran'), kind: 'summary' };
    const summarise: RecordedAction = { ...drop, kind: 'summarise', outputId: 'k1.1' };
    const names = missingNames({ record: recordWith('k1', [summarise], [summary]), before: history });
    expect(names.files).toEqual(['src/b.ts']);
    expect(names.commands).toEqual(['npm test && npm run lint']);
  });
});
