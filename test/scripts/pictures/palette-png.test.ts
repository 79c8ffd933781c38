import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { palettePng, readPixels } from '../../../scripts/pictures/palette-png.ts';

const size = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value]);
const chunk = (type: string, data: Buffer) =>
  Buffer.concat([size(data.length), Buffer.from(type), data, Buffer.alloc(4)]);

/** A PNG two pixels wide, from rows with the filter in front. */
function png(colourType: number, ...rows: readonly (readonly number[])[]): Buffer {
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.from([...size(2), ...size(rows.length), 8, colourType, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('the pixels of a PNG', () => {
  it.each([
    ['nothing', [0, 16, 32, 48, 64, 80, 96]],
    ['the pixel on the left', [1, 16, 32, 48, 48, 48, 48]],
    ['the pixel above', [2, 16, 32, 48, 64, 80, 96]],
    ['the mean of both pixels', [3, 16, 32, 48, 56, 64, 72]],
    ['the nearest of three pixels', [4, 16, 32, 48, 48, 48, 48]],
  ])('are read if each is stored as the difference from %s', (_, row) => {
    expect([...readPixels(png(2, row)).colours]).toEqual([0x102030, 0x405060]);
  });

  it('are read without their transparency', () => {
    const { colours } = readPixels(png(6, [0, 1, 2, 3, 255, 4, 5, 6, 255]));
    expect([...colours]).toEqual([0x010203, 0x040506]);
  });

  it('are not read from an unsupported kind of picture', () => {
    expect(() => readPixels(png(0, [0, 1, 2]))).toThrow('RGB or RGBA');
    expect(() => readPixels(Buffer.from('GIF89a, and more'))).toThrow('no PNG');
  });
});

it('a picture with a palette has one byte for each pixel', () => {
  const small = palettePng(png(2, [0, 1, 2, 3, 4, 5, 6], [2, 3, 3, 3, 0, 0, 0]));
  const at = (type: string) => small.indexOf(type) + 4;
  const palette = small.subarray(at('PLTE'), at('PLTE') + 6);
  const rows = inflateSync(small.subarray(at('IDAT'), small.indexOf('IEND') - 8));
  const colourOf = (index: number) => [...palette.subarray(index * 3, index * 3 + 3)];
  expect([1, 2, 4, 5].map((pixel) => colourOf(rows[pixel]!))).toEqual([
    [1, 2, 3],
    [4, 5, 6],
    [4, 5, 6],
    [4, 5, 6],
  ]);
});
