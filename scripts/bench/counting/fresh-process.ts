import { readFileSync } from 'node:fs';
import { loaders } from './counters.ts';

/** A process that loads a counter and counts a file with it. */
export interface FreshRun {
  /** Milliseconds until the first word was counted. */
  readonly loading: number;
  /** Milliseconds from the start of loading until the file was counted. */
  readonly total: number;
  /** Bytes of memory that loading took, after garbage was collected. */
  readonly memory: number;
}

const [name = '', file = ''] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
globalThis.gc?.();
const before = process.memoryUsage().rss;
const start = performance.now();
const count = (await loaders[name]!())();
count('word');
const loaded = performance.now();
// Collecting is no part of the work, and the clock stands still meanwhile.
globalThis.gc?.();
const memory = process.memoryUsage().rss - before;
const restart = performance.now();
count(text);
const loading = loaded - start;
process.send?.({ loading, total: loading + performance.now() - restart, memory } satisfies FreshRun);
process.disconnect();
