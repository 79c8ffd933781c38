/** A word of a command, as the program gets it. */
export interface Word {
  readonly text: string;
  /** False where it depends on variables or on files that there are. */
  readonly isLiteral: boolean;
}

/** A program with its arguments. */
export interface SimpleCommand {
  readonly words: readonly Word[];
  /** What stands between it and the one before. */
  readonly after: Operator | undefined;
}

type Operator = '&&' | '||' | ';' | '|' | '|&';

/** What can be shown without misleading anybody: no control or format characters, no blanks but spaces and tabs. */
const plainText = /^[\t\x20\p{L}\p{M}\p{N}\p{P}\p{S}]*$/u;
/** Redirections that write no file: to nowhere, or of one stream into the other. */
const harmlessRedirection =
  /(?:[012]?>{1,2}[ \t]*\/dev\/null|&>[ \t]*\/dev\/null|[12]?>&[12]|0?<[ \t]*\/dev\/null)(?=[ \t;&|]|$)/y;
/** Variables without a modifier: those with one can run commands. */
const plainVariable = /\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}|\?)/y;
/** Words that are the shell's own where a program would stand. */
export const reserved: ReadonlySet<string> = new Set(
  '! case coproc do done elif else esac fi for function if in select then time until while [[ ]]'.split(' '),
);
/** A variable that is set, for one command where one follows. */
export const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
/** What `cmd` takes as it is: without quotes, escapes, variables and operators. */
const plainForWindows = /^[\w ./:=+\\-]*$/;

/**
 * Takes a command line apart, as bash would.
 *
 * @returns undefined for everything of which it is not certain what would be run, as for substitutions, redirections
 *   to files, several lines, background commands, loops and functions
 */
export function simpleCommandsOf(
  command: string,
  platform = process.platform,
): readonly SimpleCommand[] | undefined {
  if (platform === 'win32') return windowsCommands(command);
  if (!plainText.test(command)) return undefined;
  const commands: SimpleCommand[] = [];
  let after: Operator | undefined;
  let at = 0;
  for (;;) {
    const words: Word[] = [];
    for (;;) {
      at = skip(command, at, harmlessRedirection);
      const read = readWord(command, at);
      if (read === undefined) return undefined;
      if (read.word === undefined) break;
      words.push(read.word);
      at = read.end;
    }
    const [program] = words;
    if (program === undefined || !program.isLiteral || reserved.has(program.text)) return undefined;
    commands.push({ words, after });
    if (at === command.length) return commands;
    after = operatorAt(command, at);
    if (after === undefined) return undefined;
    at += after.length;
  }
}

/** A word in a form that means the same to a shell, in quotes where it has to be. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function windowsCommands(command: string): readonly SimpleCommand[] | undefined {
  const parts = command.split('&&').map((part) => part.trim());
  if (!parts.every((part) => part !== '' && plainForWindows.test(part))) return undefined;
  return parts.map((part, index) => ({
    words: part.split(/ +/).map((text) => ({ text, isLiteral: true })),
    after: index === 0 ? undefined : '&&',
  }));
}

function operatorAt(command: string, at: number): Operator | undefined {
  return (['&&', '||', '|&', '|', ';'] as const).find((operator) => command.startsWith(operator, at));
}

/** Behind blanks, and whatever else is between words. */
function skip(command: string, start: number, other: RegExp): number {
  let at = start;
  for (;;) {
    while (command[at] === ' ' || command[at] === '\t') at++;
    other.lastIndex = at;
    const match = other.exec(command);
    if (match === null) return at;
    at += match[0].length;
  }
}

interface ReadWord {
  /** Undefined where an operator or the end comes next. */
  readonly word: Word | undefined;
  readonly end: number;
}

/** @returns undefined for what it is not certain of */
function readWord(command: string, start: number): ReadWord | undefined {
  let text = '';
  let isLiteral = true;
  let at = start;
  for (;;) {
    const character = command[at];
    switch (character) {
      case undefined:
      case ' ':
      case '\t':
      case '|':
      case ';':
      case '&':
      case '<':
      case '>':
        // A redirection is taken between words; one that is still here is none of the harmless ones.
        if ((character === '<' || character === '>') && at === start) return undefined;
        return { word: at === start ? undefined : { text, isLiteral }, end: at };
      case "'": {
        const end = command.indexOf("'", at + 1);
        if (end < 0) return undefined;
        text += command.slice(at + 1, end);
        at = end + 1;
        break;
      }
      case '"': {
        const part = readQuotes(command, at + 1);
        if (part === undefined) return undefined;
        text += part.text;
        isLiteral &&= part.isLiteral;
        at = part.end;
        break;
      }
      case '\\':
        if (at + 1 === command.length) return undefined;
        text += String.fromCodePoint(command.codePointAt(at + 1)!);
        at += 1 + String.fromCodePoint(command.codePointAt(at + 1)!).length;
        break;
      case '$': {
        const variable = variableAt(command, at);
        if (variable === undefined) return undefined;
        text += variable;
        isLiteral = false;
        at += variable.length;
        break;
      }
      case '#':
        if (at === start) return undefined;
        text += character;
        at++;
        break;
      case '~':
        isLiteral &&= !(at === start || /[=:]/.test(command[at - 1]!));
        text += character;
        at++;
        break;
      case '*':
      case '?':
      case '[':
        isLiteral = false;
        text += character;
        at++;
        break;
      case '`':
      case '(':
      case ')':
      case '{':
      case '}':
        return undefined;
      default:
        text += character;
        at++;
    }
  }
}

/** What stands in double quotes, from behind the first of them. */
function readQuotes(
  command: string,
  start: number,
): { readonly text: string; readonly isLiteral: boolean; readonly end: number } | undefined {
  let text = '';
  let isLiteral = true;
  for (let at = start; at < command.length; at++) {
    const character = command[at]!;
    if (character === '"') return { text, isLiteral, end: at + 1 };
    if (character === '`') return undefined;
    if (character === '\\' && '$"\\`'.includes(command[at + 1] ?? ' ')) {
      text += command[++at]!;
    } else if (character === '$') {
      const variable = variableAt(command, at);
      if (variable === undefined) return undefined;
      text += variable;
      isLiteral = false;
      at += variable.length - 1;
    } else {
      text += character;
    }
  }
  return undefined;
}

function variableAt(command: string, at: number): string | undefined {
  plainVariable.lastIndex = at;
  return plainVariable.exec(command)?.[0];
}
