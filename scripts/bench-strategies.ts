/**
 * Measures every strategy of the catalogue on real sessions: validity, recall of facts that are needed later, decay,
 * and cost with a prompt cache. Prints Markdown and writes all measurements as JSON.
 *
 * Each transcript is cut at 40, 60 and 80% of its messages, for windows of 32, 64 and 128 thousand tokens. A strategy
 * runs with its default options and compacts to half of the window, with a soft and with a hard target. Cuts that
 * already fit into that half are counted and left out. So are replays of transcripts that never reach the trigger.
 *
 * Usage: node scripts/bench-strategies.ts [--only ID,…] [--transcripts N] [--out FILE]
 */
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { isStrategyId, strategyIds, type StrategyId } from '../src/compaction/strategies/index.ts';
import { costTable, decayTable, recallTable, sessionsMeasured, validityTable } from './bench/tables.ts';
import {
  benchmarkPorts,
  measureSupersession,
  windows,
  type SupersessionMeasure,
  type TranscriptMeasures,
} from './bench/transcript-measures.ts';
import { projectFolder, transcriptsFolder } from './project.ts';
import { runMain } from './run-main.ts';

const sessionsFolder = join(transcriptsFolder, 'normalised');
const workerCount = 2;

interface TranscriptFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      transcripts: { type: 'string' },
      out: { type: 'string', default: join(projectFolder, 'out', 'bench', 'strategies.json') },
    },
  });
  const strategies = chosenStrategies(values.only);
  const files = (await largestFirst()).slice(0, numberOfTranscripts(values.transcripts));
  const all = await measureAll(files, strategies);
  const superseded = await measureSuperseded(strategies);
  printTables(all, strategies, superseded);
  await mkdir(dirname(values.out), { recursive: true });
  // Missed facts are quotes from real sessions, which we must not publish.
  const withoutQuotes = (name: string, value: unknown) => (name === 'missing' ? undefined : value);
  await writeFile(
    values.out,
    `${JSON.stringify({ strategies, transcripts: all, superseded }, withoutQuotes, 2)}\n`,
  );
});

function chosenStrategies(list: string | undefined): readonly StrategyId[] {
  return (list?.split(',') ?? strategyIds).map((id) => {
    if (isStrategyId(id)) return id;
    throw new Error(`There is no strategy "${id}"; there are ${strategyIds.join(', ')}.`);
  });
}

function numberOfTranscripts(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d*$/u.test(text)) return Number(text);
  throw new Error(`--transcripts must be a whole number of at least 1, not "${text}".`);
}

/** The transcripts, largest first, so that no worker starts a large one at the end. */
async function largestFirst(): Promise<readonly TranscriptFile[]> {
  const names = await readdir(sessionsFolder).catch(() => {
    throw new Error('The benchmark needs the folder ../shared/transcripts/normalised beside the project.');
  });
  const files = names
    .filter((name) => name.endsWith('.json'))
    .map(async (name) => {
      const path = join(sessionsFolder, name);
      return { name, path, bytes: (await stat(path)).size };
    });
  return (await Promise.all(files)).toSorted((one, other) => other.bytes - one.bytes);
}

async function measureAll(
  files: readonly TranscriptFile[],
  strategies: readonly StrategyId[],
): Promise<readonly TranscriptMeasures[]> {
  const queue = [...files];
  const measured: TranscriptMeasures[] = [];
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL('./bench/worker.ts', import.meta.url), { workerData: { strategies } });
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      measured.push(await ask(worker, file));
      console.error(`${measured.length}/${files.length} ${file.name}`);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: workerCount }, work));
  return measured.toSorted((one, other) => one.name.localeCompare(other.name));
}

function ask(worker: Worker, { path, name }: TranscriptFile): Promise<TranscriptMeasures> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (measures: TranscriptMeasures) => {
      worker.off('error', reject);
      resolve(measures);
    });
    worker.postMessage({ path, name });
  });
}

async function measureSuperseded(strategies: readonly StrategyId[]): Promise<readonly SupersessionMeasure[]> {
  const ports = benchmarkPorts();
  const measures: SupersessionMeasure[] = [];
  for (const strategy of strategies) measures.push(await measureSupersession(strategy, ports));
  return measures;
}

function printTables(
  all: readonly TranscriptMeasures[],
  strategies: readonly StrategyId[],
  superseded: readonly SupersessionMeasure[],
): void {
  const total = (count: (measures: TranscriptMeasures) => number) =>
    all.reduce((sum, measures) => sum + count(measures), 0);
  const print = (title: string, text: string) => console.log(`## ${title}\n\n${text}\n`);
  console.log(
    `${sessionsMeasured(all)} of ${all.length} sessions had a cut over the target. Left out: ${total(({ skippedCuts }) => skippedCuts)} cuts that fit it.\n`,
  );
  print('Validity', validityTable(all, strategies));
  print('What is left and what is kept', recallTable(all, strategies, superseded));
  print('Decay: what calls of the first third worked with', decayTable(all, strategies));
  for (const window of windows) {
    print(`Cost against append-only, window ${window / 1000}k`, costTable(all, strategies, window));
  }
}
