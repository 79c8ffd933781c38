import fc from 'fast-check';
import type { CutOf } from '../../src/compaction/text/known-cuts.ts';

/**
 * A place in a text, as a share of its length. Made from an integer, because fast-check draws mostly fractions near 0.
 */
const end = fc.integer({ min: 0, max: 1_000 }).map((thousandths) => thousandths / 1_000);

/**
 * Successive cuts of one text. Results for earlier cuts stay cached.
 *
 * @param texts texts to cut at any place
 * @param middles replacements of the removed parts
 */
export function cutsOfOneText(
  texts: fc.Arbitrary<string>,
  middles: fc.Arbitrary<string>,
): fc.Arbitrary<readonly CutOf[]> {
  const cut = fc.record({ ends: fc.tuple(end, end), middle: middles });
  return fc.tuple(texts, fc.array(cut, { minLength: 1, maxLength: 10 })).map(([whole, cuts]) => {
    const owner = {};
    return cuts.map(({ ends: [one, other], middle }): CutOf => {
      const place = (share: number) => Math.floor(share * whole.length);
      const [head, tail] = [place(Math.min(one, other)), place(Math.max(one, other))];
      return { whole, head, tail, middle, owner };
    });
  });
}
