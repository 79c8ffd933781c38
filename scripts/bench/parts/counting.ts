import { fork } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { createTokenCounter, ExactCounter } from '../../../src/compaction/tokens/exact-counter.ts';
import { PieceCounter } from '../../../src/compaction/tokens/piece-counter.ts';
import { RunningCount } from '../../../src/compaction/tokens/running-count.ts';
import { scanTables } from '../../../src/compaction/tokens/split-patterns.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { Vocabulary } from '../../../src/compaction/tokens/vocabulary.ts';
import { ReplyCount } from '../../../src/presenters/chat/reply-count.ts';
import { projectFolder, transcriptsFolder } from '../../project.ts';
import { fuzzString, makeCorpora, randomChunks, seededRandom } from '../counting/corpora.ts';
import { type Count, loaders, prepareCounters } from '../counting/counters.ts';
import type { FreshRun } from '../counting/fresh-process.ts';
import { medianTimes, type BenchPart, type Measure } from '../part.ts';

/** The token counter against other packages: the same counts, sooner. */
export const part: BenchPart = {
  title: 'Counting tokens',
  async measure() {
    await prepareCounters();
    return [
      ...exactness(),
      ...(await cold()),
      ...(await fresh()),
      ...(await runs()),
      ...(await growth()),
      ...streaming(),
      ...(await inChat()),
    ];
  },
};

/** A million tokens and more, and as much again for exactness. */
const sizes = { prose: 1_600_000, code: 1_600_000, logs: 1_000_000, chinese: 300_000, base64: 200_000 };
const fuzzStrings = 30_000;
/** Of every contender alike, over other texts, so that its code is compiled. */
const warmUpRounds = 5;

function exactness(): readonly Measure[] {
  const corpora = Object.values(makeCorpora(sizes, 2)).join('\n');
  const random = seededRandom(3);
  const texts = [
    ...randomChunks(corpora, random),
    ...transcripts().flatMap((text) => randomChunks(text, random)),
  ];
  const strings = Array.from({ length: fuzzStrings }, () => fuzzString(random));
  let differing = 0;
  let bytes = 0;
  for (const file of [o200k, cl100k]) {
    const count = createTokenCounter(file);
    const oracle = new Tiktoken(file);
    for (const text of [...texts, ...strings]) {
      bytes += Buffer.byteLength(text);
      if (count(text) !== oracle.encode(text, [], []).length) differing++;
    }
  }
  return [
    { name: 'Texts compared with js-tiktoken', value: 2 * (texts.length + strings.length), unit: 'count' },
    { name: '… their bytes', value: bytes, unit: 'bytes', target: { atLeast: 8_000_000 } },
    { name: '… counted differently', value: differing, unit: 'count', target: { atMost: 0 } },
  ];
}

/** Real sessions where there are any, some megabytes of them. */
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

const mostTranscripts = 1_500_000;

/** Counting in one process, with code that is warm and a counter for each corpus that has counted nothing. */
async function cold(): Promise<readonly Measure[]> {
  const corpora = Object.entries(makeCorpora(sizes));
  const others = Object.values(
    makeCorpora({ prose: 1e5, code: 1e5, logs: 1e5, chinese: 3e4, base64: 3e4 }, 4),
  );
  const create = {
    ours: await loaders['ours']!(),
    jsTiktoken: await loaders['js-tiktoken']!(),
    wasm: await loaders['tiktoken']!(),
    gptTokenizer: await loaders['gpt-tokenizer']!(),
  };
  const oursWarm = create.ours();
  for (const make of Object.values(create)) {
    for (let round = 0; round < warmUpRounds; round++) others.forEach(make());
  }
  let differing = 0;
  const contender = (make: () => Count, text: string) => {
    const expected = oursWarm(text);
    let count: Count;
    return {
      prepare: () => void (count = make()),
      run: () => {
        if (count(text) !== expected) differing++;
      },
    };
  };
  const total = { ours: 0, jsTiktoken: 0, wasm: 0, gptTokenizer: 0 };
  const alone: Measure[] = [];
  for (const [name, text] of corpora) {
    const times = await medianTimes(
      {
        ours: contender(create.ours, text),
        jsTiktoken: contender(create.jsTiktoken, text),
        wasm: contender(create.wasm, text),
        gptTokenizer: contender(create.gptTokenizer, text),
      },
      { runs: 3, warmups: 0, clock: 'processor' },
    );
    for (const each of ['ours', 'jsTiktoken', 'wasm', 'gptTokenizer'] as const) total[each] += times[each];
    alone.push({
      name: `… ${name} alone`,
      value: times.jsTiktoken / times.ours,
      unit: 'times',
      ...(name === 'chinese' ? { target: { atLeast: 12 } } : {}),
    });
  }
  const tokens = corpora.reduce((sum, [, text]) => sum + oursWarm(text), 0);
  const against = (name: string, theirs: number, least: number): Measure => ({
    name: `Cold count, against ${name}`,
    value: theirs / total.ours,
    unit: 'times',
    target: { atLeast: least },
  });
  return [
    { name: 'Tokens of the corpora', value: tokens, unit: 'count', target: { atLeast: 1_000_000 } },
    { name: '… other counts of a package', value: differing, unit: 'count', target: { atMost: 0 } },
    against('`tiktoken` (WASM)', total.wasm, 10),
    against('`gpt-tokenizer`', total.gptTokenizer, 5),
    against('`js-tiktoken/lite`', total.jsTiktoken, 25),
    ...alone,
  ];
}

/** Loading and counting in processes of their own. */
async function fresh(): Promise<readonly Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-counting-'));
  try {
    const file = join(folder, 'history.txt');
    await writeFile(file, Object.values(makeCorpora(sizes)).join('\n'));
    const runs: Record<'ours' | 'js-tiktoken', FreshRun[]> = { ours: [], 'js-tiktoken': [] };
    for (let run = 0; run < 3; run++) {
      runs['js-tiktoken'].push(await inFreshProcess('js-tiktoken', file));
      runs.ours.push(await inFreshProcess('ours', file));
    }
    const ratio = (key: keyof FreshRun) => median(runs['js-tiktoken'], key) / median(runs.ours, key);
    return [
      {
        name: 'A fresh process that loads and counts it, against `js-tiktoken/lite`',
        value: ratio('total'),
        unit: 'times',
        target: { atLeast: 12 },
      },
      {
        name: 'Loading, against `js-tiktoken/lite`',
        value: ratio('loading'),
        unit: 'times',
        target: { atLeast: 8 },
      },
      {
        name: 'Memory of what is loaded, of that of `js-tiktoken/lite`',
        value: 1 / ratio('memory'),
        unit: 'share',
        target: { atMost: 0.25 },
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inFreshProcess(name: string, file: string): Promise<FreshRun> {
  const script = join(projectFolder, 'scripts', 'bench', 'counting', 'fresh-process.ts');
  return new Promise((resolve, reject) => {
    const child = fork(script, [name, file], { execArgv: ['--expose-gc'] });
    child.on('message', (message) => {
      resolve(message as FreshRun);
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      reject(new Error(`Counting with ${name} ended with code ${code}.`));
    });
  });
}

function median(runs: readonly FreshRun[], key: keyof FreshRun): number {
  return runs.map((run) => run[key]).toSorted((one, other) => one - other)[Math.floor(runs.length / 2)]!;
}

/** Runs of one character, as in padded tables and rules: many tokens end at every byte of them. */
async function runs(): Promise<readonly Measure[]> {
  const characters = [' ', '\t', '=', '-', '*', '\u2500'];
  const texts = characters.flatMap((one) =>
    [200, 500, 1_000, 2_000].map((length) => `${one.repeat(length)}x`),
  );
  const count = createTokenCounter(o200k);
  const oracle = new Tiktoken(o200k);
  const times = await medianTimes(
    {
      ours: { run: () => texts.forEach((text) => count(text)) },
      jsTiktoken: { run: () => texts.forEach((text) => oracle.encode(text, [], [])) },
    },
    { clock: 'processor' },
  );
  return [
    {
      name: 'Runs of one character, up to 2,000, against `js-tiktoken/lite`',
      value: times.jsTiktoken / times.ours,
      unit: 'times',
      target: { atLeast: 25 },
    },
  ];
}

/** A single piece of 100 kB and one of 1 MB. */
async function growth(): Promise<readonly Measure[]> {
  const count = createTokenCounter(o200k);
  const random = seededRandom(5);
  const letters = Array.from({ length: 1_000_000 }, () =>
    String.fromCharCode(97 + Math.floor(random() * 26)),
  );
  const pieces = {
    letter: 'a'.repeat(1_000_000),
    blank: ' '.repeat(1_000_000),
    'random letters': letters.join(''),
  };
  const measures: Measure[] = [];
  for (const [name, piece] of Object.entries(pieces)) {
    const short = piece.slice(0, 100_000);
    const times = await medianTimes(
      { short: { run: () => count(short) }, long: { run: () => count(piece) } },
      { clock: 'processor' },
    );
    measures.push({
      name: `One piece of 1 MB, against one of 100 kB: ${name === 'random letters' ? name : `the same ${name}`}`,
      value: times.long / times.short,
      unit: 'times',
      target: { atMost: 15 },
    });
  }
  return measures;
}

/** A reply that arrives in parts of four characters, with an exact count after each. */
function streaming(): readonly Measure[] {
  const vocabulary = new Vocabulary(o200k);
  const { prose, code, chinese } = makeCorpora(
    { prose: 4e5, code: 4e5, logs: 0, chinese: 2e5, base64: 0 },
    6,
  );
  const perPart = (text: string, length: number) => {
    const running = new RunningCount(scanTables.get(o200k.pat_str)!, new PieceCounter(vocabulary));
    let checksum = 0;
    const start = process.cpuUsage();
    for (let at = 0; at < length; at += 4) {
      running.add(text.slice(at, at + 4));
      checksum += running.total();
    }
    const { user, system } = process.cpuUsage(start);
    return checksum > 0 ? ((user + system) * 4) / length : NaN;
  };
  /** The same kind of text from its beginning to its end. */
  const mixed = Array.from({ length: 100 }, (_, index) =>
    [prose, code, chinese].map((one) =>
      one.slice((index * one.length) / 100, ((index + 1) * one.length) / 100),
    ),
  )
    .flat()
    .join('');
  const piece = 'abcd'.repeat(250_000);
  perPart(mixed, 100_000);
  perPart(piece, 100_000);
  const atMost = 5;
  const mostGrowth = 1.5;
  const long = perPart(mixed, mixed.length);
  return [
    {
      name: 'Streaming, each part of four characters',
      value: long,
      unit: 'microseconds',
      target: { atMost },
    },
    {
      name: '… in a message of 1 MB, against one of 100 kB',
      value: perPart(mixed, mixed.length) / perPart(mixed, mixed.length / 10),
      unit: 'times',
      target: { atMost: mostGrowth },
    },
    {
      name: '… in a message that is one word of 1 MB',
      value: perPart(piece, piece.length),
      unit: 'microseconds',
      target: { atMost },
    },
    {
      name: '… against one of 100 kB',
      value: perPart(piece, piece.length) / perPart(piece, piece.length / 10),
      unit: 'times',
      target: { atMost: mostGrowth },
    },
  ];
}

/** The same as a chat counts it, from the tables that the engine's thread sends. */
async function inChat(): Promise<readonly Measure[]> {
  const { tables } = new ExactCounter(o200k);
  const { prose } = makeCorpora({ prose: 4e5, code: 0, logs: 0, chinese: 0, base64: 0 }, 7);
  const begin = performance.now();
  const counter = new ExactCounter(structuredClone(tables));
  const loading = performance.now() - begin;
  const meter = new UsageMeter(
    {
      count: (texts) => Promise.resolve(texts.map(counter.count)),
      running: () => Promise.resolve(counter.running()),
    },
    { countsReasoning: false },
  );
  const perPart = async () => {
    const reply = new ReplyCount(() => meter);
    reply.expect();
    await turn();
    let checksum = 0;
    const start = performance.now();
    for (let at = 0; at < prose.length; at += 4) {
      reply.add('m1', prose.slice(at, at + 4));
      checksum += reply.tokens;
    }
    return checksum > 0 ? ((performance.now() - start) * 4_000) / prose.length : NaN;
  };
  const rounds = [];
  for (let round = 0; round < chatRounds; round++) rounds.push(await perPart());
  return [
    {
      name: 'Streaming in a chat, each part of four characters, with the meter after it',
      value: Math.min(...rounds),
      unit: 'microseconds',
      target: { atMost: 5 },
    },
    { name: 'Streaming in a chat, taking over the vocabulary', value: loading, unit: 'milliseconds' },
  ];
}

/** Of which the least time is taken: other programs only add to it. */
const chatRounds = 5;
