/**
 * Compares the token counter with js-tiktoken's own encoder, side by side in one run. Prints ratios, because times
 * say more about the machine than about the code.
 *
 * Usage: node scripts/bench-counting.ts
 */
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { createTokenCounter } from '../src/compaction/tokens/token-counter.ts';

const repetitions = 5;

/** Median milliseconds of several runs. */
function time(work: () => unknown): number {
  const times = Array.from({ length: repetitions }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return times.sort((one, other) => one - other)[Math.floor(repetitions / 2)]!;
}

const lines = (line: (index: number) => string, count: number) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');
const texts = {
  prose: lines(
    (n) => `The store was opened ${n} times before the rename of file ${n * 7} failed again.`,
    2_000,
  ),
  code: lines(
    (n) => `export async function open${n}(path: string): Promise<Store${n}> { return read(path, ${n}); }`,
    2_000,
  ),
  logs: lines(
    (n) =>
      `{"time":"2026-11-20T10:${n % 60}:00Z","level":"warn","id":"${(n * 7919).toString(16)}","took":${n}}`,
    2_000,
  ),
  Chinese: lines((n) => `第${n}次写入之后，仓库在恢复时发现了一行不完整的记录。`, 1_000),
};

let counter = createTokenCounter(o200k);
let oracle = new Tiktoken(o200k);
const start = {
  ours: time(() => (counter = createTokenCounter(o200k))),
  theirs: time(() => (oracle = new Tiktoken(o200k))),
};
console.log(`start: ${(start.theirs / start.ours).toFixed(1)} × as fast as js-tiktoken`);

for (const [name, text] of Object.entries(texts)) {
  const theirs = time(() => oracle.encode(text, [], []));
  const counters = Array.from({ length: repetitions }, () => createTokenCounter(o200k));
  const cold = time(() => counters.pop()!(text));
  const warm = time(() => counter(text));
  console.log(
    `${name}: ${(theirs / cold).toFixed(1)} × cold, ${(theirs / warm).toFixed(1)} × with a warm cache`,
  );
}

console.log('a run of one letter, twice as long (2 would be linear, 4 quadratic):');
for (const length of [50_000, 100_000, 200_000, 400_000]) {
  const shorter = time(() => counter('a'.repeat(length)));
  const longer = time(() => counter('a'.repeat(2 * length)));
  console.log(`  ${length} → ${2 * length}: ${(longer / shorter).toFixed(1)}`);
}
const short = 'a'.repeat(2_000);
console.log(
  `2,000 letters: ${(time(() => oracle.encode(short, [], [])) / time(() => counter(short))).toFixed(0)} ×`,
);
