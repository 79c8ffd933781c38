/** Types of images that all providers accept, as listed in Anthropic's "Vision" and OpenAI's "Images and vision". */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

export interface ImageHeader {
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
}

/** Reads type and size of an image from its bytes; undefined for another type, or for damaged bytes. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const header = pngHeader(bytes) ?? jpegHeader(bytes) ?? gifHeader(bytes) ?? webpHeader(bytes);
  return header !== undefined && header.width > 0 && header.height > 0 ? header : undefined;
}

/** PNG specification, sections 5.2 and 11.2.2: the signature, then the chunk `IHDR` with the size. */
function pngHeader(bytes: Uint8Array): ImageHeader | undefined {
  if (!startsWith(bytes, 0, '\x89PNG\r\n\x1a\n') || !startsWith(bytes, 12, 'IHDR')) return undefined;
  return sized('image/png', bigEndian(bytes, 16, 4), bigEndian(bytes, 20, 4));
}

/** ITU-T T.81, B.1 and B.2: segments, up to the segment that starts a frame and states the size. */
function jpegHeader(bytes: Uint8Array): ImageHeader | undefined {
  if (!startsWith(bytes, 0, '\xff\xd8\xff')) return undefined;
  let place = 2;
  while (bytes[place] === 0xff) {
    const marker = bytes[place + 1];
    // A marker may be preceded by any number of fill bytes.
    if (marker === 0xff) {
      place++;
      continue;
    }
    if (marker === undefined) return undefined;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return sized('image/jpeg', bigEndian(bytes, place + 7, 2), bigEndian(bytes, place + 5, 2));
    const length = bigEndian(bytes, place + 2, 2);
    // The image data begins, but no frame was declared.
    if (length === undefined || length < 2 || marker === 0xda) return undefined;
    place += 2 + length;
  }
  return undefined;
}

/** GIF89a specification, sections 17 and 18: the signature and version, then the size of the screen. */
function gifHeader(bytes: Uint8Array): ImageHeader | undefined {
  if (!startsWith(bytes, 0, 'GIF87a') && !startsWith(bytes, 0, 'GIF89a')) return undefined;
  return sized('image/gif', littleEndian(bytes, 6, 2), littleEndian(bytes, 8, 2));
}

/** RFC 9649, sections 2.5 to 2.7: lossy, lossless and extended files. */
function webpHeader(bytes: Uint8Array): ImageHeader | undefined {
  if (!startsWith(bytes, 0, 'RIFF') || !startsWith(bytes, 8, 'WEBP')) return undefined;
  if (startsWith(bytes, 12, 'VP8X')) {
    return sized('image/webp', oneMore(littleEndian(bytes, 24, 3)), oneMore(littleEndian(bytes, 27, 3)));
  }
  if (startsWith(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const packed = littleEndian(bytes, 21, 4);
    if (packed === undefined) return undefined;
    return sized('image/webp', (packed % 0x4000) + 1, (Math.floor(packed / 0x4000) % 0x4000) + 1);
  }
  if (!startsWith(bytes, 12, 'VP8 ') || !startsWith(bytes, 23, '\x9d\x01\x2a')) return undefined;
  const [width, height] = [littleEndian(bytes, 26, 2), littleEndian(bytes, 28, 2)];
  // The two highest bits only scale the display.
  return sized('image/webp', width && width % 0x4000, height && height % 0x4000);
}

function sized(
  type: ImageType,
  width: number | undefined,
  height: number | undefined,
): ImageHeader | undefined {
  return width === undefined || height === undefined ? undefined : { type, width, height };
}

function oneMore(value: number | undefined): number | undefined {
  return value === undefined ? undefined : value + 1;
}

/** @param text each character stands for the byte with the character's code */
function startsWith(bytes: Uint8Array, place: number, text: string): boolean {
  return Array.from(text).every((character, index) => bytes[place + index] === character.charCodeAt(0));
}

function bigEndian(bytes: Uint8Array, place: number, length: number): number | undefined {
  if (place + length > bytes.length) return undefined;
  return bytes.slice(place, place + length).reduce((value, byte) => value * 256 + byte, 0);
}

function littleEndian(bytes: Uint8Array, place: number, length: number): number | undefined {
  if (place + length > bytes.length) return undefined;
  return bytes.slice(place, place + length).reduceRight((value, byte) => value * 256 + byte, 0);
}
