import { describe, expect, it } from 'vitest';
import { type Message, textOf } from '../../../../src/compaction/messages/message.ts';
import { ladder } from '../../../../src/compaction/strategies/ladder.ts';
import { applyRecord } from '../../../../src/compaction/transcript/view.ts';
import { createMeter, runCompaction } from '../../../support/engine.ts';
import { called, result, said, textOfTokens, typed } from '../../../support/messages.ts';

const meter = await createMeter();

/** Work on a request, with old output of an answered one. */
const work = (number: number): readonly Message[] => [
  typed(`m${number}`, `Look at part ${number}.`),
  called(`c${number}`, ['a', 'bash', { command: `cat part${number}` }]),
  result(`r${number}`, 'a', `${textOfTokens(2_000)} ${number}`),
  said(`s${number}`, `Part ${number} is fine.`),
];
const open: readonly Message[] = [
  typed('m9', 'Run the tests.'),
  called('c9', ['b', 'bash', { command: 'npm test' }]),
  result('r9', 'b', 'exit code 0'),
];

describe('a note on the state of the work', () => {
  const compacted = async (view: readonly Message[]) => {
    const [record] = await runCompaction({ view, strategy: ladder, target: 3_000 }, meter);
    return applyRecord(view, record!);
  };
  const notesIn = (view: readonly Message[]) => view.filter(({ kind }) => kind === 'summary');

  it('directly follows the last shortened result', async () => {
    const view = await compacted([...work(0), ...work(1), ...open]);
    const [note] = notesIn(view);
    expect(textOf(note!.content)).toContain('Run the tests.');
    expect(view[view.indexOf(note!) - 1]!.id).toBe('r0');
  });

  it('replaces an earlier note', async () => {
    const first = await compacted([...work(0), ...work(1), ...open]);
    const second = await compacted([
      ...first,
      said('s9', 'They pass.'),
      ...work(2),
      ...work(3),
      typed('m8', 'Thanks. Go on.'),
    ]);
    expect(notesIn(second)).toHaveLength(1);
    expect(textOf(notesIn(second)[0]!.content)).toContain('Go on.');
  });
});
