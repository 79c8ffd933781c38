import { headOf } from '../text/clip.ts';

/** Outline of a file: numbered lines that begin like declarations or headings, or else the first lines. */

const modifiers =
  '(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|override|readonly|declare|pub(?:\\([a-z]+\\))?|unsafe|inline|virtual|sealed|partial|open|data|suspend)\\s+)*';
const declaring =
  'class|interface|enum|struct|trait|impl|type|function\\*?|fn|func|fun|def|module|namespace|package|record|object|protocol|extension|mixin|union|macro_rules!|template|create\\s+(?:table|view|index)';
const declaration = new RegExp(`^\\s{0,4}${modifiers}(?:${declaring})\\b\\s*\\S`, 'iu');
/** Values of a module, and methods of a class with an indent of two or four spaces. */
const topLevel =
  /^(?:export\s+(?:default\s+)?)?(?:const|let|var|val|static)\s+[\w$]+|^[A-Z_a-z][\w.-]{0,60}:(?:\s|$)|^\[[^\]\n]{1,80}\]\s*$/u;
const method =
  /^(?: {2}| {4}|\t)(?:(?:public|private|protected|static|async|get|set|override|abstract|readonly)\s+)*#?(?!(?:if|for|while|switch|catch|return|else|do|with|await|throw|new|super)\b)[A-Za-z_$][\w$]*\s*(?:<[^>\n]{0,80}>)?\([^;\n]{0,200}\{\s*$/u;
const heading = /^#{1,6}\s+\S/u;

const longestLine = 160;
const leastLines = 3;

export interface Outline {
  readonly text: string;
  readonly shown: number;
}

export function outlineOf(lines: readonly string[], longest: number): Outline {
  const all = lines.flatMap((line, index) => (isTelling(line) ? [index] : []));
  const outer = all.filter((index) => /^\S/u.test(lines[index] ?? ''));
  // If there are too many lines, indented lines are left out first.
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
