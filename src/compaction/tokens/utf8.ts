/** Maximum number of UTF-8 bytes per UTF-16 unit: two for half of a pair, up to three for all others. */
export const mostBytesPerUnit = 3;

/** Every platform has it, but the library of the language does not declare it. */
declare const TextEncoder: new () => {
  encodeInto(text: string, target: Uint8Array): { readonly written: number };
};

const encoder = new TextEncoder();

/** Writes a slice as UTF-8, a lone surrogate as U+FFFD. @returns the end */
export function writeUtf8(text: string, start: number, end: number, target: Uint8Array, at: number): number {
  return at + encoder.encodeInto(text.slice(start, end), target.subarray(at)).written;
}

/** Returns the UTF-16 units of the character that starts with a UTF-8 byte; 0 for a later byte. */
export function unitsOf(byte: number): number {
  return (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
