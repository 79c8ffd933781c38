import { customSentences } from '../../language/english/custom-english.ts';
import { SentenceError } from '../../language/sentence.ts';

/** Messages between a custom strategy's process and its host: a length, which is checked first, then JSON. */

/** Maximum bytes of a message to the host. */
export const largestMessage = 16_000_000;
/** Maximum bytes of a message from the host, which contains a whole conversation with its images. */
export const largestOfHost = 256_000_000;

/** Error for a message that its reader or writer refuses. */
export class MessageError extends SentenceError {
  override readonly name = 'MessageError';
}

/** Encodes a message. @param largest bytes @throws {MessageError} if it is larger @throws {TypeError} if not JSON */
export function frameOf(message: unknown, largest: number): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  refuseLarge(body.length, largest);
  const frame = Buffer.allocUnsafe(4 + body.length);
  frame.writeUInt32LE(body.length);
  body.copy(frame, 4);
  return frame;
}

/** Reads messages of a stream as JSON. @param largest bytes @throws {MessageError} before reading a larger one */
export async function* framesIn(chunks: AsyncIterable<Uint8Array>, largest: number): AsyncGenerator<Buffer> {
  const header = Buffer.alloc(4);
  let body: Buffer | undefined;
  let filled = 0;
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    while (rest.length > 0) {
      const part = body ?? header;
      const taken = rest.copy(part, filled);
      filled += taken;
      rest = rest.subarray(taken);
      if (filled === part.length && body === undefined) {
        const size = header.readUInt32LE();
        refuseLarge(size, largest);
        body = Buffer.allocUnsafe(size);
        filled = 0;
      }
      if (filled === body?.length) {
        yield body;
        body = undefined;
        filled = 0;
      }
    }
  }
}

function refuseLarge(size: number, largest: number): void {
  if (size > largest) {
    throw new MessageError(customSentences.say('messageTooLarge', { most: largest, size }));
  }
}

/** Maximum number of values in one message. Each value takes many times the memory of its JSON. */
const mostValues = 300_000;
/** Maximum depth of nested lists and objects. A deeper message would be an attempt to overflow the stack. */
const deepest = 100;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Parses untrusted JSON.
 * @throws {MessageError} if it is too large or too deep
 * @throws {SyntaxError} if it is invalid
 */
export function readBoundedJson(bytes: Buffer): unknown {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === comma) values++;
    else if (opening.has(byte)) {
      values++;
      depth++;
    } else if (closing.has(byte)) depth--;
    if (values > mostValues)
      throw new MessageError(customSentences.say('messageTooFull', { most: mostValues }));
    if (depth > deepest) throw new MessageError(customSentences.say('messageTooDeep', { most: deepest }));
  }
  return JSON.parse(bytes.toString('utf8'));
}

function endOfText(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === backslash) at++;
    else if (byte === quote) return at;
  }
  return bytes.length;
}
