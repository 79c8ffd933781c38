/** The shell that parses a command line. A rule for one shell does not apply to the other. */
export type CommandShell = 'posix' | 'windows';

/** Returns the shell that runs commands on a platform. */
export function commandShell(platform: NodeJS.Platform = process.platform): CommandShell {
  return platform === 'win32' ? 'windows' : 'posix';
}

/** A program and its arguments, as the program receives them, without quotes. */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** The operator between this command and the previous one. */
  readonly after: Operator | undefined;
}

type Operator = '&&' | '||' | ';' | '|' | '|&';

/** Text that cannot mislead on the screen. It has no control characters, format characters or unusual blanks. */
const plainText = /^[\t\x20\p{L}\p{M}\p{N}\p{P}\p{S}]*$/u;
const invisible = /[\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Redirections that write no file: to the null device, or from one stream to another. */
const harmlessRedirection =
  /(?:[012]?>{1,2}[ \t]*\/dev\/null|&>[ \t]*\/dev\/null|[12]?>&[12]|0?<[ \t]*\/dev\/null)(?=[ \t;&|]|$)/y;
/** Reserved words of the shell, which are not programs. */
export const reserved: ReadonlySet<string> = new Set(
  '! case coproc do done elif else esac fi for function if in select then time until while [[ ]]'.split(' '),
);
/** An assignment of a variable. Before a command, it applies only to that command. */
export const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
/** A word without quotes, escapes, variables and operators, which `cmd` takes literally. */
const plainForWindows = /^[\w ./:=+\\-]*$/;

/** True if every character of a string can be seen. */
export function isVisible(text: string): boolean {
  return plainText.test(text) && !invisible.test(text);
}

/**
 * Splits a command line as its shell would.
 * @returns undefined if the programs and their arguments are uncertain, as with variables, globs, substitutions,
 * escapes, braces, `~`, redirections to files, several lines, background commands, loops
 */
export function simpleCommandsOf(command: string, shell: CommandShell): readonly SimpleCommand[] | undefined {
  if (!isVisible(command)) return undefined;
  if (shell === 'windows') return windowsCommands(command);
  const commands: SimpleCommand[] = [];
  let after: Operator | undefined;
  let at = 0;
  for (;;) {
    const words: string[] = [];
    for (;;) {
      at = skip(command, at, harmlessRedirection);
      const read = readWord(command, at);
      if (read === undefined) return undefined;
      if (read.word === undefined) break;
      words.push(read.word);
      at = read.end;
    }
    const [program] = words;
    if (program === undefined || reserved.has(program)) return undefined;
    commands.push({ words, after });
    if (at === command.length) return commands;
    after = operatorAt(command, at);
    if (after === undefined) return undefined;
    at += after.length;
  }
}

/** Returns a word in a form that a shell cannot misread, with quotes if necessary. */
export function quotedForShell(word: string, shell: CommandShell = 'posix'): string {
  if (shell === 'windows' || /^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}

function windowsCommands(command: string): readonly SimpleCommand[] | undefined {
  const parts = command.split('&&').map((part) => part.trim());
  if (!parts.every((part) => part !== '' && plainForWindows.test(part))) return undefined;
  return parts.map((part, index) => ({
    words: part.split(/ +/),
    after: index === 0 ? undefined : '&&',
  }));
}

function operatorAt(command: string, at: number): Operator | undefined {
  return (['&&', '||', '|&', '|', ';'] as const).find((operator) => command.startsWith(operator, at));
}

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
  /** Undefined if an operator or the end of the line comes next. */
  readonly word: string | undefined;
  readonly end: number;
}

/** Reads the next word. @returns undefined if its meaning is uncertain, or if the shell would expand it */
function readWord(command: string, start: number): ReadWord | undefined {
  let text = '';
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
        return { word: at === start ? undefined : text, end: at };
      case "'": {
        const end = command.indexOf("'", at + 1);
        if (end < 0) return undefined;
        text += command.slice(at + 1, end);
        at = end + 1;
        break;
      }
      case '"': {
        const end = command.indexOf('"', at + 1);
        const part = command.slice(at + 1, end);
        if (end < 0 || /[$`\\]/.test(part)) return undefined;
        text += part;
        at = end + 1;
        break;
      }
      case '~':
        if (at === start || /[=:]/.test(command[at - 1]!)) return undefined;
        text += character;
        at++;
        break;
      case '#':
        if (at === start) return undefined;
        text += character;
        at++;
        break;
      default:
        // Harmless redirections were skipped between words, so a remaining one writes a file.
        if ('<>\\$*?[`(){}'.includes(character)) return undefined;
        text += character;
        at++;
    }
  }
}
