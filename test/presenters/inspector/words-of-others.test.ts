import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { emptyUsage, type UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { append, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { sameToolsThroughout } from '../../../src/compaction/transcript/transcript-entry.ts';
import { createTimeline } from '../../../src/insights/session-timeline.ts';
import { strategySentences } from '../../../src/language/english/strategies-english.ts';
import { englishWording, type Wording, wordingFor } from '../../../src/language/translated/wording.ts';
import { budgetView } from '../../../src/presenters/inspector/budget-view.ts';
import { CompactionsHost } from '../../../src/presenters/inspector/compactions-host.ts';
import { type InspectedSession, InspectorModel } from '../../../src/presenters/inspector/inspector-model.ts';
import { LedgerFeed } from '../../../src/presenters/inspector/ledger-feed.ts';
import { WhatIfHost } from '../../../src/presenters/inspector/what-if-host.ts';
import type { InspectorNotification } from '../../../src/protocol/inspector.ts';
import { createMeter } from '../../support/engine.ts';
import { called, entriesOf, result, said, system, typed } from '../../support/messages.ts';
import type { InspectorTarget } from '../../../src/presenters/inspector/inspector-target.ts';
import type { ModelChoice } from '../../../src/presenters/models/model-choice.ts';
import { recordWith } from '../../support/records.ts';

/** Texts of users, models, tools and providers. Some of them equal sentences of this program. */
const run = 'Run the tests. Edit the notes.';
const empty = 'The summary is empty.';
const nothing = 'Nothing to free.';
const file = 'notes/Run the tests.md';
const command = 'git push Stopped.';
const all = [run, empty, nothing, file, command];

const kept = { kept: 0, total: 1, missing: [run] };
const { key, values, english } = strategySentences.say('nothingToFree');

const history: readonly Message[] = [
  system('m1', run),
  typed('m2', run),
  called('m3', ['c1', 'read_file', { path: file }]),
  result('m4', 'c1', empty),
  called('m5', ['c2', 'run_command', { command }]),
  result('m6', 'c2', run),
  called('m7', ['c3', 'Result', { text: run }]),
  result('m8', 'c3', nothing),
  said('m9', run),
  typed('m10', nothing),
];
const summary: Message = { ...typed('s1', `<summary>${run}</summary>`), kind: 'summary', origin: 'strategy' };

/** A compaction by an external strategy, after a provider refused the request. */
const foreignRecord: CompactionRecord = {
  ...recordWith(
    'c1',
    [
      { kind: 'keep', sourceIds: ['m1', 'm2'], reason: run, tokensBefore: 9, tokensAfter: 9 },
      { kind: 'hide', sourceIds: ['m4'], outputId: 'm4', reason: empty, tokensBefore: 9, tokensAfter: 1 },
      { kind: 'drop', sourceIds: ['m5', 'm6'], reason: nothing, tokensBefore: 9, tokensAfter: 0 },
      { kind: 'summarise', sourceIds: ['m9'], outputId: 's1', reason: run, tokensBefore: 9, tokensAfter: 9 },
    ],
    [{ ...result('m4', 'c1', empty), truncation: { fate: 'hide' } }, summary],
  ),
  requestedStrategy: run,
  focus: run,
  reason: { code: 'custom-failed', message: run },
  tiers: [
    { strategy: run, status: 'failed', reason: { code: 'model-failed', message: empty } },
    { strategy: 'ladder', status: 'applied' },
  ],
  warnings: [nothing, run],
  coverage: { files: kept, commands: kept, errors: kept, identifiers: kept, userMessages: kept },
};
/** The same words from this program. */
const ownRecord: CompactionRecord = {
  ...foreignRecord,
  id: 'c2',
  status: 'unchanged',
  actions: [],
  outputs: [],
  reason: { code: 'nothing-to-do', message: english, sentence: { key, values } },
  warnings: [english, run],
  warningSentences: [{ key, values }, null],
};

describe('foreign text in the inspector', () => {
  let meter: UsageMeter;
  let session: InspectedSession;
  let chinese: Wording;

  beforeAll(async () => {
    meter = await createMeter();
    chinese = await wordingFor('zh-cn');
    const transcript = [foreignRecord, ownRecord].reduce(
      (before, record) => append(before, { type: 'compaction', record }),
      transcriptOf(entriesOf(history)),
    );
    session = {
      transcript,
      title: run,
      activity: 'idle',
      tools: [],
      compaction: {
        usage: () => Promise.resolve(emptyUsage),
        budget: createBudget({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 }),
        undoneWith: () => [],
      },
    };
  });

  const model = { label: run, isOffline: true } as ModelChoice;
  const inspectorIn = (wording: Wording) =>
    new InspectorModel({ id: 's', session, meterOf: () => meter, wording });

  /** Everything that the page receives about the session. */
  async function shownIn(wording: Wording): Promise<readonly (readonly [place: string, value: unknown])[]> {
    const inspector = inspectorIn(wording);
    const { transcript } = session;
    const labels = { chatId: 's', otherSessions: [], model: run, strategy: run };
    const posts: InspectorNotification[] = [];
    const told: string[] = [];
    const compactions = new CompactionsHost((notification) => posts.push(notification), {
      pickStrategy: () => Promise.resolve(undefined),
      copyMissing: () => Promise.resolve(),
      handOff: () => Promise.resolve(),
      save: (_name, _format, text) => Promise.resolve(void told.push(text)),
      tell: (sentence) => told.push(wording.text(sentence)),
    });
    const shown: InspectorTarget = { inspector, isChat: false, changes: undefined, model };
    for (const recordId of ['c1', 'c2']) {
      await compactions.handle({ type: 'plan-bring-back', recordId }, shown);
      await compactions.handle({ type: 'missing', recordId, kind: 'userMessages' }, shown);
      await compactions.handle({ type: 'search-diff', recordId, query: 'tests' }, shown);
    }
    const ledger = new LedgerFeed();
    return [
      ['state', await inspector.state(labels)],
      ['diff', await inspector.diff('c1')],
      ['sources', await inspector.sources('c1', 0)],
      ['texts', await Promise.all(history.map(({ id }) => inspector.texts('c1', id)))],
      ['messages', await inspector.messages(0)],
      ['text', history.map(({ id }) => inspector.text(id, 1_000))],
      ['compactions', posts],
      ['facts', await ledger.facts(session, { text: '' }, 0)],
      ['search', await ledger.search(session, meter, 'tests notes', 20)],
      [
        'budget',
        await budgetView(session, meter, {
          timeline: await createTimeline(meter, sameToolsThroughout([]))(transcript.entries),
          mode: 'auto',
          protectFirst: true,
          model: run,
          factsOf: () => ({ contextWindow: undefined }) as never,
          wording,
        }),
      ],
      ['what-if', await comparison(wording)],
      ['comparison that failed', await comparison(wording, new Error(run))],
    ];
  }

  /** The data of the What if tab for a strategy that fails with this problem. */
  async function comparison(wording: Wording, problem?: Error): Promise<unknown> {
    const posts: unknown[] = [];
    const host = new WhatIfHost((notification) => posts.push(notification), {
      settings: () => ({ current: run, protectFirst: true, focus: run, optionsOf: () => ({}) }),
      customStrategy: () => undefined,
      wording,
      tryAll: (_trial, _transcript, _outside, tellProgress) => {
        if (problem !== undefined) return Promise.reject(problem);
        const outcomes = [foreignRecord, ownRecord].map((record) => ({
          strategy: run,
          record: { ...record, status: 'failed' } as const,
          rules: { kept: 0, total: 0, missing: [] },
          modelCalls: 0,
          isEstimate: false,
        }));
        tellProgress(undefined, outcomes);
        return Promise.resolve();
      },
      useStrategy: () => Promise.resolve(),
      tell: () => {},
      now: () => 0,
    });
    await host.handle(
      { type: 'what-if-run' },
      {
        inspector: inspectorIn(wording),
        isChat: false,
        changes: undefined,
        model,
      },
    );
    return posts;
  }

  it('is the same in Chinese as in English everywhere', async () => {
    const shown = await shownIn(chinese);
    for (const [index, [place, inEnglish]] of (await shownIn(englishWording)).entries()) {
      const theirs = leavesOf(inEnglish).filter(([path, text]) => !isOurs(path, text));
      const now = new Map(leavesOf(shown[index]?.[1]));
      const holds = theirs.filter(([, text]) => all.some((said) => text.includes(said)));
      expect(holds.length, place).toBeGreaterThan(0);
      expect(
        holds.filter(([path, text]) => now.get(path) !== text),
        place,
      ).toEqual([]);
    }
  });

  it('is not translated, even if it equals a sentence of ours', async () => {
    const labels = { chatId: 's', otherSessions: [], model: '', strategy: '' };
    const { records } = await inspectorIn(chinese).state(labels);
    const said = chinese.text(strategySentences.say('nothingToFree'));
    expect(said).toMatch(/\p{Script=Han}/u);
    expect(records.map(({ reason, warnings }) => ({ reason, warnings }))).toEqual([
      { reason: said, warnings: [said, run] },
      { reason: run, warnings: [nothing, run] },
    ]);
  });

  /** The places of the record whose sentences are this program's, and findings that name the strategy. */
  function isOurs(path: string, text: string): boolean {
    return (
      (text === english && /(?:records\/0|rows\/1)\/(?:reason|warnings\/0)$/u.test(path)) ||
      /health\/\d+\/finding$/u.test(path)
    );
  }
});

/** All strings in a value, by their paths. */
function leavesOf(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}/${key}`));
}
