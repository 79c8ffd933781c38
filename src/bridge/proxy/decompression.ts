import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** A stream of `node:zlib` that decompresses. */
type Decompressor = zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress;

interface Encoding {
  /** Creates a stream. It emits what it has when its input ends early. */
  readonly stream: () => Decompressor;
  readonly whole: (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;
}

const flushing = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const gzip: Encoding = { stream: () => zlib.createGunzip(flushing), whole: promisify(zlib.gunzip) };

/** Encodings by their names in `Content-Encoding`. */
const encodings: ReadonlyMap<string, Encoding> = new Map<string, Encoding>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', { stream: () => zlib.createInflate(flushing), whole: promisify(zlib.inflate) }],
  [
    'br',
    {
      stream: () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
      whole: promisify(zlib.brotliDecompress),
    },
  ],
  ...zstandard(),
]);

/** Zstandard, in versions of Node that have it. */
function zstandard(): readonly (readonly [string, Encoding])[] {
  if (!('createZstdDecompress' in zlib)) return [];
  const stream = () => zlib.createZstdDecompress({ finishFlush: zlib.constants.ZSTD_e_flush });
  return [['zstd', { stream, whole: promisify(zlib.zstdDecompress) }]];
}

/** True if bytes in this encoding are as the sender wrote them. */
export function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || /^(?:identity)?$/iu.test(encoding.trim());
}

/** Maximum bytes of a body, after decompression, that is recorded or changed. A larger one passes through. */
export const largestBody = 64 * 1024 * 1024;

/** @returns undefined if the encoding is unknown, the data is damaged, or it becomes larger than the limit */
export async function decompress(
  bytes: Uint8Array,
  encoding: string | undefined,
): Promise<Uint8Array | undefined> {
  if (isPlain(encoding)) return bytes.byteLength > largestBody ? undefined : bytes;
  return encodingNamed(encoding)
    ?.whole(bytes, { maxOutputLength: largestBody })
    .catch(() => undefined);
}

/** Creates a stream that decompresses. @returns undefined if the encoding is unknown */
export function createDecompressor(encoding: string | undefined): Decompressor | undefined {
  return encodingNamed(encoding)?.stream();
}

function encodingNamed(name: string | undefined): Encoding | undefined {
  return encodings.get(name?.trim().toLowerCase() ?? '');
}

/** Maximum bytes that a response becomes. A stream of a million tokens, one an event, takes half of it. */
const mostBytes = 600_000_000;
/** Maximum growth. Text grows less than a hundredfold; a bomb that grows less is small. */
const highestGrowth = 1_000;
/** Bytes that any response may become. */
const harmlessBytes = 16_000_000;

/** True if data grew as only a bomb does, or is too large to be read. */
export function isBomb(compressed: number, decompressed: number): boolean {
  return decompressed > Math.min(mostBytes, Math.max(harmlessBytes, highestGrowth * compressed));
}
