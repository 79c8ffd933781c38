import type { Slices } from '../signals/slices.ts';
import type { CutOf } from '../text/cuts.ts';
import type { CutCounter } from './cut-counter.ts';
import type { EncodingTables, ExactCounter } from './exact-counter.ts';

export const encodingNames = ['o200k_base', 'cl100k_base'] as const;
export type EncodingName = (typeof encodingNames)[number];

/** Counts the tokens of a string exactly as js-tiktoken's `encode(text, [], [])` would make them. */
export type CountTokens = (text: string) => number;

/** Counts texts. Asynchronous, because a long text is counted on another thread if there is one. */
export interface TextCounter {
  /** @returns tokens of each text, in the order given */
  count(texts: readonly string[]): Promise<readonly number[]>;
  /** The same of cuts, by what is known of the texts that they are cuts of. Without it, they are counted as texts. */
  countCuts?(cuts: readonly CutOf[]): Promise<readonly number[]>;
  /**
   * A counter of one text that arrives in parts, on this thread. Undefined, like the function, where there is none for
   * the encoding.
   */
  running?(): Promise<PartCounter | undefined>;
}

/** Counts a text that arrives in parts; what a part costs does not depend on those before it. */
export interface PartCounter {
  add(part: string): void;
  /** Tokens of all parts, as if nothing followed. */
  total(): number;
}

/**
 * A counter on this thread, which loads the encoding with the first text.
 *
 * @param slices between which other work of the thread has its turn
 */
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
      const counter = await loadCutCounter(encoding);
      return counts(cuts, (cut) => counter.count(cut));
    },
  };
}

/** Characters of a text up to which its count is kept for later, and the number of such texts. */
const longestKept = 500;
const mostKept = 10_000;

/**
 * A counter that counts each text once. Cuts are hardly ever asked about twice.
 *
 * @param short counts of short texts, which are kept longer: lines of facts and names of tools come again and again
 */
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

/**
 * Loads an encoding's ranks and the code that counts with them, once. The ranks are one to two megabytes of JavaScript
 * and filling the tables blocks for some thirty milliseconds, so nothing loads them before the first text is counted.
 */
export async function loadEncoding(name: EncodingName): Promise<CountTokens> {
  return (await loaded(name)).counter.count;
}

/** The same for cuts. What it learns of a text is kept as long as the message or the call that has the text. */
export async function loadCutCounter(name: EncodingName): Promise<CutCounter> {
  return (await loaded(name)).cuts;
}

/** Loads an encoding for another thread, which makes an `ExactCounter` of it without filling any table. */
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
  // The split patterns of both have a table.
  return { counter, cuts: new CutCounter(counter.running()!) };
}
