import { describe, expect, it } from 'vitest';
import { hideId } from '../../../src/compaction/records/record.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import { transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { outOfContext } from '../../../src/presenters/chat/out-of-context.ts';
import { said, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

describe('outOfContext', () => {
  const messages = [typed('m1', 'one'), said('m2', 'two'), typed('m3', 'three'), said('m4', 'four')];
  const spoken = messages.map((message): TranscriptEntry => ({ type: 'message', message }));
  const dropped = (id: string, source: string, strategy: string): TranscriptEntry => ({
    type: 'compaction',
    record: {
      ...recordWith(
        id,
        [{ kind: 'drop', sourceIds: [source], reason: '', tokensBefore: 1, tokensAfter: 0 }],
        [],
      ),
      actualStrategy: strategy,
    },
  });
  const taken = [...spoken, dropped('c1', 'm2', hideId), dropped('c2', 'm3', 'sliding-window')];

  it('distinguishes messages that the user hid from messages that a compaction removed', () => {
    expect(outOfContext(transcriptOf(taken))).toEqual({ hidden: ['m2'], absent: ['m3'] });
  });

  it('omits messages that are back in context', () => {
    const shown: TranscriptEntry = { type: 'restore', createdAt: '', messageIds: ['m2'] };
    const undone: TranscriptEntry = { type: 'undo', createdAt: '', recordIds: ['c2'] };
    expect(outOfContext(transcriptOf([...taken, shown, undone]))).toEqual({ hidden: [], absent: [] });
  });
});
