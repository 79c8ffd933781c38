import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type CountTokens,
  type EncodingName,
  loadEncoding,
} from '../../../src/compaction/tokens/token-counter.ts';
import { soak } from '../../support/soak.ts';

/** js-tiktoken's merge is quadratic, so runs that it has to merge in one piece stay below what it can finish. */
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

const oracles = { o200k_base: new Tiktoken(o200k), cl100k_base: new Tiktoken(cl100k) };

describe.each(Object.keys(oracles) as EncodingName[])('counting with %s', (encoding) => {
  let count: CountTokens;
  beforeAll(async () => {
    count = await loadEncoding(encoding);
  });

  it.each(Object.keys(texts))('equals js-tiktoken on %s', (name) => {
    fc.assert(
      fc.property(texts[name]!, (text) => {
        expect(count(text)).toBe(oracles[encoding].encode(text, [], []).length);
      }),
      { numRuns: soak(100, 3_000) },
    );
  });

  it('equals js-tiktoken on a string that mixes everything', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(...Object.values(texts)), { maxLength: 6 }), (parts) => {
        const text = parts.join('');
        expect(count(text)).toBe(oracles[encoding].encode(text, [], []).length);
      }),
      { numRuns: soak(50, 1_500) },
    );
  });

  it('counts a special token as the text it is', () => {
    expect(count('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('counts nothing in an empty text', () => {
    expect(count('')).toBe(0);
  });

  it('counts the same again from its cache', () => {
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
    expect(count(text)).toBe(count(text));
  });
});

describe('counting long runs', () => {
  it('finishes on pieces that a quadratic merge could not', async () => {
    const count = await loadEncoding('o200k_base');
    // Known from shorter runs: eight letters `a` a token; the same count follows for any multiple.
    expect(count('a'.repeat(800_000))).toBe(100_000);
    expect(count('😀'.repeat(200_000))).toBe(200_000);
  });

  it('counts texts longer than one regular expression can scan', async () => {
    const count = await loadEncoding('o200k_base');
    const paragraph = 'All work and no play makes a dull day. ';
    const times = 60_000;
    expect(count(paragraph.repeat(times).trimEnd())).toBe(count(` ${paragraph.trimEnd()}`) * times);
  });
});
