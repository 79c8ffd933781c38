/**
 * The UTF-8 bytes of a text as a string of one UTF-16 unit per byte. A lone surrogate becomes U+FFFD, as
 * `TextEncoder` has it; the engine does not use `TextEncoder`, which belongs to the platforms.
 */
export function utf8BytesOf(text: string): string {
  let bytes = '';
  for (let index = 0; index < text.length; index++) {
    let code = text.charCodeAt(index);
    if (code < 0x80) {
      bytes += text.charAt(index);
      continue;
    }
    if (code >= 0xd800 && code <= 0xdfff) {
      const next = text.charCodeAt(index + 1);
      if (code < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
        index++;
      } else code = 0xfffd;
    }
    if (code < 0x800) bytes += String.fromCharCode(0xc0 | (code >> 6), continuation(code));
    else if (code < 0x10000) {
      bytes += String.fromCharCode(0xe0 | (code >> 12), continuation(code >> 6), continuation(code));
    } else {
      bytes += String.fromCharCode(
        0xf0 | (code >> 18),
        continuation(code >> 12),
        continuation(code >> 6),
        continuation(code),
      );
    }
  }
  return bytes;
}

function continuation(code: number): number {
  return 0x80 | (code & 0x3f);
}
