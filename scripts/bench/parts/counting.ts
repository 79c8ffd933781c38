import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { ExactCounter } from '../../../src/compaction/tokens/exact-counter.ts';
import { PieceCounter } from '../../../src/compaction/tokens/piece-counter.ts';
import { RunningCount } from '../../../src/compaction/tokens/running-count.ts';
import { scanTables } from '../../../src/compaction/tokens/split-patterns.ts';
import { Vocabulary } from '../../../src/compaction/tokens/vocabulary.ts';
import { projectFolder } from '../../project.ts';
import { type Corpus, notAscii, readCorpora } from '../counting/corpora.ts';
import type { CorpusTimes } from '../counting/count-corpus.ts';
import { type CounterName, counterNames, prepareCounters } from '../counting/counters.ts';
import { everyCharacter, fuzzText, seededRandom } from '../counting/made-texts.ts';
import { type BenchPart, type Measure, ratioOf } from '../part.ts';

/** Compares the token counter with other packages: the counts must be equal, and the time shorter. */
export const part: BenchPart = {
  title: 'Counting tokens',
  measure: () => measureCounting({ mostUnits: 1_000_000, rounds: 3, fuzzTexts: 10_000 }),
};

export interface CountingSize {
  /** Maximum size of a corpus in UTF-16 units. */
  readonly mostUnits: number;
  /** Number of processes for each corpus and counter. */
  readonly rounds: number;
  readonly fuzzTexts: number;
}

export async function measureCounting(size: CountingSize): Promise<readonly Measure[]> {
  const corpora = await readCorpora(size.mostUnits);
  await prepareCounters();
  const measures = exactness(corpora, size.fuzzTexts);
  const loads: Loads = {
    ours: Infinity,
    'js-tiktoken': Infinity,
    'tiktoken (WASM)': Infinity,
    'gpt-tokenizer': Infinity,
  };
  for (const [kind, corpus] of Object.entries(corpora)) {
    measures.push(...(await corpusMeasures(kind, corpus, { rounds: size.rounds, loads })));
  }
  measures.push({
    name: 'Loading, share of the time that js-tiktoken takes',
    value: loads.ours / loads['js-tiktoken'],
    unit: 'share',
    target: { atMost: 0.1 },
  });
  return [...measures, streaming(corpora)];
}

function exactness(corpora: Readonly<Record<string, Corpus>>, fuzzTexts: number): Measure[] {
  const random = seededRandom(3);
  const texts = [
    ...Object.values(corpora).flat(),
    ...everyCharacter(),
    ...Array.from({ length: fuzzTexts }, () => fuzzText(random)),
  ];
  let differing = 0;
  for (const file of [o200k, cl100k]) {
    const counter = new ExactCounter(file);
    const oracle = new Tiktoken(file);
    for (const text of texts) if (counter.count(text) !== oracle.encode(text, [], []).length) differing++;
  }
  return [
    { name: 'Texts compared with js-tiktoken', value: 2 * texts.length, unit: 'count' },
    { name: '… counted differently', value: differing, unit: 'count', target: { atMost: 0 } },
  ];
}

/** Shortest time that loading each counter took so far. */
type Loads = Record<CounterName, number>;

/** Columns of the page's table. */
const columns = (['fresh', 'warm'] as const).flatMap((state) =>
  counterNames.flatMap((counter) => (counter === 'ours' ? [] : [{ state, counter }])),
);

/** Milliseconds after which a count is not repeated. */
const longEnough = 5_000;

/** Measures a corpus in new processes, in which the counters take turns. */
async function corpusMeasures(
  kind: string,
  corpus: Corpus,
  { rounds, loads }: { readonly rounds: number; readonly loads: Loads },
): Promise<readonly Measure[]> {
  const file = join(projectFolder, 'out', 'bench', 'corpora', `${kind}.json`);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, JSON.stringify(corpus));
  const runs = new Map<CounterName, CorpusTimes[]>(counterNames.map((counter) => [counter, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [counter, known] of runs) {
      // Some counters take quadratic time for some texts.
      if ((known[0]?.fresh ?? 0) > longEnough) continue;
      const times = await timesOf(counter, file);
      known.push(times);
      loads[counter] = Math.min(loads[counter], times.load);
    }
  }
  const timesIn = (counter: CounterName, state: Column['state']) =>
    (runs.get(counter) ?? []).map((times) => times[state]);
  return columns.map(({ state, counter }) => ({
    name: `${kind}: ${counter}, ${state}`,
    ...ratioOf(timesIn(counter, state), timesIn('ours', state)),
    unit: 'times',
    ...targetOf(kind, { state, counter }),
  }));
}

type Column = (typeof columns)[number];

function targetOf(kind: string, { state, counter }: Column): Pick<Measure, 'target'> {
  if (kind === 'Real sessions' && counter === 'js-tiktoken') {
    return { target: { atLeast: state === 'fresh' ? 18 : 25 } };
  }
  if (notAscii.has(kind) && counter === 'tiktoken (WASM)') {
    return { target: { atLeast: state === 'fresh' ? 2 : 2.5 } };
  }
  return {};
}

async function timesOf(counter: CounterName, file: string): Promise<CorpusTimes> {
  const program = join(projectFolder, 'scripts', 'bench', 'counting', 'count-corpus.ts');
  const child = fork(program, [counter, file], { execArgv: ['--expose-gc'] });
  const [times] = (await Promise.race([
    once(child, 'message'),
    once(child, 'close').then(() => Promise.reject(new Error(`${counter} did not count ${file}.`))),
  ])) as [CorpusTimes];
  await once(child, 'close');
  return times;
}

/** Measures a reply with several kinds of text. It arrives in parts of four characters, each followed by a count. */
function streaming(corpora: Readonly<Record<string, Corpus>>): Measure {
  const vocabulary = new Vocabulary(o200k);
  const pages = ['Markdown', 'TypeScript', 'Chinese'].map((kind) => corpora[kind] ?? []);
  const text = pages[0]!.flatMap((_, index) => pages.map((some) => some[index] ?? '')).join('');
  const perPart = (length: number) => {
    const running = new RunningCount(scanTables.get(o200k.pat_str)!, new PieceCounter(vocabulary));
    const start = process.cpuUsage();
    for (let at = 0; at < length; at += 4) {
      running.add(text.slice(at, at + 4));
      running.total();
    }
    const { user, system } = process.cpuUsage(start);
    return ((user + system) * 4) / length;
  };
  // Compiles the code before the measurement.
  perPart(Math.min(text.length, 100_000));
  return {
    name: 'Streaming, each part of four characters',
    value: perPart(text.length),
    unit: 'microseconds',
    target: { atMost: 5 },
  };
}
