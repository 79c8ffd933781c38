import { createTokenCounter, type CountTokens } from './token-counter.ts';

export const encodingNames = ['o200k_base', 'cl100k_base'] as const;
export type EncodingName = (typeof encodingNames)[number];

const loading = new Map<EncodingName, Promise<CountTokens>>();

/**
 * Loads an encoding's ranks, once. They are one to two megabytes of JavaScript and building the table blocks for
 * about a fifth of a second, so nothing loads them before the first text is counted.
 */
export function loadEncoding(name: EncodingName): Promise<CountTokens> {
  const loaded = loading.get(name) ?? load(name);
  loading.set(name, loaded);
  return loaded;
}

async function load(name: EncodingName): Promise<CountTokens> {
  const file =
    name === 'o200k_base'
      ? await import('js-tiktoken/ranks/o200k_base')
      : await import('js-tiktoken/ranks/cl100k_base');
  return createTokenCounter(file.default);
}
