/** A part of a string: either visible text, or the name of invisible characters. */
interface TextPiece {
  readonly text: string;
  readonly isNamed: boolean;
}

/**
 * Characters that are invisible although Unicode classifies them as visible: the blank braille pattern and the null
 * notehead.
 */
const blank = String.raw`\p{Default_Ignorable_Code_Point}\u2800\u{1D159}`;
/**
 * Visible characters: letters with at most two marks, digits, punctuation and symbols. All others are shown by name.
 */
const seen = String.raw`(?:(?![${blank}])(?:\p{L}(?:(?![${blank}])[\p{Mn}\p{Mc}]){0,2}|[\p{N}\p{P}\p{S}]))+`;
const tokens = new RegExp(String.raw`(?<seen>${seen})|(?<spaces> +)|(?<tabs>\t+)|(?<ends>\n+)|[^]`, 'gu');

/** Maximum number of spaces in a row. Longer runs could push text out of view. */
const mostSpaces = 12;
const mostTabs = 4;
const mostEnds = 2;

/**
 * Shows the invisible characters of a string by name, because approved text must not look like other text. Keeps
 * spaces and line breaks.
 */
export function revealed(text: string): string {
  return text.replace(tokens, (token, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const isPlain = Object.values(groups).some((group) => group !== undefined);
    const [at, whole] = rest.slice(-3) as [number, string];
    return isPlain || (token === '\r' && whole[at + 1] === '\n') ? token : nameOf(token, 1);
  });
}

/** Divides a command into pieces, so that neither spaces nor invisible characters can hide a part of it. */
export function textPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let plain = '';
  let hidden = { character: '', times: 0 };
  const endHidden = () => {
    if (hidden.times > 0) pieces.push({ text: nameOf(hidden.character, hidden.times), isNamed: true });
    hidden = { character: '', times: 0 };
  };
  const show = (more: string) => {
    endHidden();
    plain += more;
  };
  const hide = (character: string, times: number) => {
    if (character !== hidden.character) endHidden();
    if (plain !== '') pieces.push({ text: plain, isNamed: false });
    plain = '';
    hidden = { character, times: hidden.times + times };
  };
  for (const match of text.matchAll(tokens)) {
    const [token] = match;
    const { seen: isSeen, spaces, tabs, ends } = match.groups ?? {};
    const after = text[match.index + token.length];
    const isRun = spaces !== undefined || tabs !== undefined || ends !== undefined;
    const isLast = after === undefined || after === '\n';
    if (isSeen !== undefined) show(token);
    else if (spaces !== undefined && !isLast && token.length <= mostSpaces) show(token);
    else if (tabs !== undefined && !isLast && token.length <= mostTabs) show(token);
    else if (ends !== undefined && after !== undefined && token.length <= mostEnds) show(token);
    else if (ends !== undefined && after !== undefined) {
      show('\n');
      hide('\n', token.length);
      show('\n');
    } else hide(isRun ? token.charAt(0) : token, isRun ? token.length : 1);
  }
  endHidden();
  if (plain !== '') pieces.push({ text: plain, isNamed: false });
  return pieces;
}

function nameOf(character: string, times: number): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return times === 1 ? `⟨U+${code}⟩` : `⟨${times} × U+${code}⟩`;
}

/** Scripts whose letters resemble Latin letters. */
const others = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Georgian'];
const otherLetters = new RegExp(`[${others.map((name) => `\\p{Script=${name}}`).join('')}]`, 'u');
const word = /[\p{L}\p{M}\p{N}_.-]+/gu;
/** The program name at the start of a command, or after another command. */
const program = /(?:^|[|&;(\n`])[^\S\n]*([^\s|&;()`]+)/g;

/**
 * Finds words that imitate others: words with letters of several scripts or variants of plain letters, and program
 * names that are not in plain letters.
 */
export function strangeWords(command: string): readonly string[] {
  const mixed = [...command.matchAll(word)].map(([each]) => each).filter(isMixed);
  const programs = [...command.matchAll(program)]
    .map(([, name = '']) => name)
    .filter((name) => /[^\p{ASCII}]/u.test(name));
  return [...new Set([...mixed, ...programs])];
}

function isMixed(text: string): boolean {
  const hasLatin = /\p{Script=Latin}/u.test(text);
  if (hasLatin && otherLetters.test(text)) return true;
  const folded = text.normalize('NFKC');
  return folded !== text.normalize('NFC') && /[A-Za-z]/.test(folded);
}
