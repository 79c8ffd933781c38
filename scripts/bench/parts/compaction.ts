import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { diffOf } from '../../../src/compaction/records/compaction-diff.ts';
import type { CompactionPorts } from '../../../src/compaction/service/compact.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import { strategyIds, strategyOf, type StrategyId } from '../../../src/compaction/strategies/index.ts';
import { encodingCounter } from '../../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { whatIf } from '../../../src/insights/what-if.ts';
import { strategyTitle } from '../../../src/language/english/strategy-titles-english.ts';
import { compactAt } from '../../../src/measures/compare-strategies.ts';
import { longSession } from '../long-session.ts';
import { realSessions } from '../real-sessions.ts';
import { medianTimes, type BenchPart, type Contender, type Measure } from '../part.ts';
import { benchmarkPorts, settingsOf } from '../transcript-measures.ts';

/** Messages of the session, about a million tokens. */
const messageCount = 1_000;
/** Tokens. A view of a million tokens is that of a model with such a window; half of it is the target. */
const window = 1_000_000;

const retrieval: StrategyId = 'dialogue-retrieval';
const extractive: StrategyId = 'llm-summary';
const withoutModel: ReadonlySet<StrategyId> = new Set(['ladder', 'hiding-then-summary']);
/** Strategies that would leave the session as it is if they did not have to reach the target. */
const hasToReach: ReadonlySet<StrategyId> = new Set(['middle-truncation']);
const measured = strategyIds.filter((id) => id !== 'none' && id !== 'custom' && id !== 'provider-native');
const withTarget = measured.filter((id) => targetOf(id) !== undefined);

/** Compactions of a million tokens, against `JSON.stringify` of the same messages. */
export const part: BenchPart = {
  title: 'Compacting a million tokens',
  async measure() {
    const real = await realSessions();
    return [
      ...(await generated()),
      ...(real === undefined ? [] : await ofRealSessions(real, benchmarkPorts())),
    ];
  },
};

async function generated(): Promise<readonly Measure[]> {
  const session = longSession(messageCount);
  const ports = benchmarkPorts();
  const { total } = await ports.meter.measure(session);
  extractLedger(session);
  const fresh = () => ({
    messages: structuredClone(session),
    meter: new UsageMeter(encodingCounter('o200k_base'), { countsReasoning: true }),
  });
  let unknown = fresh();
  const counted = async () => {
    unknown = fresh();
    await unknown.meter.measure(unknown.messages);
  };
  const ladderOn = (messages: readonly Message[], meter: UsageMeter) =>
    compactOne('ladder', messages, { ...ports, meter });
  const singles = await contendersOf(measured, session, ports);
  const { record } = await compactOne('observation-masking', session, ports);
  const times: Readonly<Partial<Record<string, number>>> = await medianTimes(
    {
      stringify: { run: () => JSON.stringify(session) },
      ...singles,
      'what-if': { run: () => whatIfAll(session, ports) },
      alignment: { run: () => diffOf(record, session) },
      'tokens known': { prepare: () => counted(), run: () => ladderOn(unknown.messages, unknown.meter) },
      'nothing known': {
        prepare: () => void (unknown = fresh()),
        run: () => ladderOn(unknown.messages, unknown.meter),
      },
    },
    { runs: 5, warmups: 2 },
  );
  const ratio = (name: string) => (times[name] ?? NaN) / (times['stringify'] ?? NaN);
  const dearest = Math.max(...measured.map(ratio));
  return [
    { name: 'tokens of the session', value: total, unit: 'count' },
    ...measured.map((id) => rowOf(id, titleOf(id), ratio(id))),
    ...(await firstCompactions('', session, ports)),
    { name: 'Ladder, no model, tokens known and facts not', value: ratio('tokens known'), unit: 'times' },
    { name: 'Ladder, no model, nothing known', value: ratio('nothing known'), unit: 'times' },
    { name: 'before and after aligned', value: ratio('alignment'), unit: 'times', target: { atMost: 0.1 } },
    {
      name: 'What-if over all strategies, against the dearest one',
      value: ratio('what-if') / dearest,
      unit: 'times',
      target: { atMost: 5 },
      note: 'it is the sum of all strategies, of which none is much dearer than the others. Half of it goes into summaries that are written and checked in six of them.',
    },
  ];
}

/** The strategies that have a target, on sessions that are harder to read than a generated one. */
async function ofRealSessions(
  session: readonly Message[],
  ports: CompactionPorts,
): Promise<readonly Measure[]> {
  const { total } = await ports.meter.measure(session);
  extractLedger(session);
  const times: Readonly<Partial<Record<string, number>>> = await medianTimes(
    {
      stringify: { run: () => JSON.stringify(session) },
      ...(await contendersOf(withTarget, session, ports)),
    },
    { runs: 5, warmups: 2 },
  );
  const ratio = (name: string) => (times[name] ?? NaN) / (times['stringify'] ?? NaN);
  return [
    { name: 'tokens of real sessions', value: total, unit: 'count' },
    ...withTarget.map((id) => rowOf(id, `real sessions: ${titleOf(id)}`, ratio(id))),
    ...(await firstCompactions('real sessions, ', session, ports)),
  ];
}

/** Compactions of messages of which no more is known than their tokens and their facts. */
async function firstCompactions(
  session: string,
  messages: readonly Message[],
  ports: CompactionPorts,
): Promise<readonly Measure[]> {
  const contenders = withTarget.map((id): [string, Contender] => {
    let unknown: readonly Message[] = [];
    const prepare = async () => {
      unknown = structuredClone(messages);
      await ports.meter.measure(unknown);
      extractLedger(unknown);
    };
    return [id, { prepare, run: () => compactOne(id, unknown, ports) }];
  });
  const times: Readonly<Partial<Record<string, number>>> = await medianTimes(
    { stringify: { run: () => JSON.stringify(messages) }, ...Object.fromEntries(contenders) },
    { runs: 5, warmups: 2 },
  );
  return withTarget.map((id) =>
    rowOf(id, `${session}first compaction: ${titleOf(id)}`, (times[id] ?? NaN) / (times['stringify'] ?? NaN)),
  );
}

/** @throws if one of them changes nothing, as its time would say nothing */
async function contendersOf(
  ids: readonly StrategyId[],
  session: readonly Message[],
  ports: CompactionPorts,
): Promise<Readonly<Record<StrategyId, Contender>>> {
  for (const id of ids) {
    const { record } = await compactOne(id, session, ports);
    if (record.status !== 'applied') throw new Error(`${id} was not applied: it was ${record.status}.`);
  }
  return Object.fromEntries(
    ids.map((id): [StrategyId, Contender] => [id, { run: () => compactOne(id, session, ports) }]),
  ) as Record<StrategyId, Contender>;
}

function titleOf(id: StrategyId): string {
  return `${strategyTitle(id).english}${withoutModel.has(id) ? ', no model' : ''}`;
}

function rowOf(id: StrategyId, name: string, ratio: number): Measure {
  const target = targetOf(id);
  if (target === undefined) return { name, value: ratio, unit: 'times' };
  const note = notes[id];
  return { name, value: ratio, unit: 'times', target, ...(note === undefined ? {} : { note }) };
}

/** Reasons for misses. */
const notes: Readonly<Partial<Record<StrategyId, string>>> = {
  'dialogue-retrieval':
    'the first compaction fills the index of all messages, which is kept for the next one and for search.',
  'llm-summary': 'the offline summariser reads every sentence, and looks for every fact in what it wrote.',
  'layered-truncation':
    'a fifth of the time goes into clipping what is too long, much of it JSON, a ninth into counting what is left, and a third into record and checks. The first compaction of a message reads and counts its text.',
  'middle-truncation':
    'limits are tried from an estimate on until the largest that fits is found: a fifth of the time; a tenth goes into counting what is left, a third into record and checks. The first compaction of a message reads and counts its text.',
  'observation-masking':
    'a preview of each hidden result is written and counted; a third of the time goes into record and checks.',
  budgeted:
    'clipped texts are new, and their tokens are counted; a third of the time goes into record and checks.',
  ladder:
    'a sixth of the time goes into the digest of facts, and a third into record and checks; the rest is spread over rungs and counting.',
};

function targetOf(id: StrategyId): { readonly atMost: number } | undefined {
  if (id === retrieval) return { atMost: 10 };
  if (id === extractive) return { atMost: 3 };
  return !strategyOf(id).needsModel || id === 'ladder' ? { atMost: 1 } : undefined;
}

function compactOne(id: StrategyId, view: readonly Message[], ports: CompactionPorts) {
  const budget = createBudget(settingsOf(window));
  const ownPorts = withoutModel.has(id) ? { ...ports, model: () => undefined } : ports;
  const run = {
    view,
    tools: [],
    strategy: strategyOf(id),
    budget,
    requirement: hasToReach.has(id) ? 'hard' : 'soft',
    target: budget.target,
  } as const;
  return compactAt(run, ownPorts, new AbortController().signal);
}

function whatIfAll(session: readonly Message[], ports: CompactionPorts) {
  const run = {
    transcript: {
      entries: session.map((message) => ({ type: 'message', message }) as const),
      view: session,
      pins: new Set<string>(),
    },
    tools: [],
    budget: createBudget(settingsOf(window)),
    protectFirst: false,
    candidates: strategyIds.map((id) => {
      const strategy = strategyOf(id);
      return { strategy, options: resolveOptions(strategy.options, {}).options };
    }),
  };
  const whatIfPorts = { ...ports, hasStandInModels: true, pause: () => Promise.resolve() };
  return whatIf(run, whatIfPorts, () => {}, new AbortController().signal);
}
