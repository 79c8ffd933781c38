import { MessageError } from './frames.ts';

/** Values that one message may hold: each takes many times the memory that its JSON does. */
const mostValues = 300_000;
/** Lists and objects in each other; more than that is made to overflow a stack. */
const deepest = 100;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Parses JSON that nobody vouches for.
 *
 * @throws {MessageError} for more values, or for deeper ones, than a message has
 * @throws {SyntaxError} for what is no JSON
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
    if (values > mostValues) throw new MessageError(`A message may hold ${mostValues} values.`);
    if (depth > deepest) throw new MessageError(`A message may be ${deepest} levels deep.`);
  }
  return JSON.parse(bytes.toString('utf8'));
}

/** Where the text that begins at a quote ends. */
function endOfText(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === backslash) at++;
    else if (byte === quote) return at;
  }
  return bytes.length;
}
