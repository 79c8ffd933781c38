/** Maximum number of UTF-8 bytes per UTF-16 unit: two for half of a pair, up to three for all others. */
export const mostBytesPerUnit = 3;

/** Writes a slice as UTF-8, a lone surrogate as U+FFFD, without the platform's `TextEncoder`. @returns the end */
export function writeUtf8(text: string, start: number, end: number, target: Uint8Array, at: number): number {
  let position = at;
  for (let index = start; index < end; index++) {
    let code = text.charCodeAt(index);
    // Most text is ASCII, for which a separate loop takes two thirds of the time.
    while (code < 0x80) {
      target[position++] = code;
      if (++index === end) return position;
      code = text.charCodeAt(index);
    }
    if (code < 0x800) {
      target[position++] = 0xc0 | (code >> 6);
      target[position++] = 0x80 | (code & 0x3f);
      continue;
    }
    if (code >= 0xd800 && code <= 0xdfff) {
      const next = index + 1 < end ? text.charCodeAt(index + 1) : 0;
      if (isHighSurrogate(code) && next >= 0xdc00 && next <= 0xdfff) {
        const codePoint = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
        target[position++] = 0xf0 | (codePoint >> 18);
        target[position++] = 0x80 | ((codePoint >> 12) & 0x3f);
        target[position++] = 0x80 | ((codePoint >> 6) & 0x3f);
        target[position++] = 0x80 | (codePoint & 0x3f);
        index++;
        continue;
      }
      code = 0xfffd;
    }
    target[position++] = 0xe0 | (code >> 12);
    target[position++] = 0x80 | ((code >> 6) & 0x3f);
    target[position++] = 0x80 | (code & 0x3f);
  }
  return position;
}

/** Returns the UTF-16 units of the character that starts with a UTF-8 byte; 0 for a later byte. */
export function unitsOf(byte: number): number {
  return (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
