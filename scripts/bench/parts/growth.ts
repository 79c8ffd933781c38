import { createBudget } from '../../../src/compaction/budget/budget.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { diffOf } from '../../../src/compaction/records/compaction-diff.ts';
import { createHistorySearch } from '../../../src/compaction/retrieval/history-search.ts';
import type { CompactionPorts } from '../../../src/compaction/service/compact.ts';
import { ladder } from '../../../src/compaction/strategies/ladder.ts';
import { type CountTokens, loadEncoding } from '../../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { append, type Transcript, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { project } from '../../../src/compaction/transcript/view.ts';
import { compactAt } from '../../../src/measures/compare-strategies.ts';
import { exponentOf, growthOf, type GrowthPoint } from '../growth.ts';
import { recordFor } from '../hiding-record.ts';
import { sessionOf } from '../host/long-history.ts';
import { medianTimes, type BenchPart, type Measure } from '../part.ts';
import { benchmarkPorts, settingsOf } from '../transcript-measures.ts';

/** Tokens of the sessions. */
const sizes = [10_000, 100_000, 1_000_000, 4_000_000] as const;
/** Messages that are appended in one run: one alone is over before the clock has moved. */
const appended = 50;

/** Time and memory of the work on a session, against its size. */
export const part: BenchPart = {
  title: 'Growth',
  async measure() {
    const count = await loadEncoding('o200k_base');
    const ports = benchmarkPorts();
    const points: GrowthPoint[] = [];
    for (const size of sizes) points.push(...(await pointsOf(size, count, ports)));
    return [...exponents(points), ...points.flatMap(measuresOf)];
  },
};

async function pointsOf(
  tokens: number,
  count: CountTokens,
  ports: CompactionPorts,
): Promise<readonly GrowthPoint[]> {
  const meterOf = () =>
    new UsageMeter({ count: (texts) => Promise.resolve(texts.map(count)) }, { countsReasoning: true });
  const messages = sessionOf(tokens, count);
  const start = transcriptOf(messages.map((message) => ({ type: 'message', message })));
  const record = recordFor(start.view);
  const compacted = append(start, { type: 'compaction', record });
  const meter = meterOf();
  await meter.measure(messages);
  const searched = searchWith(meter);
  await searched(compacted);
  const works: Readonly<Record<string, () => unknown>> = {
    count: async () => {
      const own = meterOf();
      await own.measure(messages);
      return own;
    },
    append: () => appendAll(start),
    project: () => project(compacted.entries),
    compact: () => compactOnce(messages, tokens, { ...ports, meter, model: () => undefined }),
    diff: () => diffOf(record, start.view),
    index: async () => {
      const search = searchWith(meter);
      await search(compacted);
      return search;
    },
    search: () => searched(compacted),
  };
  const times = await medianTimes(
    Object.fromEntries(Object.entries(works).map(([name, run]) => [name, { run }])),
    { runs: 3, warmups: tokens < 1_000_000 ? 3 : 1 },
  );
  const points: GrowthPoint[] = [];
  for (const [name, work] of Object.entries(works)) {
    const each = name === 'append' ? appended : 1;
    points.push({ work: name, tokens, time: times[name]! / each, memory: (await memoryOf(work)) / each });
  }
  return points;
}

function searchWith(meter: UsageMeter) {
  const search = createHistorySearch((texts) => meter.countTexts(texts));
  return (transcript: Transcript) => search(transcript, 'the lock of store 7 after restoreSession failed');
}

function appendAll(start: Transcript): Transcript {
  let grown = start;
  for (let index = 0; index < appended; index++) {
    const message: Message = {
      role: 'user',
      content: `Message ${index}: the lock of the store is released before the session is read again.`,
      id: `next${index}`,
      origin: 'person',
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    grown = append(grown, { type: 'message', message });
  }
  return grown;
}

/** The ladder without a model, in a window that the session just fills. */
function compactOnce(view: readonly Message[], tokens: number, ports: CompactionPorts) {
  const budget = createBudget(settingsOf(tokens));
  const run = {
    view,
    tools: [],
    strategy: ladder,
    budget,
    requirement: 'soft',
    target: budget.target,
  } as const;
  return compactAt(run, ports, new AbortController().signal);
}

/** Bytes of the heap that a result takes, with what it keeps, as long as it is held. */
async function memoryOf(work: () => unknown): Promise<number> {
  const before = heapUsed();
  const results: unknown[] = [];
  for (let run = 0; run < heldResults; run++) results.push(await work());
  const after = heapUsed();
  return results.length === 0 ? 0 : Math.max(0, after - before) / results.length;
}

/** Results that are held at the same time: what one takes is less than the heap varies by. */
const heldResults = 5;

/** Bytes after all garbage was collected. What only weak references hold goes with the second collection. */
function heapUsed(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function exponents(points: readonly GrowthPoint[]): readonly Measure[] {
  return growthOf(points).map(({ work, points: own }) => ({
    name: `Exponent of the time to ${work}`,
    value: exponentOf(own),
    unit: 'exponent',
    target: { atMost: 1.1 },
  }));
}

function measuresOf({ work, tokens, time, memory }: GrowthPoint): readonly Measure[] {
  const name = `${work}, ${tokens.toLocaleString('en-US')} tokens`;
  return [
    { name: `${name}: time`, value: time, unit: 'milliseconds' },
    { name: `${name}: memory`, value: memory, unit: 'bytes' },
  ];
}
