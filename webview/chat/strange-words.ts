/** Scripts whose letters are hard to tell from Latin ones. */
const others = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Georgian'];
const otherLetters = new RegExp(`[${others.map((name) => `\\p{Script=${name}}`).join('')}]`, 'u');
const word = /[\p{L}\p{M}\p{N}_.-]+/gu;
/** What a command begins with, and what follows where another one can begin. */
const program = /(?:^|[|&;(\n`])[^\S\n]*([^\s|&;()`]+)/g;

/**
 * Words that look like others: letters of several scripts in one of them, letters that are a form of plain ones, and
 * names of programs that are not written in plain letters.
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
