import { describe, expect, it } from 'vitest';
import { paletteOf } from '../../../scripts/pictures/palette.ts';

describe('the palette of a picture', () => {
  it('keeps its colours if they are few', () => {
    const { entries, indexOf } = paletteOf([0x1f1f1f, 0x4daafc, 0x1f1f1f]);
    expect([...entries].sort((a, b) => a - b)).toEqual([0x1f1f1f, 0x4daafc]);
    expect(entries[indexOf.get(0x4daafc)!]).toBe(0x4daafc);
  });

  it('has at most the requested number of colours, with similar ones merged', () => {
    const { entries, indexOf } = paletteOf([0x000000, 0x000001, 0xfffffe, 0xffffff], 2);
    expect(entries).toHaveLength(2);
    expect(indexOf.get(0x000000)).toBe(indexOf.get(0x000001));
    expect(indexOf.get(0xfffffe)).toBe(indexOf.get(0xffffff));
    expect(indexOf.get(0x000000)).not.toBe(indexOf.get(0xffffff));
  });

  it('keeps the colour of a plain area', () => {
    const area = Array.from({ length: 100 }, () => 0x181818);
    const { entries, indexOf } = paletteOf([...area, 0x181819, 0x18181a, 0xffffff], 2);
    expect(entries[indexOf.get(0x181818)!]).toBe(0x181818);
  });
});
