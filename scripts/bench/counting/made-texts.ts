/** Texts that are made at run time, because no package contains them. Seeded, so that they are the same in every run. */

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

/** Makes one text of a kind. */
export type MakeText = (random: () => number) => string;

/** Length of a made text in UTF-16 units, which is a page of text. */
const textLength = 4_000;

const below = (random: () => number, most: number) => Math.floor(random() * most);

function joined(random: () => number, part: MakeText): string {
  let text = '';
  while (text.length < textLength) text += part(random);
  return text;
}

const hexDigits = (random: () => number, count: number) =>
  Array.from({ length: count }, () => below(random, 16).toString(16)).join('');

/** A log of a server: half of its lines are JSON. */
export const logText: MakeText = (random) =>
  joined(random, () => {
    const time = new Date(1_760_000_000_000 + below(random, 1e10)).toISOString();
    const level = ['info', 'warn', 'error', 'debug'][below(random, 4)]!;
    const [id, took] = [hexDigits(random, 8), below(random, 9_000)];
    return random() < 0.5
      ? `${JSON.stringify({ time, level, id, took, path: `/api/v2/items/${hexDigits(random, 6)}` })}\n`
      : `${time} ${level.toUpperCase()} [worker-${hexDigits(random, 2)}] request ${id}: done in ${took} ms\n`;
  });

export const csvText: MakeText = (random) =>
  joined(random, () => {
    const place = ['north', 'south', 'east', 'west'][below(random, 4)]!;
    return `${below(random, 1e5)},${(random() * 1e3).toFixed(2)},${place},${random().toFixed(5)}\n`;
  });

/** Tables as programs print them: cells padded with blanks, between lines of one repeated character. */
export const paddedText: MakeText = (random) => {
  const widths = Array.from({ length: 3 }, () => 8 + below(random, 200));
  const rule = (sign: string) => `${sign.repeat(widths.reduce((sum, width) => sum + width))}\n`;
  const signs = [...'-=─*#'];
  return joined(random, () => {
    if (random() < 0.2) return rule(signs[below(random, signs.length)]!);
    return `${widths.map((width) => hexDigits(random, 1 + below(random, 6)).padEnd(width)).join('')}\n`;
  });
};

export const hexText: MakeText = (random) => hexDigits(random, textLength);

export const base64Text: MakeText = (random) =>
  Buffer.from(Array.from({ length: 0.75 * textLength }, () => below(random, 256)))
    .toString('base64')
    .replaceAll(/.{76}/g, '$&\n');

/** Characters of the first three planes, all equally likely. */
export const unicodeText: MakeText = (random) =>
  joined(random, () => String.fromCodePoint(below(random, 0x30000)));

/** Emoji with skin tones, joined emoji and flags, and some words between them. */
export const emojiText: MakeText = (random) =>
  joined(random, () => {
    if (random() < 0.2) return ['ok', ' done', ' thanks', ' why?', ' see'][below(random, 5)]!;
    return emoji[below(random, emoji.length)]! + (random() < 0.4 ? ' ' : '');
  });

const pictures = Array.from({ length: 0x2000 }, (_, index) => String.fromCodePoint(0x1f000 + index)).filter(
  (one) => /\p{Emoji_Presentation}/u.test(one),
);
const people = pictures.filter((one) => /\p{Emoji_Modifier_Base}/u.test(one));
const tones = ['\u{1f3fb}', '\u{1f3fc}', '\u{1f3fd}', '\u{1f3fe}', '\u{1f3ff}'];
const emoji = [
  ...pictures,
  ...people.flatMap((one) => tones.map((tone) => one + tone)),
  ...['👩', '👨', '🧑'].flatMap((one) =>
    ['💻', '🔬', '🚀', '🎨', '⚕️', '🌾'].map((other) => `${one}\u200d${other}`),
  ),
];

/**
 * Sentences of words in random order. The words are those that the platform knows in a language: the names of
 * languages, countries, currencies, units, months and days.
 */
export function sentencesIn(language: string): MakeText {
  const words = platformWords(language);
  return (random) =>
    joined(random, () => {
      const drawn = Array.from({ length: 3 + below(random, 12) }, () => words[below(random, words.length)]!);
      return `${drawn.join(' ')}. `;
    });
}

function platformWords(language: string): readonly string[] {
  const name = (type: 'language' | 'region', code: string) =>
    new Intl.DisplayNames([language], { type, fallback: 'none' }).of(code);
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(0x61 + index));
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  const currencies = new Intl.DisplayNames([language], { type: 'currency' });
  const texts = [
    ...codes.flatMap((code) => [name('language', code), name('region', code.toUpperCase())]),
    ...Intl.supportedValuesOf('currency').map((code) => currencies.of(code)),
    ...Intl.supportedValuesOf('unit').map((unit) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(2),
    ),
    ...Array.from({ length: 60 }, (_, week) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'full' }).format(week * 6e8),
    ),
  ];
  return [...new Set(texts.flatMap((text) => text?.split(/[\s(),]+/u) ?? []))].filter((word) => word !== '');
}

/** Text that is hard to count: special tokens, suffixes, halves of characters, blanks and symbols. */
const fragments = [
  ..."<|endoftext|> <|fim_prefix|> <|im_start|> \ufeff __proto__ constructor toString 's 'LL 're".split(' '),
  ...'\ud83d \ude00 \u0301 \u0308 \u200d 👩‍👩‍👧 😀 汉 上下文 ー 한 ا ǅ ʰ ½ १ / // ! . - = " a The'.split(' '),
  ...['\r\n', '\n', '\t', ' ', '  ', '\u00a0', '\u3000', '\u0085', ' the'],
  ...'HTTP camelCase 0x1F 123456'.split(' '),
];

/** A short text that is hard to count: such fragments, any characters, and slices of emoji. */
export const fuzzText: MakeText = (random) =>
  Array.from({ length: 1 + below(random, 14) }, () => {
    const kind = random();
    if (kind < 0.1) return String.fromCodePoint(below(random, 0x110000));
    if (kind < 0.8) return fragments[below(random, fragments.length)]!;
    const one = emoji[below(random, emoji.length)]!;
    return one.slice(below(random, one.length), 1 + below(random, one.length));
  }).join('');

/** Texts that together contain every character of the planes that have any, alone and between others. */
export function everyCharacter(): readonly string[] {
  const planes = [0, 1, 2, 3, 14];
  return planes.flatMap((plane) =>
    Array.from({ length: 0x100 }, (_, block) =>
      Array.from({ length: 0x100 }, (_each, index) => {
        const one = String.fromCodePoint(0x10000 * plane + 0x100 * block + index);
        return `${one} A${one}b1${one}!\n`;
      }).join(''),
    ),
  );
}
