import { describe, expect, it } from 'vitest';
import { clipToTokens } from '../../../src/compaction/text/clip.ts';
import {
  clipMarker,
  isCut,
  isShortened,
  omission,
  referenceTo,
} from '../../../src/compaction/text/placeholder.ts';
import { result } from '../../support/messages.ts';

describe('a string that stands in for another', () => {
  it('is recognised when only the text is left to tell', async () => {
    const count = (text: string) => Promise.resolve(text.length);
    const clipped = await clipToTokens('x'.repeat(1_000), 300, count, clipMarker('m3'));
    const texts = [
      clipped,
      referenceTo('m3', 'Read', 900),
      `head\n${referenceTo('m3', 'Read', 900, 'Old.')}`,
    ];
    expect(texts.map((content) => isShortened(result('m3', 'a', content)))).toEqual([true, true, true]);
  });

  it('is told from what the tool itself left out, which may be hidden but not cut again', () => {
    const cut = { ...result('m3', 'a', 'the first 200 of 900 lines'), truncation: { fate: 'tool' } as const };
    expect([isCut(cut), isShortened(cut)]).toEqual([true, false]);
  });

  it('is told from what was left out when the result came in', () => {
    const left = omission('m3', 'lines 120–3400 of 3512', ', in parts');
    expect(left).toBe('[… lines 120–3400 of 3512 left out: recall("m3") returns them, in parts …]');
    const texts = [left, JSON.stringify({ page: `begin ${left} end` })].map((text) =>
      result('m3', 'a', text),
    );
    expect(texts.map((message) => [isCut(message), isShortened(message)])).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  it('is not confused with a string that speaks of recall', () => {
    expect(isShortened(result('m3', 'a', 'call recall("m1") to see it'))).toBe(false);
  });

  it('says where the whole of it is', () => {
    expect(referenceTo('m3', 'Read', 900)).toBe(
      '[Result of Read: 900 tokens. recall("m3") returns all of it.]',
    );
  });
});
