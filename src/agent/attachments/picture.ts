import { Buffer } from 'node:buffer';
import type { EmbeddedImage } from '../../compaction/images/image-part.ts';
import { type ImageType, readImageHeader } from '../../compaction/images/image-header.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { sizeInWords } from '../tools/support/tool.ts';

/** Maximum bytes of a picture. Anthropic takes 5 MB of base64, which is a third longer; other providers take more. */
export const largestPicture = 3_900_000;

/** Maximum pixels of a side (Anthropic, "Vision"). */
const longestSide = 8_000;

type CheckedPicture =
  { readonly type: ImageType; readonly image: EmbeddedImage } | { readonly problem: Sentence };

/** Reads type, size and sides of a picture from its bytes. @param name the name that the user knows */
export function checkPicture(bytes: Uint8Array, name: string): CheckedPicture {
  const header = readImageHeader(bytes);
  if (header === undefined) return { problem: agentSentences.say('pictureUnknownType', { name }) };
  if (bytes.length > largestPicture) return { problem: tooLarge(name, bytes.length) };
  const { type, width, height } = header;
  if (Math.max(width, height) > longestSide) {
    const sides = { name, width, height, most: longestSide };
    return { problem: agentSentences.say('pictureTooLong', sides) };
  }
  return { type, image: { type, base64: Buffer.from(bytes).toString('base64') } };
}

/** @param size bytes of the picture */
export function tooLarge(name: string, size: number): Sentence {
  const most = sizeInWords(largestPicture);
  return agentSentences.say('pictureTooLarge', { name, size: sizeInWords(size), most });
}

/** True for a path with the extension of a picture. The type is determined from the bytes alone. */
export function isPicturePath(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp)$/iu.test(path);
}
