/** A vocabulary in the form js-tiktoken ships it. */
export interface RankFile {
  /** The split pattern, for `new RegExp(pat_str, 'ug')`. */
  readonly pat_str: string;
  readonly special_tokens: Readonly<Record<string, number>>;
  /** Lines of `! offset token token …`; tokens are base64 and ranked upwards from the offset. */
  readonly bpe_ranks: string;
}

/** Ranks by token. A token is a string of bytes: one UTF-16 unit from 0 to 255 for each byte. */
export interface RankTable {
  readonly ranks: ReadonlyMap<string, number>;
  /** Length of the longest token, in bytes. */
  readonly longest: number;
}

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const sextetOf = new Uint8Array(128);
for (let value = 0; value < base64Alphabet.length; value++) {
  sextetOf[base64Alphabet.charCodeAt(value)] = value;
}

export function parseRankTable(file: RankFile): RankTable {
  const ranks = new Map<string, number>();
  let longest = 0;
  for (const line of file.bpe_ranks.split('\n')) {
    if (line === '') continue;
    const [, offset, ...tokens] = line.split(' ');
    let rank = Number(offset);
    for (const token of tokens) {
      const bytes = decodeBase64(token);
      ranks.set(bytes, rank++);
      if (bytes.length > longest) longest = bytes.length;
    }
  }
  return { ranks, longest };
}

function decodeBase64(text: string): string {
  const end = text.indexOf('=');
  const length = end < 0 ? text.length : end;
  let bytes = '';
  let buffer = 0;
  let bits = 0;
  for (let index = 0; index < length; index++) {
    buffer = ((buffer << 6) | (sextetOf[text.charCodeAt(index)] ?? 0)) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += String.fromCharCode((buffer >> bits) & 0xff);
    }
  }
  return bytes;
}
