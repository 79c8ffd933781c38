/**
 * Bytes of UTF-8 that a text takes as JSON in a message to a view. Below the 2 kB that a change while something is
 * streamed may take, with room for what stands around the text.
 */
const longestBatch = 1_600;

/**
 * A streamed text in pieces that are small enough for one message each: what a model says at once may be a word or a
 * page. Most texts are one piece. No piece is empty, and none ends inside of a character.
 *
 * @returns pieces that together are the text; none for an empty text
 */
export function batchesOf(text: string): readonly string[] {
  const batches: string[] = [];
  let start = 0;
  let end = 0;
  let bytes = 0;
  for (const character of text) {
    const more = bytesOf(character);
    if (bytes + more > longestBatch) {
      batches.push(text.slice(start, end));
      start = end;
      bytes = 0;
    }
    end += character.length;
    bytes += more;
  }
  if (end > start) batches.push(text.slice(start, end));
  return batches;
}

/** Bytes of one character in JSON, at most: control characters and halves of a pair are written as `\uXXXX`. */
function bytesOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return 6;
  if (code < 0x80) return character === '"' || character === '\\' ? 2 : 1;
  if (code < 0x800) return 2;
  return code < 0x1_0000 ? 3 : 4;
}
