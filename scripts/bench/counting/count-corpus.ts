import { readFileSync } from 'node:fs';
import { argv, cpuUsage } from 'node:process';
import type { Corpus } from './corpora.ts';
import { type Count, type CounterName, loadCounter } from './counters.ts';

/** Times of a new process that counts a corpus, in milliseconds of its processors. */
export interface CorpusTimes {
  /** Time to load the counter. */
  readonly load: number;
  /** Time to count all texts for the first time. */
  readonly fresh: number;
  /** Time to count half of the texts, for the first time, after the counter has counted the other half. */
  readonly warm: number;
  readonly tokens: number;
}

/** Number of warm counts, and milliseconds after which there are no more. The fastest counts. */
const warmCounts = 3;
const longEnough = 2_000;

/** The process that counts a corpus: `count-corpus.ts COUNTER FILE`. */
const [, , name, file] = argv as readonly string[];
const corpus = JSON.parse(readFileSync(file!, 'utf8')) as Corpus;
const middle = Math.floor(corpus.length / 2);
const [first, second] = [corpus.slice(0, middle), corpus.slice(middle)];

// The collector would otherwise move the texts while they are counted.
globalThis.gc?.();
const start = cpuUsage();
const create = await loadCounter[name as CounterName]();
const load = since(start);
const fresh = timed(create(), corpus);
const warm: number[] = [];
for (let round = 0; round < warmCounts; round++) {
  const count = create();
  timed(count, first);
  warm.push(timed(count, second).time);
  if (fresh.time > longEnough) break;
}
process.send?.({
  load,
  fresh: fresh.time,
  warm: Math.min(...warm),
  tokens: fresh.tokens,
} satisfies CorpusTimes);

function timed(count: Count, texts: Corpus): { readonly time: number; readonly tokens: number } {
  const begin = cpuUsage();
  const tokens = texts.reduce((sum, text) => sum + count(text), 0);
  return { time: since(begin), tokens };
}

function since(begin: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(begin);
  return (user + system) / 1_000;
}
