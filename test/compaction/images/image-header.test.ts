import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readImageHeader } from '../../../src/compaction/images/image-header.ts';
import { bytesOf, pictures, pngOf } from '../../support/pictures.ts';

const sides = { width: 7, height: 5 };

describe('the header of an image', () => {
  it.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['gif', 'image/gif'],
    ['webp', 'image/webp'],
    ['lossyWebp', 'image/webp'],
    ['losslessWebp', 'image/webp'],
  ] as const)('contains the type and the size: %s', (name, type) => {
    expect(readImageHeader(bytesOf(pictures[name]))).toEqual({ type, ...sides });
  });

  it('contains the size of a photograph even after other segments and fill bytes', () => {
    const [start, ...rest] = [bytesOf(pictures.jpeg).slice(0, 2), bytesOf(pictures.jpeg).slice(2)];
    const comment = Uint8Array.from([0xff, 0xfe, 0x01, 0x00, ...Array.from({ length: 254 }, () => 0xff)]);
    const bytes = Buffer.concat([start, comment, Uint8Array.from([0xff, 0xff]), ...rest]);
    expect(readImageHeader(bytes)).toEqual({ type: 'image/jpeg', ...sides });
  });

  it.each([
    ['SVG', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"/>')],
    ['a bitmap', Uint8Array.from([0x42, 0x4d, 0, 0, 0, 0])],
    ['a text that contains names of types', new TextEncoder().encode('PNG IHDR GIF89a WEBP')],
    ['an empty file', new Uint8Array()],
    ['an image without a side', pngOf(0, 5)],
  ])('is undefined for %s', (_, bytes) => {
    expect(readImageHeader(bytes)).toBeUndefined();
  });

  it('is never read beyond the end of a cut-off file', () => {
    for (const picture of Object.values(pictures)) {
      const bytes = bytesOf(picture);
      for (let length = 0; length < bytes.length; length++) {
        const header = readImageHeader(bytes.subarray(0, length));
        if (header !== undefined) expect(header).toMatchObject(sides);
      }
    }
  });

  it('has sides of at least one pixel for any bytes', () => {
    const starts = Object.values(pictures).map((picture) => [...bytesOf(picture).subarray(0, 30)]);
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 60 }), (start, rest) => {
        const header = readImageHeader(Uint8Array.from([...start, ...rest]));
        expect(header === undefined || (header.width >= 1 && header.height >= 1)).toBe(true);
      }),
    );
  });
});
