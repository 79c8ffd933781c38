/** Scripts that join or separate letters with zero-width characters. */
const joining =
  'Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar'
    .split(' ')
    .map((name) => String.raw`\p{sc=${name}}`)
    .join('');

/** Arabic vowel signs, which other scripts also use. */
const vowelSigns = String.raw`\u064B-\u0655\u0670`;

/** Contexts in which an invisible character shapes its neighbours: emoji and joining scripts. */
const shaping = [
  String.raw`(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]`,
  String.raw`(?<=[0-9#*])\uFE0F(?=\u20E3)`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=(?!\p{Default_Ignorable_Code_Point})(?=[\p{L}\p{M}])[${joining}${vowelSigns}])[\u200C\u200D]`,
].join('|');

/** Control characters except tabs and line feeds, other line ends, direction marks, invisible characters. */
const unseen = new RegExp(
  String.raw`(?!${shaping})(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\uFFF9-\uFFFB]`,
  'gu',
);

/** Writes invisible characters as `‹U+202E›`, because agents show such text in terminals and models read it. */
export function visibleText(text: string): string {
  if (!/[^\t\n -~]/u.test(text)) return text;
  return text.replace(unseen, (character) => {
    return `‹U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`;
  });
}

/** Ends lines with line feeds. `visibleText` shows other characters that some programs take for line ends. */
export function withPlainLineEnds(text: string): string {
  return text.replace(/\r\n?/gu, '\n');
}
