import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { type Palette, paletteOf } from './palette.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The pixels of a picture, row by row. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  /** A number `0xRRGGBB` for each pixel. */
  readonly colours: Uint32Array;
}

/**
 * Converts a picture to at most 256 colours. A picture of a window then takes about a third of the space and looks
 * the same.
 *
 * @param png in the form of browsers' screenshots: 8 bits a channel, RGB or RGBA, not interlaced; transparency is
 * dropped
 * @throws {Error} if the PNG has another form
 */
export function palettePng(png: Buffer): Buffer {
  const { width, height, colours } = readPixels(png);
  const { entries, indexOf }: Palette = paletteOf(colours);
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) {
    // The first byte of a row is its filter. A palette needs no filter.
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf.get(colours[y * width + x]!)!;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a pixel, with colours from a palette.
  header.set([8, 3], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk(
      'PLTE',
      Buffer.from(entries.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])),
    ),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @throws {Error} unless the picture has 8 bits a channel, is RGB or RGBA, and is not interlaced */
export function readPixels(png: Buffer): Pixels {
  if (!png.subarray(0, 8).equals(signature)) throw new Error('This is no PNG.');
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const [depth, colourType, interlacing] = [png[24], png[25], png[28]];
  if (depth !== 8 || (colourType !== 2 && colourType !== 6) || interlacing !== 0)
    throw new Error('Only pictures with 8 bits a channel, RGB or RGBA, not interlaced, are read.');
  const channels = colourType === 2 ? 3 : 4;
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * channels, channels);
  const colours = Uint32Array.from({ length: width * height }, (_, pixel) =>
    bytes.readUIntBE(pixel * channels, 3),
  );
  return { width, height, colours };
}

/**
 * Removes the filters of rows.
 *
 * @param stride bytes in a row, without the byte of its filter
 * @param step bytes in a pixel
 * @see https://www.w3.org/TR/png-3/#9Filters
 */
function unfilter(filtered: Buffer, stride: number, step: number): Buffer {
  const height = filtered.length / (stride + 1);
  const bytes = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y++) {
    const filter = filtered[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < step ? 0 : bytes[at - step]!;
      const above = y === 0 ? 0 : bytes[at - stride]!;
      const corner = x < step || y === 0 ? 0 : bytes[at - stride - step]!;
      bytes[at] = filtered[y * (stride + 1) + 1 + x]! + guess(filter!, left, above, corner);
    }
  }
  return bytes;
}

/** The byte that a filter predicts from its neighbours. Rows are stored as differences from the predictions. */
function guess(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    default:
      return paeth(left, above, corner);
  }
}

function paeth(left: number, above: number, corner: number): number {
  const byLeft = Math.abs(above - corner);
  const byAbove = Math.abs(left - corner);
  const byCorner = Math.abs(left + above - 2 * corner);
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
