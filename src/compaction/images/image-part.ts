import { isRecord } from '../../language/is-record.ts';
import type { Content, ContentPart } from '../messages/message.ts';
import { type ImageHeader, readImageHeader } from './image-header.ts';

export interface EmbeddedImage {
  readonly type: string;
  readonly base64: string;
}

/** Creates a message part for an image, in the form of OpenAI's chat completions. */
export function imagePart({ type, base64 }: EmbeddedImage): ContentPart {
  return { type: 'image_url', image_url: { url: `data:${type};base64,${base64}` } };
}

/** True for a part that is counted as an image: any part except text. */
export function isImagePart({ type, text }: ContentPart): boolean {
  return type !== 'text' && text === undefined;
}

export function imageParts(content: Content): readonly ContentPart[] {
  return content === null || typeof content === 'string' ? [] : content.filter(isImagePart);
}

/** Returns the URL of an image; undefined if the part has no URL. */
export function imageUrl({ image_url: image }: ContentPart): string | undefined {
  const url: unknown = isRecord(image) ? image['url'] : image;
  return typeof url === 'string' ? url : undefined;
}

export function embeddedImage(part: ContentPart): EmbeddedImage | undefined {
  const url = imageUrl(part);
  const { type, base64 } = /^data:(?<type>[^;,]+);base64,(?<base64>.+)$/su.exec(url ?? '')?.groups ?? {};
  return type === undefined || base64 === undefined ? undefined : { type, base64 };
}

/** Cached, because parts are immutable and decoding a large image is slow. */
const headers = new WeakMap<ContentPart, ImageHeader>();
/** Number of base64 characters in which almost every image states its size. A few photographs do so later. */
const usuallyEnough = 4 * 16_384;

/** Reads type and size of the image in a part; undefined if its data is elsewhere, damaged or of another type. */
export function imageHeaderOf(part: ContentPart): ImageHeader | undefined {
  const known = headers.get(part);
  if (known !== undefined) return known;
  const base64 = embeddedImage(part)?.base64;
  if (base64 === undefined) return undefined;
  const header =
    readImageHeader(decodeBase64(base64.slice(0, usuallyEnough))) ??
    (base64.length > usuallyEnough ? readImageHeader(decodeBase64(base64)) : undefined);
  if (header !== undefined) headers.set(part, header);
  return header;
}

/** Replaces each image in a content with a text. @returns the same content if it has no images */
export function withTextForImages(content: Content, text: string): Content {
  if (content === null || typeof content === 'string' || !content.some(isImagePart)) return content;
  return content.map((part) => (isImagePart(part) ? { type: 'text', text } : part));
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const valueOf = new Map(Array.from(digits).map((digit, value) => [digit.charCodeAt(0), value]));

/** Decodes base64 (RFC 4648, 4). Stops at the padding or any other character. */
function decodeBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let place = 0; place < text.length; place++) {
    const value = valueOf.get(text.charCodeAt(place));
    if (value === undefined) break;
    held = (held << 6) | value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = (held >> bits) & 0xff;
    held &= (1 << bits) - 1;
  }
  return bytes.subarray(0, length);
}
