import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../src/compaction/quoting/visible-text.ts';

describe('invisible characters', () => {
  it.each([
    ['an escape sequence of a terminal', '\u001B[2J', '‹U+001B›[2J'],
    ['a change of direction', 'a\u202Eb', 'a‹U+202E›b'],
    ['a zero-width space', 'a\u200Bb', 'a‹U+200B›b'],
    ['text in tag characters', '\u{E0041}\u{E0042}', '‹U+E0041›‹U+E0042›'],
    ['bytes in variation selectors', '❤\uFE0F\uFE0F a\uFE0F', '❤\uFE0F‹U+FE0F› a‹U+FE0F›'],
    [
      'a joiner without effect',
      'a\u200Db 🔥\u200Db \u0606\u200D e\u0308\u200D',
      'a‹U+200D›b 🔥‹U+200D›b \u0606‹U+200D› e\u0308‹U+200D›',
    ],
    ['an unusual line end', 'a\u2028b\u2029c', 'a‹U+2028›b‹U+2029›c'],
    ['anchors of annotations', '\uFFF9a\uFFFA\uFFFB', '‹U+FFF9›a‹U+FFFA›‹U+FFFB›'],
  ])('are replaced with their names: %s', (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each(['❤️‍🔥', '👩‍💻', '👨🏽‍🦱', '🏳️‍🌈', '1️⃣', '☎︎', 'می‌خواهم', 'क्‍ष', 'a\tb\nc'])(
    'are kept if the writing system needs them: %s',
    (text) => {
      expect(visibleText(text)).toBe(text);
    },
  );
});
