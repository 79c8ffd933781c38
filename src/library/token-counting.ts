import {
  type EncodingName,
  loadEncoding,
  encodingCounter as counterOf,
  type TextCounter,
} from '../compaction/tokens/token-counter.ts';

/**
 * Counts the tokens of a string. The first call loads the vocabulary: 1.2 MB for `o200k_base`, 0.6 MB for
 * `cl100k_base`.
 *
 * ```ts
 * const tokens = await countTokens('How many tokens is this?');
 * ```
 *
 * @param encoding the encoding, by default `o200k_base` (GPT-4o and later); its counts are close enough for
 * models with another tokenizer
 * @throws {TypeError} if the text is not a string
 * @throws {RangeError} if the encoding is unknown
 */
export async function countTokens(text: string, encoding: EncodingName = 'o200k_base'): Promise<number> {
  if (!isText(text)) throw new TypeError('The text to count must be a string.');
  checkEncoding(encoding);
  return (await loadEncoding(encoding))(text);
}

/**
 * Creates a counter for a conversation. It counts on this thread, and loads its vocabulary when it counts the first
 * string.
 * @throws {RangeError} if the encoding is unknown
 */
export function textCounter(encoding: EncodingName = 'o200k_base'): TextCounter {
  checkEncoding(encoding);
  return counterOf(encoding);
}

const encodings: readonly string[] = ['o200k_base', 'cl100k_base'] satisfies readonly EncodingName[];

function checkEncoding(name: string): void {
  if (encodings.includes(name)) return;
  throw new RangeError(`Unknown encoding ${name}. Encodings: ${encodings.join(', ')}.`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
