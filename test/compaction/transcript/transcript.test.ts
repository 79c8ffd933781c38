import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompactionRecord, RecordedAction } from '../../../src/compaction/records/record.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import {
  append,
  broughtMessages,
  emptyTranscript,
  folderNamedIn,
  growingTranscripts,
  isShownAsItWas,
  messagesOf,
  nextRecordIds,
  originalOf,
  restoredTogether,
  shownAsSaid,
  type Transcript,
  transcriptBefore,
  TranscriptError,
  transcriptOf,
  unlessStale,
} from '../../../src/compaction/transcript/transcript.ts';
import { viewBefore } from '../../../src/compaction/transcript/view.ts';
import { called, entriesOf, result, said, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

describe('transcript', () => {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const history = [
    typed('m1', 'find the bug'),
    called('m2', ['a', 'read_file']),
    result('m3', 'a', 'a long file'),
    said('m4', 'it is in line 3'),
    typed('m5', 'fix it'),
  ];

  const hides = (recordId: string, id: string): CompactionRecord =>
    recordWith(recordId, [action('hide', [id], id)], [result(id, 'a', '[hidden]')]);
  const summarises = (recordId: string, ids: readonly string[]): CompactionRecord =>
    recordWith(
      recordId,
      [action('summarise', ids, `s${recordId}`)],
      [{ ...typed(`s${recordId}`, 'summary'), origin: 'strategy', kind: 'summary' }],
    );

  function action(
    kind: RecordedAction['kind'],
    sourceIds: readonly string[],
    outputId: string,
  ): RecordedAction {
    return { kind, sourceIds, outputId, reason: 'test', tokensBefore: 10, tokensAfter: 1 };
  }

  const compaction = (record: CompactionRecord): TranscriptEntry => ({ type: 'compaction', record });
  const ids = (transcript: Pick<Transcript, 'view'>) => transcript.view.map(({ id }) => id);
  const start = transcriptOf(entriesOf(history));

  describe('append', () => {
    it('makes a new transcript and leaves the old one unchanged', () => {
      const longer = append(start, { type: 'message', message: said('m6', 'done') });
      expect(ids(start)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
      expect(ids(longer)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
    });

    it('accepts a call and later its result, which replaces a placeholder in the view', () => {
      const asked = append(emptyTranscript, { type: 'message', message: called('m1', ['a', 'x']) });
      expect(asked.view[1]?.content).toContain('interrupted');
      const answered = append(asked, { type: 'message', message: result('m2', 'a', 'here') });
      expect(ids(answered)).toEqual(['m1', 'm2']);
    });

    describe('refuses', () => {
      const compacted = append(start, compaction(summarises('c1', ['m2', 'm3'])));
      const mark = { type: 'mark', createdAt, sentence: 'fix it' } as const;

      it.each<[string, TranscriptEntry, string]>([
        ['a message id twice', { type: 'message', message: typed('m1', 'x') }, 'already has m1'],
        ['a record id twice', compaction(hides('c1', 'm3')), 'already has c1'],
        ['to undo a missing record', { type: 'undo', createdAt, recordIds: ['c1', 'c9'] }, 'has no c9'],
        ['to restore a missing message', { type: 'restore', createdAt, messageIds: ['m9'] }, 'has no m9'],
        ['to mark a missing message', { ...mark, messageIds: ['m9'] }, 'has no m9'],
        ['to mark a summary', { ...mark, messageIds: ['sc1'] }, 'has no sc1'],
        [
          'to pin a missing message',
          { type: 'pin', createdAt, messageIds: ['m9'], pinned: true },
          'has no m9',
        ],
      ])('%s', (_, entry, words) => {
        expect(() => append(compacted, entry)).toThrow(words);
        expect(() => append(compacted, entry)).toThrow(TranscriptError);
        expect(() => transcriptOf([...compacted.entries, entry])).toThrow(words);
      });

      it('a used id, but not an id that only another transcript uses', () => {
        append(start, { type: 'message', message: said('m6', 'done') });
        const other = append(start, { type: 'message', message: said('m6', 'not done') });
        expect(other.view.at(-1)?.content).toBe('not done');
        expect(() => append(other, { type: 'message', message: said('m6', 'x') })).toThrow('already has m6');
      });

      it('neither a restore of a summary nor a mark', () => {
        const back: TranscriptEntry = { type: 'restore', createdAt, messageIds: ['sc1'] };
        expect(ids(append(compacted, back))).toEqual(ids(compacted));
        expect(ids(transcriptOf([...compacted.entries, back]))).toEqual(ids(compacted));
        const marked = append(compacted, { ...mark, messageIds: ['m5'], as: 'rule' });
        expect(ids(marked)).toEqual(ids(compacted));
      });
    });
  });

  describe('a list that is read again as it grows', () => {
    const fragment = fc.constantFrom(
      (id: string) => typed(id, `words of ${id}`),
      (id: string) => said(id, `reply ${id}`),
      (id: string) => called(id, ['a', 'read_file'], ['b', 'read_file']),
      (id: string) => result(id, 'a', 'a long file'),
      (id: string) => result(id, 'b', 'another file'),
    );
    /** Number of last messages that are replaced, and the messages that are added. */
    const steps = fc.array(fc.tuple(fc.nat(4), fc.array(fragment, { maxLength: 4 })), { maxLength: 20 });

    it('gives the transcript of its entries', () => {
      fc.assert(
        fc.property(steps, (changes) => {
          const transcriptNow = growingTranscripts();
          let entries: readonly TranscriptEntry[] = [];
          for (const [left, added] of changes) {
            const kept = entries.slice(0, Math.max(0, entries.length - left));
            const messages = added.map((make, index) => make(`m${kept.length + index + 1}`));
            entries = [...kept, ...entriesOf(messages)];
            expect(transcriptNow(entries)).toEqual(transcriptOf(entries));
          }
        }),
      );
    });

    it('may replace a message by another with the same id', () => {
      const before = transcriptOf(entriesOf(history.slice(0, 3)));
      const one = append(before, { type: 'message', message: said('m4', 'one') });
      const other = append(before, { type: 'message', message: said('m4', 'other') });
      expect([one, other].map(({ view }) => view.at(-1)?.content)).toEqual(['one', 'other']);
      expect(() => append(one, { type: 'message', message: said('m4', 'again') })).toThrow(TranscriptError);
    });
  });

  describe('a compaction in a transcript', () => {
    it('changes the view, but not the messages', () => {
      const hidden = append(start, compaction(hides('c1', 'm3')));
      expect(hidden.view[2]?.content).toBe('[hidden]');
      expect(messagesOf(hidden)).toEqual(history);
    });

    it('places a summary at the position of the last replaced message', () => {
      const summarised = append(start, compaction(summarises('c1', ['m2', 'm3', 'm4'])));
      expect(ids(summarised)).toEqual(['m1', 'sc1', 'm5']);
    });

    it('changes nothing if it was refused', () => {
      const refused = append(start, compaction({ ...hides('c1', 'm3'), status: 'refused' }));
      expect(refused.view).toEqual(start.view);
    });

    it('belongs to the state before a later compaction, but not to the state before itself', () => {
      const twice = append(append(start, compaction(hides('c1', 'm3'))), compaction(hides('c2', 'm3')));
      const lengths = ['c1', 'c2', 'c9'].map((id) => transcriptBefore(twice.entries, id).entries.length);
      expect(lengths).toEqual([5, 6, 7]);
      expect(viewBefore(twice.entries, 'c9')).toEqual(twice.view);
    });

    it('adds messages that can be found by id, but no shortened form of an earlier summary', () => {
      const summarised = append(start, compaction(summarises('c1', ['m2', 'm3'])));
      const clipped = recordWith(
        'c2',
        [action('clip', ['sc1'], 'sc1')],
        [{ ...typed('sc1', 's'), origin: 'strategy' }],
      );
      const noted = recordWith('c3', [action('insert', [], 'n1')], [typed('n1', 'a note')]);
      const all = [clipped, noted].reduce((before, record) => append(before, compaction(record)), summarised);
      expect(broughtMessages(all).map(({ id, content }) => [id, content])).toEqual([
        ['sc1', 'summary'],
        ['n1', 'a note'],
      ]);
      expect(['sc1', 'n1', 'm3', 'm9'].map((id) => originalOf(all, id)?.content)).toEqual([
        'summary',
        'a note',
        'a long file',
        undefined,
      ]);
      expect(restoredTogether(all, 'sc1')).toEqual(['sc1']);
      expect(restoredTogether(all, 'm9')).toEqual([]);
    });

    it('distinguishes rewritten, removed and unchanged messages', () => {
      const truncation = { fate: 'hide', originalTokens: 9 } as const;
      const hidden = { ...result('m3', 'a', '[hidden]'), truncation };
      const record = recordWith('c1', [action('hide', ['m3'], 'm3')], [hidden]);
      const both = append(append(start, compaction(record)), compaction(summarises('c2', ['m4'])));
      expect([...shownAsSaid(both)]).toEqual(['m1', 'm2', 'm5']);
      expect(['m1', 'm3', 'm4', 'sc2', 'm9'].map((id) => isShownAsItWas(both, id))).toEqual([
        true,
        false,
        false,
        true,
        false,
      ]);
    });

    it('names the newest folder of the session', () => {
      const inFolder = (id: string, folder: string): TranscriptEntry =>
        compaction({ ...hides(id, 'm3'), folder });
      const named = [
        start.entries,
        inFolder('c1', '/a'),
        inFolder('c2', '/b'),
        compaction(hides('c3', 'm3')),
      ].flat();
      expect(folderNamedIn({ entries: named })).toBe('/b');
      expect(folderNamedIn(start)).toBeUndefined();
    });

    it('is cancelled if its view has changed or one of its messages was pinned in the meantime', () => {
      const record = {
        ...summarises('c1', ['m2', 'm3']),
        before: { ...hides('c0', 'm3').before, messages: 5 },
      };
      const kept = { ...record, actions: [action('keep', ['m1'], 'm1'), ...record.actions] };
      const cancelled = {
        status: 'cancelled',
        reason: { code: 'base-changed', message: 'The conversation changed in the meantime.' },
        after: record.before,
        actions: [],
        outputs: [],
      };
      const pinned = (id: string) =>
        append(start, { type: 'pin', createdAt, messageIds: [id], pinned: true });
      const longer = append(start, { type: 'message', message: said('m6', 'done') });
      expect(unlessStale(kept, start, start)).toBe(kept);
      expect(unlessStale(kept, start, longer)).toBe(kept);
      expect(unlessStale(kept, longer, start)).toMatchObject(cancelled);
      expect(unlessStale(kept, start, pinned('m3'))).toMatchObject(cancelled);
      expect(unlessStale(kept, start, pinned('m1'))).toBe(kept);
      expect(unlessStale(kept, pinned('m3'), pinned('m3'))).toBe(kept);
      const hidden = append(start, compaction(hides('c2', 'm3')));
      expect(unlessStale(kept, start, hidden)).toMatchObject(cancelled);
      const refused = { ...kept, status: 'refused' } as const;
      expect(unlessStale(refused, start, hidden)).toBe(refused);
    });

    it('can be viewed in its original state after later changes', () => {
      const twice = append(
        append(start, compaction(hides('c1', 'm3'))),
        compaction(summarises('c2', ['m2', 'm3', 'm4'])),
      );
      expect(viewBefore(twice.entries, 'c1')).toEqual(start.view);
      expect(viewBefore(twice.entries, 'c2')[2]?.content).toBe('[hidden]');
    });
  });

  describe('undo', () => {
    it('restores the view exactly, with later messages', () => {
      const later = said('m6', 'done');
      let transcript = append(start, compaction(summarises('c1', ['m2', 'm3', 'm4'])));
      transcript = append(transcript, { type: 'message', message: later });
      transcript = append(transcript, { type: 'undo', createdAt, recordIds: ['c1'] });
      expect(transcript.view).toEqual([...history, later]);
    });

    it('leaves an independent compaction in force', () => {
      let transcript = append(start, compaction(hides('c1', 'm3')));
      transcript = append(transcript, compaction(summarises('c2', ['m4'])));
      transcript = append(transcript, { type: 'undo', createdAt, recordIds: ['c1'] });
      expect(ids(transcript)).toEqual(['m1', 'm2', 'm3', 'sc2', 'm5']);
      expect(transcript.view[2]?.content).toBe('a long file');
    });
  });

  describe('restore', () => {
    it('restores one hidden message', () => {
      let transcript = append(start, compaction(hides('c1', 'm3')));
      transcript = append(transcript, { type: 'restore', createdAt, messageIds: ['m3'] });
      expect(transcript.view[2]?.content).toBe('a long file');
    });

    it('restores a summarised message in its original place, next to the summary', () => {
      let transcript = append(start, compaction(summarises('c1', ['m2', 'm3', 'm4'])));
      transcript = append(transcript, { type: 'restore', createdAt, messageIds: ['m2', 'm3'] });
      expect(ids(transcript)).toEqual(['m1', 'm2', 'm3', 'sc1', 'm5']);
    });

    it('removes a summary once all messages that it replaced are restored', () => {
      let transcript = append(start, compaction(summarises('c1', ['m2', 'm3'])));
      transcript = append(transcript, { type: 'restore', createdAt, messageIds: ['m2', 'm3'] });
      expect(ids(transcript)).toEqual(ids(start));
    });

    it('persists through compactions until a later one hides the message again', () => {
      let transcript = append(start, compaction(hides('c1', 'm3')));
      transcript = append(transcript, compaction(summarises('c2', ['m2', 'm3'])));
      transcript = append(transcript, { type: 'restore', createdAt, messageIds: ['m2', 'm3'] });
      expect(transcript.view[2]?.content).toBe('a long file');
      transcript = append(transcript, compaction(hides('c3', 'm3')));
      expect(transcript.view[2]?.content).toBe('[hidden]');
    });

    it('restores the whole exchange if the call was removed, too', () => {
      const summarised = append(start, compaction(summarises('c1', ['m2', 'm3', 'm4'])));
      expect(restoredTogether(summarised, 'm3')).toEqual(['m2', 'm3']);
      expect(restoredTogether(summarised, 'm4')).toEqual(['m4']);
    });

    it('restores only the result if its call is in context', () => {
      const hidden = append(start, compaction(hides('c1', 'm3')));
      expect(restoredTogether(hidden, 'm3')).toEqual(['m3']);
    });
  });

  describe('pins', () => {
    it('are set and removed by entries', () => {
      const pinned = append(start, { type: 'pin', createdAt, messageIds: ['m1', 'm3'], pinned: true });
      expect([...pinned.pins]).toEqual(['m1', 'm3']);
      const unpinned = append(pinned, { type: 'pin', createdAt, messageIds: ['m1'], pinned: false });
      expect([...unpinned.pins]).toEqual(['m3']);
      expect([...transcriptOf(unpinned.entries).pins]).toEqual(['m3']);
    });

    it('can be part of a message', () => {
      const pinned = append(start, { type: 'message', message: { ...typed('m6', 'x'), pinned: true } });
      expect([...pinned.pins]).toEqual(['m6']);
    });
  });
});

describe('record ids', () => {
  function idsAfter(...entries: readonly TranscriptEntry[]): readonly string[] {
    const next = nextRecordIds({ entries });
    return [next(), next()];
  }
  const record = (id: string, ...outputs: readonly string[]): TranscriptEntry => ({
    type: 'compaction',
    record: recordWith(
      id,
      [],
      outputs.map((output) => typed(output, 'notes')),
    ),
  });

  it('continue from the highest number', () => {
    expect(idsAfter(...entriesOf([typed('m1', 'x')]))).toEqual(['c1', 'c2']);
    expect(idsAfter(record('c2'), record('c10'), record('c3'))).toEqual(['c11', 'c12']);
    expect(idsAfter(record('abc7'), record('c7b'))).toEqual(['c1', 'c2']);
  });

  it('are unique, as are the ids of messages that records add', () => {
    expect(idsAfter(...entriesOf([typed('c1', 'x')]))).toEqual(['c2', 'c3']);
    expect(idsAfter(...entriesOf([typed('c1.1', 'x')]), record('what-if-1', 'c2.4'))).toEqual(['c3', 'c4']);
  });

  it('are valid even after an id whose number is too large', () => {
    expect(idsAfter(record('c99999999999999999999'))).toEqual(['c1', 'c2']);
  });
});
