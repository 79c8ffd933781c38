import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import type { CompactionPorts } from '../../../src/compaction/service/compact.ts';
import { strategyIds, strategyOf, type StrategyId } from '../../../src/compaction/strategies/index.ts';
import { strategyTitle } from '../../../src/language/english/strategy-titles-english.ts';
import { compactAt } from '../../../src/measures/compare-strategies.ts';
import { longSession } from '../long-session.ts';
import { medianTimes, type BenchPart, type Contender, type Measure } from '../part.ts';
import { realSessions } from '../real-sessions.ts';
import { benchmarkPorts, settingsOf } from '../transcript-measures.ts';

/** Number of messages in the session. Together they have about a million tokens. */
const messageCount = 1_000;
/** Window of the model in tokens. The target is half of it. */
const window = 1_000_000;

/** Strategies that are also measured without a model. */
const withoutModel: ReadonlySet<StrategyId> = new Set(['ladder', 'hiding-then-summary']);
/** Strategies that change the session only for a hard target. */
const hasToReach: ReadonlySet<StrategyId> = new Set(['middle-truncation']);
const withTarget = strategyIds.filter(
  (id) => id !== 'none' && id !== 'custom' && id !== 'provider-native' && targetOf(id) !== undefined,
);

/** Compacts a million tokens. Compares the time with `JSON.stringify` of the same messages. */
export const part: BenchPart = {
  title: 'Compacting a million tokens',
  async measure() {
    const real = await realSessions();
    return [
      ...(await compactions('', longSession(messageCount))),
      ...(real === undefined ? [] : await compactions('real sessions', real)),
    ];
  },
};

/**
 * @param label name of the session
 * @throws if a strategy changes nothing, because its time would be meaningless
 */
async function compactions(label: string, session: readonly Message[]): Promise<readonly Measure[]> {
  const ports = benchmarkPorts();
  await learn(session, ports);
  const contenders: [string, Contender][] = [];
  for (const id of withTarget) {
    const { record } = await compactOne(id, session, ports);
    if (record.status !== 'applied') throw new Error(`${id} was not applied: it was ${record.status}.`);
    let unknown = session;
    const prepare = async () => {
      unknown = structuredClone(session);
      await learn(unknown, ports);
    };
    contenders.push(
      [id, { run: () => compactOne(id, session, ports) }],
      [`${id}, first`, { prepare, run: () => compactOne(id, unknown, ports) }],
    );
  }
  const times: Readonly<Partial<Record<string, number>>> = await medianTimes(
    { stringify: { run: () => JSON.stringify(session) }, ...Object.fromEntries(contenders) },
    { runs: 5, warmups: 2 },
  );
  const rowOf = (id: StrategyId, key: string, ...before: readonly string[]): Measure => {
    const title = `${strategyTitle(id).english}${withoutModel.has(id) ? ', no model' : ''}`;
    const labels = before.filter((one) => one !== '').join(', ');
    const name = labels === '' ? title : `${labels}: ${title}`;
    return {
      name,
      value: (times[key] ?? NaN) / (times['stringify'] ?? NaN),
      unit: 'times',
      target: targetOf(id)!,
    };
  };
  return [
    ...withTarget.map((id) => rowOf(id, id, label)),
    ...withTarget.map((id) => rowOf(id, `${id}, first`, label, 'first compaction')),
  ];
}

/** Counts the messages and extracts their facts, as a chat does before it compacts. */
async function learn(messages: readonly Message[], ports: CompactionPorts): Promise<void> {
  await ports.meter.measure(messages);
  extractLedger(messages);
}

function targetOf(id: StrategyId): { readonly atMost: number } | undefined {
  if (id === 'dialogue-retrieval') return { atMost: 10 };
  if (id === 'llm-summary') return { atMost: 3 };
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
