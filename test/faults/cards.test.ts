import { describe } from 'vitest';
import { textPieces, revealed } from '../../webview/chat/text/deceptive-characters.ts';
import { fault } from './support/fault.ts';

const payload = '; python3 exfil.py';

/** Characters that draw nothing, or change how others are drawn. */
const unseen =
  `00ad 034f 061c 115f 1160 17b4 17b5 180b 180e 200b 200c 200d 200e 200f 202a 202b 202c 202d 202e 2028
  2029 202f 205f 2060 2061 2064 2066 2067 2068 2069 206a 2800 3000 3164 feff ffa0 fff9 fe00 fe0f 00a0 1680 2000 2003
  2007 200a 0000 0001 0007 0008 000b 000c 000d 001b 007f 0085 009b e000 d800 e0001 e0020 e0100 1d159 1d173 13430 1bca0`
    .split(/\s+/)
    .map((code) => Number.parseInt(code, 16));

const layouts: readonly string[] = [
  `npm test${'\n'.repeat(14)}rm -rf x`,
  `npm test${'\n'.repeat(3)}rm -rf x`,
  `npm test${' '.repeat(600)}${payload}`,
  `npm test${'\t'.repeat(60)}${payload}`,
  `npm test${' \n'.repeat(40)}rm -rf x`,
  `npm test${'\t\n'.repeat(40)}rm -rf x`,
  `npm test ${'\u2800'.repeat(900)}${payload}`,
  `npm test ${'\u3164'.repeat(900)}${payload}`,
  `npm test ${'\u3164\u2800'.repeat(400)}${payload}`,
  `a${'\u0301'.repeat(60)}${payload}`,
  `a${'\u0489'.repeat(20)}${payload}`,
  `1\u0301${payload}`,
  `npm test \x1b[2K\x1b[1Gls`,
  'npm test\rls      ',
  'ls  ',
  'ls\n',
  '\n\n\n\nls',
  ' '.repeat(200) + 'ls',
];

const commands = [...unseen.map((code) => `npm test${String.fromCodePoint(code)}${payload}`), ...layouts];

/** The text again, from what a card shows. Line ends next to names from outside were added for the reader. */
function readBack(command: string): string {
  return textPieces(command)
    .map(({ text, isNamed }) => (isNamed ? namedCharacters(text) : text))
    .join('');
}

function namedCharacters(name: string): string {
  const [, times = '1', code = ''] = /^⟨(?:(\d+) × )?U\+([0-9A-F]+)⟩$/.exec(name) ?? [];
  return String.fromCodePoint(Number.parseInt(code, 16)).repeat(Number(times));
}

/** True if all characters are visible, without long gaps or more than two combining marks per letter. */
function isPlain(text: string): boolean {
  const hasInk = /^(?:[\p{L}\p{M}\p{N}\p{P}\p{S}]|[ \t\n])*$/u.test(text);
  const isBlank = /\p{Default_Ignorable_Code_Point}|[\u2800\u{1D159}]|\p{M}{3}|(?<!\p{L}|\p{M})\p{M}/u.test(
    text,
  );
  return hasInk && !isBlank && !/ {13}|\t{5}|\n{3}/.test(text);
}

describe('the card of a command withstands', () => {
  fault('cards: commands that hide a part of their text', (count) => {
    for (const command of commands) {
      const pieces = textPieces(command);
      count.tried();
      if (readBack(command).replaceAll('\n', '') !== command.replaceAll('\n', '')) {
        count.harmed(`${JSON.stringify(command)}: characters are missing`);
      }
      const plain = pieces.filter(({ isNamed }) => !isNamed).map(({ text }) => text);
      if (!plain.every(isPlain)) count.harmed(`${JSON.stringify(command)}: something cannot be seen`);
      if (!pieces.some(({ isNamed }) => isNamed))
        count.harmed(`${JSON.stringify(command)}: nothing is named`);
      const line = pieces.map(({ text }) => text).join('');
      if (/[^\S\n]$/m.test(line)) count.harmed(`${JSON.stringify(command)}: a line ends in blanks`);
    }
  });

  fault('cards: paths, titles and reasons that hide a part of their text', (count) => {
    for (const code of unseen) {
      const character = String.fromCodePoint(code);
      count.tried();
      if (revealed(`src/a${character}b.ts`).includes(character)) count.harmed(`U+${code.toString(16)}`);
    }
  });
});
