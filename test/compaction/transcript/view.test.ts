import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf, pairCalls } from '../../../src/compaction/messages/exchange.ts';
import { isBlank, isSystem, type Message } from '../../../src/compaction/messages/message.ts';
import { draftPlan, type PlannedAction } from '../../../src/compaction/records/plan.ts';
import { hideId, rewindId, undoneTogether } from '../../../src/compaction/records/record.ts';
import {
  append,
  emptyTranscript,
  messagesOf,
  restoredTogether,
  transcriptOf,
  type Transcript,
} from '../../../src/compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { manuallyHidden, project, recordsInForce } from '../../../src/compaction/transcript/view.ts';
import { histories } from '../../support/histories.ts';
import { called, entriesOf, result, said, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';
import { soak } from '../../support/soak.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const ids = ({ view }: Transcript) => view.map(({ id }) => id);

/** A compaction with this plan, applied under the next record id: `c1`, `c2`, … */
function compacted(transcript: Transcript, ...actions: readonly PlannedAction[]): Transcript {
  const id = `c${transcript.entries.filter(({ type }) => type === 'compaction').length + 1}`;
  const drafted = draftPlan(transcript.view, { actions }, { recordId: id, createdAt });
  const counted = drafted.actions.map((action) => ({ ...action, tokensBefore: 0, tokensAfter: 0 }));
  return append(transcript, { type: 'compaction', record: recordWith(id, counted, drafted.outputs) });
}

function restored(transcript: Transcript, messageId: string): Transcript {
  const messageIds = restoredTogether(transcript, messageId);
  return append(transcript, { type: 'restore', createdAt, messageIds });
}

const summarise = (...sources: readonly string[]): PlannedAction => ({
  kind: 'summarise',
  ids: sources,
  text: `of ${sources.join(', ')}`,
  reason: 'old',
});
const insert = (after: string): PlannedAction => ({ kind: 'insert', after, text: 'a note', reason: 'new' });
const hide = (id: string): PlannedAction => ({
  kind: 'hide',
  id,
  placeholder: '[hidden]',
  originalTokens: 9,
  reason: 'old',
});

const talk = transcriptOf(
  entriesOf([
    typed('m1', 'find the bug'),
    said('m2', 'it is in line 3'),
    typed('m3', 'fix it'),
    said('m4', 'done'),
    typed('m5', 'thanks'),
  ]),
);

describe('a restored message', () => {
  it('leaves a summary in context while the summary still replaces other messages', () => {
    const twice = compacted(compacted(talk, summarise('m3', 'm4')), summarise('m1', 'm2', 'c1.1'));
    expect(ids(twice)).toEqual(['c2.1', 'm5']);
    const back = restored(restored(twice, 'm3'), 'm4');
    expect(ids(back)).toEqual(['c2.1', 'm3', 'm4', 'm5']);
    expect(ids(restored(restored(back, 'm1'), 'm2'))).toEqual(ids(talk));
  });

  it('leaves an inserted message in context, even if a message next to it was summarised', () => {
    const noted = compacted(compacted(talk, summarise('m1', 'm2')), insert('c1.1'));
    expect(ids(noted)).toEqual(['c1.1', 'c2.1', 'm3', 'm4', 'm5']);
    expect(ids(restored(restored(noted, 'm2'), 'm1'))).toEqual(['m1', 'm2', 'c2.1', 'm3', 'm4', 'm5']);
    const last = compacted(compacted(talk, summarise('m5')), insert('c1.1'));
    expect(ids(restored(last, 'm5'))).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'c2.1']);
  });

  it('removes a summary that replaced only a call without a result', () => {
    const open = append(talk, { type: 'message', message: called('m6', ['a', 'run']) });
    const summarised = compacted(open, summarise('m6', 'm6.1'));
    expect(ids(restored(summarised, 'm6'))).toEqual(ids(open));
  });
});

describe('a result after a compaction', () => {
  const open = append(talk, { type: 'message', message: called('m6', ['a', 'run'], ['b', 'run']) });
  const half = append(open, { type: 'message', message: result('m7', 'b', 'of b') });
  const late: TranscriptEntry = { type: 'message', message: result('m8', 'a', 'of a') };

  it.each([
    ['kept the call', [summarise('m1', 'm2')], ['c1.1', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8']],
    ['hid the placeholder for the result', [hide('m6.1')], ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8']],
    [
      'summarised the call',
      [summarise('m5', 'm6', 'm7', 'm6.1')],
      ['m1', 'm2', 'm3', 'm4', 'c1.1', 'm6', 'm7', 'm8'],
    ],
    [
      'dropped the call',
      [{ kind: 'drop', ids: ['m6', 'm7', 'm6.1'], reason: 'old' }],
      ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'],
    ],
  ] satisfies readonly [string, readonly PlannedAction[], readonly string[]][])(
    'appears with its call if the compaction %s',
    (_what, actions, expected) => {
      const answered = append(compacted(half, ...actions), late);
      expect(ids(answered)).toEqual(expected);
      expect(answered.view.at(-1)?.content).toBe('of a');
      expect(transcriptOf(answered.entries).view).toEqual(answered.view);
    },
  );

  it('leaves other hidden parts of the exchange hidden', () => {
    const answered = append(compacted(half, hide('m7')), late);
    expect(answered.view.slice(-2).map(({ content }) => content)).toEqual(['[hidden]', 'of a']);
  });

  it('restores its call, even after other calls and results', () => {
    const gone = compacted(half, { kind: 'drop', ids: ['m6', 'm7', 'm6.1'], reason: 'old' });
    const later = [called('m9', ['c', 'run'], ['d', 'run']), result('m10', 'd', 'of d')];
    const answered = later.reduce((before, message) => append(before, { type: 'message', message }), gone);
    const view = append(answered, late).view;
    expect(view.map(({ id }) => id)).toContain('m6');
    expect(transcriptOf(append(answered, late).entries).view).toEqual(view);
  });

  it('can be summarised by a later compaction', () => {
    const answered = append(compacted(half, summarise('m5', 'm6', 'm7', 'm6.1')), late);
    expect(ids(compacted(answered, summarise('c1.1', 'm6', 'm7', 'm8')))).toEqual([
      'm1',
      'm2',
      'm3',
      'm4',
      'c2.1',
    ]);
  });
});

describe('hiddenByHand', () => {
  const byHand = (strategy: string, ...actions: readonly PlannedAction[]) => {
    const { entries } = compacted(talk, ...actions);
    return entries.map((entry) =>
      entry.type === 'compaction'
        ? { ...entry, record: { ...entry.record, actualStrategy: strategy } }
        : entry,
    );
  };
  const drop = (...gone: readonly string[]): PlannedAction => ({ kind: 'drop', ids: gone, reason: 'old' });
  const clip: PlannedAction = { kind: 'clip', id: 'm4', content: 'do', originalTokens: 9, reason: 'old' };

  it('contains messages that the user hid or removed, with the record of each', () => {
    for (const strategy of [hideId, rewindId]) {
      expect([...manuallyHidden(byHand(strategy, drop('m2', 'm3')))]).toEqual([
        ['m2', 'c1'],
        ['m3', 'c1'],
      ]);
    }
  });

  it.each([
    ['other compactions removed', byHand('ladder', drop('m2'))],
    ['lost only a part', byHand(hideId, clip)],
    [
      'are in an undone record',
      [...byHand(hideId, drop('m2')), { type: 'undo', createdAt, recordIds: ['c1'] }],
    ],
    ['were shown again', [...byHand(hideId, drop('m2')), { type: 'restore', createdAt, messageIds: ['m2'] }]],
  ] satisfies readonly [string, readonly TranscriptEntry[]][])(
    'contains no messages that %s',
    (_, entries) => {
      expect([...manuallyHidden(entries)]).toEqual([]);
    },
  );

  it('contains a message that was hidden again after it was shown', () => {
    const entries = byHand(hideId, drop('m2'));
    const shown: TranscriptEntry = { type: 'restore', createdAt, messageIds: ['m2'] };
    expect([...manuallyHidden([...entries.slice(0, -1), shown, ...entries.slice(-1)])]).toEqual([
      ['m2', 'c1'],
    ]);
  });
});

/** Next events of a session. Numbers select among the candidates that exist at that point. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('say'), count: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('compact'),
      does: fc.array(fc.constantFrom('keep', 'first', 'second', 'hide', 'drop', 'insert'), {
        minLength: 1,
        maxLength: 12,
      }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('restore'), which: fc.nat({ max: 1_000 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('undo'), which: fc.nat({ max: 1_000 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const pick = <Value>(list: readonly Value[], number: number): Value | undefined => list[number % list.length];

/** A plan with an action on each block of the view, oldest first. Blocks without an action stay. */
function planFor(view: readonly Message[], does: readonly string[]): readonly PlannedAction[] {
  const actions: PlannedAction[] = [];
  const summaries = { first: [] as string[], second: [] as string[] };
  for (const [index, { start, end }] of blocksOf(view).entries()) {
    const block = view.slice(start, end);
    const blockIds = block.map(({ id }) => id);
    if (block.some(isSystem)) continue;
    switch (does[index]) {
      case 'first':
      case 'second':
        summaries[does[index]].push(...blockIds);
        break;
      case 'hide':
        actions.push(...block.filter(({ role }) => role === 'tool').map(({ id }) => hide(id)));
        break;
      case 'drop':
        actions.push({ kind: 'drop', ids: blockIds, reason: 'old' });
        break;
      case 'insert':
        actions.push(insert(blockIds.at(-1) ?? ''));
    }
  }
  const wanted = Object.values(summaries).filter((sources) => sources.length > 0);
  return [...actions, ...wanted.map((sources) => summarise(...sources))];
}

function take(transcript: Transcript, next: Step, messages: readonly Message[]): Transcript {
  switch (next.type) {
    case 'say': {
      const said = messagesOf(transcript).length;
      return messages
        .slice(said, said + next.count)
        .reduce((longer, message) => append(longer, { type: 'message', message }), transcript);
    }
    case 'compact': {
      const actions = planFor(transcript.view, next.does);
      return actions.length === 0 ? transcript : compacted(transcript, ...actions);
    }
    case 'restore': {
      const chosen = pick(messagesOf(transcript), next.which);
      return chosen === undefined ? transcript : restored(transcript, chosen.id);
    }
    case 'undo': {
      const records = recordsInForce(transcript.entries);
      const chosen = pick(records, next.which);
      if (chosen === undefined) return transcript;
      const recordIds = undoneTogether(records, chosen.id).map(({ id }) => id);
      return append(transcript, { type: 'undo', createdAt, recordIds });
    }
  }
}

/** Messages that a view never contains, with or without compactions, because they could not be sent. */
function unsendable(transcript: Transcript): ReadonlySet<string> {
  const messages = messagesOf(transcript);
  const { orphans } = pairCalls(messages);
  const blank = ({ role, content, tool_calls: calls = [] }: Message) =>
    role !== 'tool' && calls.length === 0 && isBlank(content);
  return new Set(
    messages.filter((message, index) => orphans.has(index) || blank(message)).map(({ id }) => id),
  );
}

/**
 * Ids that vanished without a trace: not in the view, not a source of a summary in the view, and not explicitly dropped
 * by a plan.
 */
function vanished(transcript: Transcript): readonly string[] {
  const inView = new Set(ids(transcript));
  const actions = recordsInForce(transcript.entries).flatMap((record) => record.actions);
  const isAccountedFor = (id: string): boolean =>
    inView.has(id) ||
    actions.some(
      ({ kind, sourceIds, outputId }) =>
        sourceIds.includes(id) &&
        (kind === 'drop' || (kind === 'summarise' && outputId !== undefined && isAccountedFor(outputId))),
    );
  const unsent = unsendable(transcript);
  const said = messagesOf(transcript).map(({ id }) => id);
  const inserted = actions.flatMap(({ kind, outputId = '' }) => (kind === 'insert' ? [outputId] : []));
  return [...said, ...inserted].filter((id) => !unsent.has(id) && !isAccountedFor(id));
}

describe('any sequence of messages, compactions, restores and undo steps', () => {
  it('leaves every message in context or in a summary that is in context', () => {
    fc.assert(
      fc.property(histories, fc.array(step, { minLength: 4, maxLength: 24 }), ({ messages }, steps) => {
        let transcript = emptyTranscript;
        for (const next of steps) {
          const before = transcript;
          transcript = take(transcript, next, messages);
          expect(vanished(transcript)).toEqual([]);
          expect(findViolations(transcript.view)).toEqual([]);
          expect(new Set(ids(transcript)).size).toBe(transcript.view.length);
          expect(transcript.view).toEqual(project(transcript.entries));
          if (next.type === 'restore') expectOnlyBack(before, transcript);
        }
      }),
      { numRuns: soak(300, 3_000) },
    );
  });

  /** A restore returns messages unchanged; it removes only summaries whose sources are all back in the view. */
  function expectOnlyBack(before: Transcript, after: Transcript): void {
    const inView = new Map(after.view.map((message) => [message.id, message]));
    const isSummary = new Set(before.view.filter(({ kind }) => kind === 'summary').map(({ id }) => id));
    expect(ids(before).filter((id) => !inView.has(id) && !isSummary.has(id))).toEqual([]);
    const entry = after.entries.at(-1);
    const named = entry?.type === 'restore' ? entry.messageIds : [];
    const unsent = unsendable(after);
    const back = messagesOf(after).filter(({ id }) => named.includes(id) && !unsent.has(id));
    expect(back.map(({ id }) => inView.get(id))).toEqual(back);
  }
});
