import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ByteStrings } from '../../../src/compaction/tokens/byte-strings.ts';
import { ExactCounter } from '../../../src/compaction/tokens/exact-counter.ts';
import { mostQueued } from '../../../src/compaction/tokens/merge-queue.ts';
import { type CountTokens, loadEncoding, loadTables } from '../../../src/compaction/tokens/token-counter.ts';
import { soak } from '../../support/soak.ts';

/** js-tiktoken's merge is quadratic, so pieces have a length that it can finish. */
const run = (unit: string, longest: number) =>
  fc.integer({ min: 1, max: longest }).map((times) => unit.repeat(times));

const letters = fc.stringMatching(/^[a-zA-Z]{1,60}$/);
const texts: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'ordinary text': fc
    .array(fc.oneof(letters, fc.constantFrom("don't", '3.14', 'foo_bar', '--', '\n')))
    .map((words) => words.join(' ')),
  'any characters': fc.string({ unit: 'binary', maxLength: 200 }),
  'Chinese, Japanese and Korean': fc
    .array(fc.constantFrom('压缩', '上下文窗口', '，', '。', 'トークン', '한국어', ' ', 'a'), {
      maxLength: 40,
    })
    .map((parts) => parts.join('')),
  emoji: fc
    .array(fc.constantFrom('😀', '👩‍👩‍👧', '🏳️‍🌈', '❤️', 'x'), { maxLength: 40 })
    .map((parts) => parts.join('')),
  'white space': fc
    .array(fc.constantFrom(' ', '\n', '\r\n', '\t', '\u00a0', '\u3000', '\ufeff', 'a'), { maxLength: 60 })
    .map((parts) => parts.join('')),
  'special tokens': fc
    .array(fc.constantFrom('<|endoftext|>', '<|fim_prefix|>', '<|endofprompt|>', '<|', 'x'), { maxLength: 8 })
    .map((parts) => parts.join('')),
  'long runs': fc.oneof(
    run('a', 400),
    run(' ', 400),
    run('=', 400),
    run('汉', 150),
    run('😀', 80),
    run('\n', 200),
  ),
  'lone surrogates': fc
    .array(fc.constantFrom('\ud800', '\udc00', '\ud83d\ude00', 'a'), { maxLength: 20 })
    .map((parts) => parts.join('')),
};

interface Counter {
  readonly load: () => Promise<CountTokens>;
  readonly oracle: Tiktoken;
}

/** All encodings, and one that another thread has sent. */
const counters: Readonly<Record<string, Counter>> = {
  o200k_base: { load: () => loadEncoding('o200k_base'), oracle: new Tiktoken(o200k) },
  cl100k_base: { load: () => loadEncoding('cl100k_base'), oracle: new Tiktoken(cl100k) },
  'o200k_base of tables that another thread sent': {
    load: async () => new ExactCounter(structuredClone(await loadTables('o200k_base'))).count,
    oracle: new Tiktoken(o200k),
  },
};

describe.each(Object.entries(counters))('counting with %s', (_name, { load, oracle }) => {
  let count: CountTokens;
  const expected = (text: string) => oracle.encode(text, [], []).length;
  beforeAll(async () => {
    count = await load();
  });

  it.each(Object.keys(texts))('gives the same count as js-tiktoken for %s', (name) => {
    fc.assert(
      fc.property(texts[name]!, (text) => {
        expect(count(text)).toBe(expected(text));
      }),
      { numRuns: soak(80, 800) },
    );
  });

  it('gives the same count as js-tiktoken for a mixture of all kinds', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(...Object.values(texts)), { maxLength: 6 }), (parts) => {
        const text = parts.join('');
        expect(count(text)).toBe(expected(text));
      }),
      { numRuns: soak(50, 500) },
    );
  });

  it('counts texts of more than a million characters exactly, no matter where slices end', () => {
    // No token crosses the line end, so the whole is the sum of its parts.
    const paragraph = "They'll call openStore(3.14), 打开仓库😀 or  return\r\n\n\t'nothing' // 12345\n";
    for (const start of ['.\n', '..\n', '...\n']) {
      const times = 20_000;
      expect(count(start + paragraph.repeat(times))).toBe(expected(start) + times * expected(paragraph));
    }
  });

  it('returns the same count from the cache, even after the cache was full', () => {
    const text = 'The quick brown fox jumps over the lazy dog. Zqxwv Zqxwvzqxwvzqxwv. '.repeat(20);
    const first = count(text);
    const words = Array.from({ length: 40_000 }, (_, index) => {
      const letters = index.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)));
      return ` ${letters}qzx ${letters}qzxwvqzxwv`;
    }).join('');
    expect(count(words)).toBe(count(words));
    expect(count(text)).toBe(first);
  });

  it('counts separate texts separately', () => {
    expect(count('a\ud83d')).toBe(expected('a\ud83d'));
    expect(count('\ude00')).toBe(expected('\ude00'));
  });

  it.each([' \t', '-=', '=+*'])('makes about one lookup per byte in a piece of %j', (unit) => {
    const length = 2 * mostQueued;
    const searches = vi.spyOn(ByteStrings.prototype, 'findTail');
    count(`${unit.repeat(length / unit.length)}x`);
    expect(searches.mock.calls.length).toBeGreaterThan(0);
    expect(searches.mock.calls.length).toBeLessThan(2 * length);
    searches.mockRestore();
  });

  it('counts long pieces for which a quadratic merge would take too long', () => {
    // Known from shorter runs, which the oracle can count: each group of letters `a` or emoji is a token.
    for (const [unit, short] of [
      ['a', 64],
      ['😀', 8],
    ] as const) {
      expect(count(unit.repeat(short * 2_000))).toBe(expected(unit.repeat(short)) * 2_000);
    }
  });
});
