import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../project.ts';

/** Returns a source of random numbers from 0 to 1 (Mulberry32) that is the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Size of each corpus in UTF-16 units. Most units of Chinese are three bytes. */
export interface CorpusSizes {
  readonly prose: number;
  readonly code: number;
  readonly logs: number;
  readonly chinese: number;
  readonly base64: number;
}

/** Returns one text for each kind of content, made from this project's files and a seed. */
export function makeCorpora(sizes: CorpusSizes, seed = 1): Readonly<Record<keyof CorpusSizes, string>> {
  const random = seededRandom(seed);
  return {
    prose: sentences(wordsOf(documents(), /\p{L}[\p{L}'-]*/gu), ' ', '. ', sizes.prose, random),
    code: shuffled(sourcesIn('src', 'test', 'webview', 'scripts'), random)
      .join('\n')
      .slice(0, sizes.code),
    logs: logs(sizes.logs, random),
    chinese: sentences(wordsOf(chinese(), /\p{Script=Han}{1,4}/gu), '', '。', sizes.chinese, random),
    base64: base64(sizes.base64, random),
  };
}

function documents(): string {
  const names = readdirSync(join(projectFolder, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = names.filter((name) => name.endsWith('.md')).map((name) => join('docs', name));
  return ['README.md', 'CHANGELOG.md', ...pages]
    .map((name) => readFileSync(join(projectFolder, name), 'utf8'))
    .join('\n');
}

function chinese(): string {
  return sourcesIn('src/language', 'webview').join('\n');
}

function sourcesIn(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(projectFolder, folder, name), 'utf8')),
  );
}

/** All words of a text with repetitions, so that frequent words are drawn often. */
function wordsOf(text: string, word: RegExp): readonly string[] {
  return text.match(word) ?? [];
}

function sentences(
  words: readonly string[],
  separator: string,
  end: string,
  length: number,
  random: () => number,
): string {
  const parts: string[] = [];
  for (let size = 0; size < length;) {
    const drawn = Array.from({ length: 4 + Math.floor(random() * 16) }, () => {
      const at = Math.floor(random() * words.length);
      return words.slice(at, at + 1 + Math.floor(random() * 3)).join(separator);
    });
    const sentence = drawn.join(random() < 0.2 ? `,${separator}` : separator) + end;
    parts.push(sentence);
    size += sentence.length;
  }
  return parts.join('').slice(0, length);
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

function logs(length: number, random: () => number): string {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  const levels = ['info', 'warn', 'error', 'debug'];
  const lines: string[] = [];
  for (let size = 0, time = 1_760_000_000_000; size < length; time += Math.floor(random() * 5_000)) {
    const date = new Date(time).toISOString();
    const level = levels[Math.floor(random() * levels.length)]!;
    const line =
      random() < 0.5
        ? JSON.stringify({
            time: date,
            level,
            id: hex(24),
            took: Number(random().toFixed(4)),
            path: `/api/v2/items/${hex(6)}`,
          })
        : `${date} ${level.toUpperCase()} [worker-${hex(2)}] request ${hex(8)}-${hex(4)}: ${Math.floor(random() * 600)} in ${Math.floor(random() * 9_000)} ms`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join('\n').slice(0, length);
}

function base64(length: number, random: () => number): string {
  const bytes = Buffer.from(
    Array.from({ length: Math.ceil(length * 0.75) }, () => Math.floor(random() * 256)),
  );
  return bytes.toString('base64').replaceAll(/.{76}/g, '$&\n').slice(0, length);
}

/** Text that is hard to count: special tokens, suffixes, halves of characters, blanks and symbols. */
const fragments = [
  ..."<|endoftext|> <|fim_prefix|> <|im_start|> \ufeff __proto__ constructor toString 's 'LL 're".split(' '),
  ...'\ud83d \ude00 \u0301 \u0308 \u200d 👩‍👩‍👧 😀 汉 上下文 ー 한 ا ǅ ʰ ½ १ / // ! . - = " a The'.split(' '),
  ...['\r\n', '\n', '\t', ' ', '  ', '\u00a0', '\u3000', '\u0085', ' the'],
  ...'HTTP camelCase 0x1F 123456'.split(' '),
];

/** A short string made of text that is hard to count. */
export function fuzzString(random: () => number): string {
  const length = 1 + Math.floor(random() * 14);
  return Array.from({ length }, () => {
    if (random() < 0.1) return String.fromCodePoint(Math.floor(random() * 0x110000));
    return fragments[Math.floor(random() * fragments.length)]!;
  }).join('');
}

/** Cuts a text at random places, even inside characters. */
export function randomChunks(text: string, random: () => number): readonly string[] {
  const chunks: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = start + 1 + Math.floor(random() ** 3 * 20_000);
    chunks.push(text.slice(start, end));
    start = end;
  }
  return chunks;
}
