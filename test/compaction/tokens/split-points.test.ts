import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import { SplitPoints } from '../../../src/compaction/tokens/split-points.ts';
import { Vocabulary } from '../../../src/compaction/tokens/vocabulary.ts';
import { soak } from '../../support/soak.ts';

/** The parts of a piece between its split points. */
function partsOf(piece: string, splitPoints: SplitPoints): readonly string[] {
  const bytes = Buffer.from(piece);
  const parts: string[] = [];
  let start = 0;
  for (let at = 2; at < bytes.length; at++) {
    if (!splitPoints.isSplitPoint(bytes, at)) continue;
    parts.push(bytes.toString('utf8', start, at));
    start = at;
  }
  return [...parts, bytes.toString('utf8', start)];
}

/** Letters without case, which split patterns leave in one piece. Each part of them is thus a piece. */
const caseless = fc.oneof(
  fc.integer({ min: 0x4e00, max: 0x9fff }).map((codePoint) => String.fromCodePoint(codePoint)),
  fc.constantFrom(
    ...Array.from('的一是不了人我在有他这中大来上国个到说们上下文压缩窗口仓库品牌名称成为和平'),
  ),
  fc.constantFrom(...Array.from('トークンひらがな한국어다니는합กขไทยაბგამ𠀀𠮷אבعر')),
);

describe.each([
  ['o200k_base', o200k],
  ['cl100k_base', cl100k],
])('the split points of %s', (_name, file) => {
  const { splitPoints } = new Vocabulary(file);
  const oracle = new Tiktoken(file);

  it('divide a piece into parts without changing the tokens', () => {
    fc.assert(
      fc.property(fc.array(caseless, { minLength: 1, maxLength: 40 }), (characters) => {
        const piece = characters.join('');
        const parts = partsOf(piece, splitPoints);
        expect(parts.join('')).toBe(piece);
        expect(parts.flatMap((part) => oracle.encode(part, [], []))).toEqual(oracle.encode(piece, [], []));
      }),
      { numRuns: soak(300, 5_000) },
    );
  });

  it('are never inside a token', () => {
    const tokens = file.bpe_ranks
      .split('\n')
      .flatMap((line) => line.split(' ').slice(2))
      .map((token) => Buffer.from(token, 'base64'));
    const cut = tokens.filter((token) => {
      // A position is recognised by two bytes on either side.
      for (let at = 2; at < token.length - 1; at++) if (splitPoints.isSplitPoint(token, at)) return true;
      return false;
    });
    expect(cut.map(String)).toEqual([]);
  });

  it('are the same after they were written and read', () => {
    expect(SplitPoints.read(splitPoints.written).bits).toEqual(splitPoints.bits);
  });

  it('exist between most Chinese characters', () => {
    const text = '压缩记录把会话变成发给模型的视图历史从不修改撤销一次压缩时视图会重新推导出来';
    expect(partsOf(text, splitPoints).length).toBeGreaterThan(0.5 * text.length);
  });
});

describe('a split point', () => {
  const [one, other] = ['压', '缩'];
  const whole = Buffer.from(one + other);
  const middle = Buffer.from(one).length;

  it.each([
    ['whole characters', 0, 6],
    ['two bytes on each side', 1, 5],
    ['one byte before the split point, and three after it', 2, 6],
    ['three bytes before the split point, and one after it', 0, 4],
    ['the two adjacent bytes', 2, 4],
  ])('is never between characters that tokens join: %s', (_bytes, start, end) => {
    const splitPoints = new SplitPoints();
    expect(splitPoints.isSplitPoint(whole, middle)).toBe(true);
    splitPoints.join(whole, middle, middle - start, end - middle);
    expect(splitPoints.isSplitPoint(whole, middle)).toBe(false);
  });

  it('always precedes a character of three or four bytes', () => {
    const text = Buffer.from('ab压é𠀀');
    const splitPoints = new SplitPoints();
    expect([2, 3, 4, 5, 6, 7].filter((at) => splitPoints.isSplitPoint(text, at))).toEqual([2, 7]);
  });
});
