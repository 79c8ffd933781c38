import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OfflineModel } from '../../../src/agent/offline/offline-model.ts';
import { markEntry, type MarkRequest } from '../../../src/compaction/manual-edits/mark-sentence.ts';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import {
  type Ledger,
  type MarkedFact,
  markedWays,
  textOfFact,
} from '../../../src/compaction/messages/ledger.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { strategyIds, strategyOf } from '../../../src/compaction/strategies/index.ts';
import {
  append,
  messagesOf,
  nextRecordIds,
  recordsOf,
  type Transcript,
  TranscriptError,
  transcriptOf,
} from '../../../src/compaction/transcript/transcript.ts';
import { project, recordsInForce } from '../../../src/compaction/transcript/view.ts';
import { createMeter, runCompaction } from '../../support/engine.ts';
import { called, entriesOf, result, said, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const now = '2026-01-01T00:00:00.000Z';

describe('markEntry', () => {
  const transcript = transcriptOf(
    entriesOf([
      typed('m1', 'Use tabs. Then go on.'),
      said('m2', 'I use tabs. Use tabs.'),
      typed('m3', 'Use tabs here'),
    ]),
  );

  it('lists every message with the sentence, including the selected message', () => {
    expect(markEntry(transcript, { messageId: 'm3', sentence: ' Use\n tabs. ', as: 'rule' }, now)).toEqual({
      type: 'mark',
      createdAt: now,
      messageIds: ['m1', 'm2', 'm3'],
      sentence: 'Use tabs.',
      as: 'rule',
    });
  });

  it.each<[string, MarkRequest]>([
    ['an empty sentence', { sentence: ' \n', as: 'rule' }],
    ['the withdrawal of a missing mark', { sentence: 'Use tabs.' }],
  ])('ignores %s', (_, request) => {
    expect(markEntry(transcript, request, now)).toBeUndefined();
  });

  it('ignores a mark that the sentence already has', () => {
    const request = { sentence: 'Use tabs.', as: 'rule' } as const;
    const marked = append(transcript, markEntry(transcript, request, now)!);
    expect(markEntry(marked, request, now)).toBeUndefined();
  });

  it('rejects a message outside the session', () => {
    const request = { messageId: 'm9', sentence: 'Use tabs.', as: 'rule' } as const;
    expect(() => markEntry(transcript, request, now)).toThrow(TranscriptError);
  });
});

/** A session with all of the sentences below. */
const sentences = [
  'Never touch the vendor folder.',
  'Use port 8080 for the server.',
  'Fix the reopening of the lock.',
  'We keep the old endpoint.',
  'Write the release notes',
] as const;
const turns = (turn: number): readonly Message[] => [
  typed(`u${turn}`, `${sentences[turn % 3]} ${textOfTokens(30)}.`),
  called(`a${turn}`, [`c${turn}`, 'read_file', { path: `src/file${turn}.ts` }]),
  result(`r${turn}`, `c${turn}`, textOfTokens(400)),
  said(`s${turn}`, `Decision: ${sentences[3]}\n\n## Next steps\n- ${sentences[4]}\n- Look at file ${turn}`),
];
const session = transcriptOf(entriesOf(Array.from({ length: 6 }, (_, turn) => turns(turn)).flat()));

type Step =
  | {
      readonly type: 'mark';
      readonly sentence: string;
      readonly as: MarkRequest['as'];
      readonly words?: string;
    }
  | { readonly type: 'compact'; readonly strategy: (typeof strategyIds)[number] }
  | { readonly type: 'undo' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('mark' as const),
      sentence: fc.constantFrom(...sentences),
      as: fc.constantFrom(...markedWays, 'struck' as const, undefined),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat({ max: sentences.length - 1 }), fc.constantFrom(...markedWays), fc.constantFrom('A', 'B'))
      .map(([place, as, version]) => ({
        type: 'mark' as const,
        sentence: sentences[place]!,
        as,
        words: `In other words, ${version}${place}.`,
      })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('compact' as const),
      strategy: fc.constantFrom(...strategyIds.filter((id) => id !== 'custom')),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'undo' as const }) },
);

describe('marks', () => {
  async function after(transcript: Transcript, step: Step): Promise<Transcript> {
    switch (step.type) {
      case 'mark': {
        const entry = markEntry(transcript, step, now);
        return entry === undefined ? transcript : append(transcript, entry);
      }
      case 'undo': {
        const record = recordsInForce(transcript.entries).at(-1);
        return record === undefined
          ? transcript
          : append(transcript, { type: 'undo', createdAt: now, recordIds: [record.id] });
      }
      case 'compact': {
        const records = await runCompaction(
          {
            view: transcript.view,
            history: messagesOf(transcript),
            strategy: strategyOf(step.strategy),
            target: 800,
            window: 4_000,
            model: new OfflineModel({ window: 32_000 }),
          },
          meter,
        );
        const id = nextRecordIds(transcript);
        const known = new Set(recordsOf(transcript).map((record) => record.id));
        return records.reduce((grown, record) => {
          const own = known.has(record.id) ? { ...record, id: id() } : record;
          return append(grown, { type: 'compaction', record: own });
        }, transcript);
      }
    }
  }

  /** The expected marks after some steps: a stack for each sentence. */
  function expected(steps: readonly Step[]): ReadonlyMap<string, readonly (MarkedFact | 'struck')[]> {
    const stacks = new Map<string, (MarkedFact | 'struck')[]>();
    for (const step of steps) {
      if (step.type !== 'mark') continue;
      const { sentence, as, words } = step;
      const stack = stacks.get(sentence) ?? [];
      stacks.set(sentence, stack);
      const fact =
        as === undefined || as === 'struck'
          ? as
          : words === undefined
            ? { text: sentence, as }
            : { text: words, as, said: sentence };
      if (fact === undefined) stack.pop();
      else if (JSON.stringify(stack.at(-1)) !== JSON.stringify(fact)) stack.push(fact);
    }
    return stacks;
  }

  const textsBesidesMarked = (ledger: Ledger) =>
    Object.entries(ledger).flatMap(([section, facts]: [string, readonly never[]]) =>
      section === 'marked' ? [] : facts.flatMap((fact) => [textOfFact(fact), JSON.stringify(fact)]),
    );

  it('persist through every compaction and undo, and set the kind of each marked fact', async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        let transcript = session;
        for (const one of steps) transcript = await after(transcript, one);
        const valid = [...expected(steps)].flatMap(([sentence, stack]) => {
          const top = stack.at(-1);
          return top === undefined ? [] : [[sentence, top] as const];
        });
        const history = extractLedger(messagesOf(transcript));
        const facts = valid.flatMap(([, top]) => (top === 'struck' ? [] : [top]));
        expect(new Set(history.marked)).toEqual(new Set(facts));
        for (const ledger of [history, extractLedger(transcript.view)]) {
          for (const [sentence] of valid) {
            expect(textsBesidesMarked(ledger).filter((text) => text.includes(sentence))).toEqual([]);
          }
        }
        expect(project(transcript.entries)).toEqual(transcript.view);
        applied += recordsOf(transcript).filter(({ status }) => status === 'applied').length;
      }),
      { numRuns: 100 },
    );
    expect(applied).toBeGreaterThan(50);
  });

  it('come first in the next summary, which omits struck sentences', async () => {
    const marked = [
      { sentence: sentences[0], as: 'struck' },
      { sentence: sentences[1], as: 'rule' },
      { sentence: sentences[2], as: 'decision', words: 'Fix only the flush.' },
    ] as const;
    let transcript = session;
    for (const one of marked) transcript = await after(transcript, { type: 'mark', ...one });
    transcript = await after(transcript, { type: 'compact', strategy: 'llm-summary' });
    const summary = transcript.view.find(({ kind }) => kind === 'summary');
    const text = String(summary?.content);
    expect(text).toContain(
      '## Marked (by the user)\n- Decision: Fix only the flush.\n- Rule: Use port 8080 for the server.',
    );
    expect(text).not.toContain(sentences[0]);
    expect(text).not.toContain(sentences[2]);
  });

  it('remove finished steps from the plan in a snapshot', async () => {
    const steps = ['Write the tests', 'Update the docs'].map((step) => ({ step, status: 'pending' }));
    const plan = called('p', ['pc', 'update_plan', { plan: steps }]);
    const { entries } = session;
    const planned = transcriptOf([...entriesOf([plan, result('pr', 'pc', 'ok')]), ...entries]);
    const marked = await after(planned, { type: 'mark', sentence: 'Write the tests', as: 'done' });
    const { view } = await after(marked, { type: 'compact', strategy: 'state-snapshot' });
    const text = String(view.find(({ kind }) => kind === 'summary')?.content);
    expect(text).toContain('Update the docs');
    expect(text).toContain('- Done: Write the tests');
    expect(text.split('Write the tests')).toHaveLength(2);
  });
});
