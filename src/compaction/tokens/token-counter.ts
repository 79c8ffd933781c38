import type { EncodingTables, ExactCounter } from './exact-counter.ts';

export const encodingNames = ['o200k_base', 'cl100k_base'] as const;
export type EncodingName = (typeof encodingNames)[number];

/** Counts the tokens of a string exactly as js-tiktoken's `encode(text, [], [])` would make them. */
export type CountTokens = (text: string) => number;

const loading = new Map<EncodingName, Promise<ExactCounter>>();

/**
 * Loads an encoding's ranks and the code that counts with them, once. The ranks are one to two megabytes of JavaScript
 * and filling the tables blocks for some thirty milliseconds, so nothing loads them before the first text is counted.
 */
export async function loadEncoding(name: EncodingName): Promise<CountTokens> {
  return (await loaded(name)).count;
}

/** Loads an encoding for another thread, which makes an `ExactCounter` of it without filling any table. */
export async function loadTables(name: EncodingName): Promise<EncodingTables> {
  return (await loaded(name)).tables;
}

function loaded(name: EncodingName): Promise<ExactCounter> {
  const counter = loading.get(name) ?? load(name);
  loading.set(name, counter);
  return counter;
}

async function load(name: EncodingName): Promise<ExactCounter> {
  const [file, { ExactCounter }] = await Promise.all([
    name === 'o200k_base' ? import('js-tiktoken/ranks/o200k_base') : import('js-tiktoken/ranks/cl100k_base'),
    import('./exact-counter.ts'),
  ]);
  return new ExactCounter(file.default);
}
