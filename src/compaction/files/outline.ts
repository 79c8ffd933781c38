import { headOf } from '../text/clip.ts';

/**
 * An outline of a file: the lines that declare something or are headings, with their numbers. Words of many languages
 * at the beginning of a line tell them, so no grammar is needed; a file without any is outlined by its first lines.
 */

/** Words that may precede a declaration. */
const modifiers =
  '(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|override|readonly|declare|pub(?:\\([a-z]+\\))?|unsafe|inline|virtual|sealed|partial|open|data|suspend)\\s+)*';
const declaring =
  'class|interface|enum|struct|trait|impl|type|function\\*?|fn|func|fun|def|module|namespace|package|record|object|protocol|extension|mixin|union|macro_rules!|template|create\\s+(?:table|view|index)';
const declaration = new RegExp(`^\\s{0,4}${modifiers}(?:${declaring})\\b\\s*\\S`, 'iu');
/** Values that a module has, and methods of a class two or four spaces in. */
const topLevel =
  /^(?:export\s+(?:default\s+)?)?(?:const|let|var|val|static)\s+[\w$]+|^[A-Z_a-z][\w.-]{0,60}:(?:\s|$)|^\[[^\]\n]{1,80}\]\s*$/u;
const method =
  /^(?: {2}| {4}|\t)(?:(?:public|private|protected|static|async|get|set|override|abstract|readonly)\s+)*#?(?!(?:if|for|while|switch|catch|return|else|do|with|await|throw|new|super)\b)[A-Za-z_$][\w$]*\s*(?:<[^>\n]{0,80}>)?\([^;\n]{0,200}\{\s*$/u;
const heading = /^#{1,6}\s+\S/u;

/** Characters of a line that an outline shows. */
const longestLine = 160;
/** Fewest lines that say enough of a file. */
const leastLines = 3;

/** An outline, and how much of the file it shows. */
export interface Outline {
  /** Each line with its number and a tab. */
  readonly text: string;
  /** Lines shown. */
  readonly shown: number;
}

/**
 * @param lines of the file
 * @param longest characters of the outline
 */
export function outlineOf(lines: readonly string[], longest: number): Outline {
  const all = lines.flatMap((line, index) => (isTelling(line) ? [index] : []));
  const outer = all.filter((index) => /^\S/u.test(lines[index] ?? ''));
  // Of a large file what is inside of what is left out first.
  const chosen = [all, outer].find((indices) => sizeOf(indices, lines) <= longest) ?? outer;
  const telling = chosen.length >= leastLines ? chosen : lines.map((_line, index) => index);
  const shown: string[] = [];
  let room = longest;
  for (const index of telling) {
    const line = written(index, lines);
    room -= line.length + 1;
    if (room < 0) break;
    shown.push(line);
  }
  return { text: shown.join('\n'), shown: shown.length };
}

function isTelling(line: string): boolean {
  const start = line.slice(0, 400);
  return [declaration, topLevel, method, heading].some((pattern) => pattern.test(start));
}

function sizeOf(indices: readonly number[], lines: readonly string[]): number {
  return indices.reduce((size, index) => size + written(index, lines).length + 1, 0);
}

function written(index: number, lines: readonly string[]): string {
  const line = (lines[index] ?? '').trimEnd();
  return `${index + 1}\t${line.length <= longestLine ? line : `${headOf(line, longestLine)}…`}`;
}
