import type { Slices } from '../signals/time-slices.ts';
import type { CutOf } from '../text/known-cuts.ts';
import type { CutCounter } from './cut-counter.ts';
import type { EncodingTables, ExactCounter } from './exact-counter.ts';

export const encodingNames = ['o200k_base', 'cl100k_base'] as const;
export type EncodingName = (typeof encodingNames)[number];

export type CountTokens = (text: string) => number;

/** Counts texts. Asynchronous, because long texts are counted on another thread if there is one. */
export interface TextCounter {
  /** @returns tokens of each text, in the order given */
  count(texts: readonly string[]): Promise<readonly number[]>;
  /** Counts shortened texts from the known counts of the full texts. If absent, `count` counts them. */
  countCuts?(cuts: readonly CutOf[]): Promise<readonly number[]>;
  /** Creates a counter on this thread for one text that arrives in parts, if it can. */
  running?(): Promise<PartCounter | undefined>;
}

/** Counts a text that arrives in parts. The cost of a part does not depend on earlier parts. */
export interface PartCounter {
  add(part: string): void;
  total(): number;
}

/** Creates a counter on this thread, which loads the encoding with the first text and works in slices. */
export function encodingCounter(encoding: EncodingName, slices?: Slices): TextCounter {
  const counts = async <Value>(values: readonly Value[], countOne: (value: Value) => number) => {
    const counted: number[] = [];
    for (const value of values) {
      counted.push(countOne(value));
      if (slices?.isOver === true) await slices.next();
    }
    return counted;
  };
  return {
    count: async (texts) => counts(texts, await loadEncoding(encoding)),
    async countCuts(cuts) {
      const { cuts: counter } = await loaded(encoding);
      return counts(cuts, (cut) => counter.count(cut));
    },
  };
}

/** Maximum length of a short text, in characters, and maximum number of short texts whose counts are kept. */
const longestKept = 500;
const mostKept = 10_000;

/** Counts each text once, except cuts, which rarely occur twice. Counts of `short` texts are kept longer. */
export function rememberingTexts(counter: TextCounter, short: Map<string, number>): TextCounter {
  const known = new Map<string, number>();
  const cuts =
    counter.countCuts === undefined
      ? {}
      : { countCuts: (some: readonly CutOf[]) => counter.countCuts?.(some) ?? Promise.resolve([]) };
  return {
    ...cuts,
    async count(texts) {
      const storeOf = (text: string) => (text.length <= longestKept ? short : known);
      if (short.size >= mostKept) short.clear();
      const unknown = [...new Set(texts.filter((text) => !storeOf(text).has(text)))];
      const counts = unknown.length === 0 ? [] : await counter.count(unknown);
      for (const [index, text] of unknown.entries()) storeOf(text).set(text, counts[index] ?? 0);
      return texts.map((text) => storeOf(text).get(text) ?? 0);
    },
  };
}

interface Loaded {
  readonly counter: ExactCounter;
  readonly cuts: CutCounter;
}

const loading = new Map<EncodingName, Promise<Loaded>>();

/** Loads an encoding once, with the first counted text: one to two megabytes, thirty milliseconds. */
export async function loadEncoding(name: EncodingName): Promise<CountTokens> {
  return (await loaded(name)).counter.count;
}

/** Loads an encoding for another thread, which makes an `ExactCounter` of it without filling tables. */
export async function loadTables(name: EncodingName): Promise<EncodingTables> {
  return (await loaded(name)).counter.tables;
}

function loaded(name: EncodingName): Promise<Loaded> {
  const counter = loading.get(name) ?? load(name);
  loading.set(name, counter);
  return counter;
}

async function load(name: EncodingName): Promise<Loaded> {
  const [file, { ExactCounter }, { CutCounter }] = await Promise.all([
    name === 'o200k_base' ? import('js-tiktoken/ranks/o200k_base') : import('js-tiktoken/ranks/cl100k_base'),
    import('./exact-counter.ts'),
    import('./cut-counter.ts'),
  ]);
  const counter = new ExactCounter(file.default);
  return { counter, cuts: new CutCounter(counter.running()) };
}
