import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { ExactCounter } from '../../../src/compaction/tokens/exact-counter.ts';
import { PieceCounter } from '../../../src/compaction/tokens/piece-counter.ts';
import { RunningCount } from '../../../src/compaction/tokens/running-count.ts';
import { scanTables } from '../../../src/compaction/tokens/split-patterns.ts';
import { Vocabulary } from '../../../src/compaction/tokens/vocabulary.ts';
import { transcriptsFolder } from '../../project.ts';
import { fuzzString, makeCorpora, randomChunks, seededRandom } from '../counting/corpora.ts';
import { type Count, loadCounters } from '../counting/counters.ts';
import { medianTimes, type BenchPart, type Measure } from '../part.ts';

/** Compares the token counter with other packages: the counts must be equal, and the time shorter. */
export const part: BenchPart = {
  title: 'Counting tokens',
  measure: async () => [...exactness(), ...(await cold()), streaming()],
};

/** Sizes of the texts: more than a million tokens. The same sizes are used for times and for exactness. */
const sizes = { prose: 1_600_000, code: 1_600_000, logs: 1_000_000, chinese: 300_000, base64: 200_000 };
const fuzzStrings = 30_000;
/** Number of rounds with other texts before the measurement, so that each contender's code is compiled. */
const warmUpRounds = 5;

function exactness(): readonly Measure[] {
  const corpora = Object.values(makeCorpora(sizes, 2)).join('\n');
  const random = seededRandom(3);
  const texts = [
    ...[corpora, ...transcripts()].flatMap((text) => randomChunks(text, random)),
    ...Array.from({ length: fuzzStrings }, () => fuzzString(random)),
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

const mostTranscripts = 1_500_000;

/** A few megabytes of real sessions, if there are any. */
function transcripts(): readonly string[] {
  if (!existsSync(transcriptsFolder)) {
    console.log(`No transcripts in ${transcriptsFolder}: only generated texts are compared.`);
    return [];
  }
  const names = readdirSync(transcriptsFolder, { recursive: true, encoding: 'utf8' }).toSorted();
  const texts: string[] = [];
  let size = 0;
  for (const name of names.filter((one) => /\.jsonl?$/u.test(one))) {
    const text = readFileSync(join(transcriptsFolder, name), 'utf8').slice(0, 200_000);
    texts.push(text);
    size += text.length;
    if (size > mostTranscripts) break;
  }
  return texts;
}

/** Measures counting in one process, with compiled code and an unused counter for each corpus. */
async function cold(): Promise<readonly Measure[]> {
  const create = await loadCounters();
  const others = Object.values(
    makeCorpora({ prose: 1e5, code: 1e5, logs: 1e5, chinese: 3e4, base64: 3e4 }, 4),
  );
  for (const make of Object.values(create)) {
    for (let round = 0; round < warmUpRounds; round++) others.forEach(make());
  }
  const contender = (make: () => Count, text: string) => {
    let count: Count;
    return { prepare: () => void (count = make()), run: () => count(text) };
  };
  const total = { ours: 0, jsTiktoken: 0, wasm: 0 };
  for (const text of Object.values(makeCorpora(sizes))) {
    const times = await medianTimes(
      {
        ours: contender(create.ours, text),
        jsTiktoken: contender(create.jsTiktoken, text),
        wasm: contender(create.wasm, text),
      },
      { runs: 3, warmups: 0, clock: 'processor' },
    );
    for (const each of ['ours', 'jsTiktoken', 'wasm'] as const) total[each] += times[each];
  }
  const against = (name: string, theirs: number, atLeast: number): Measure => ({
    name: `Cold count, against ${name}`,
    value: theirs / total.ours,
    unit: 'times',
    target: { atLeast },
  });
  return [against('`tiktoken` (WASM)', total.wasm, 10), against('`js-tiktoken/lite`', total.jsTiktoken, 25)];
}

/** Measures a reply with several kinds of text. It arrives in parts of four characters, each followed by a count. */
function streaming(): Measure {
  const vocabulary = new Vocabulary(o200k);
  const { prose, code, chinese } = makeCorpora(
    { prose: 4e5, code: 4e5, logs: 0, chinese: 2e5, base64: 0 },
    6,
  );
  const text = Array.from({ length: 100 }, (_, index) =>
    [prose, code, chinese].map((one) =>
      one.slice((index * one.length) / 100, ((index + 1) * one.length) / 100),
    ),
  )
    .flat()
    .join('');
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
  perPart(100_000);
  return {
    name: 'Streaming, each part of four characters',
    value: perPart(text.length),
    unit: 'microseconds',
    target: { atMost: 5 },
  };
}
