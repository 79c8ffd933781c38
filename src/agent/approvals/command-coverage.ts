import { isSecretPath } from '../edits/sensitive-path.ts';
import { isAllowedValue } from './allowed-value.ts';
import type { ApprovalRule } from './approval-request.ts';
import { dangersOfCommand, programName } from './command-danger.ts';
import type { CommandPlace } from './command-place.ts';
import {
  assignment,
  commandShell,
  type CommandShell,
  quotedForShell,
  type SimpleCommand,
  simpleCommandsOf,
} from './command-words.ts';
import { mayShowSecret } from './git-content.ts';
import { gitVerb } from './git-verbs.ts';
import { parseWords } from './option-grammar.ts';
import { isHarmless } from './piped-programs.ts';
import { plainGitOptions, type ProgramUse, useNamed, useOf } from './read-only-programs.ts';
import { isRepeatableProgram } from './repeatable-programs.ts';

interface CommandCoverage {
  /** Patterns of the programs in the line; empty if only the whole line can be allowed. */
  readonly patterns: readonly string[];
  /** Undefined if the user should review the command every time. */
  readonly rule: ApprovalRule | undefined;
}

const uncovered: CommandCoverage = { patterns: [], rule: undefined };

/**
 * Determines the rules that would cover a command line. A pattern is either the name of a read-only program, such as
 * `git log`, with its known harmless options and operands, or the exact words of a command.
 * @param place the directory in which the command runs; if undefined, the paths among its words are not checked
 */
export function coverageOfCommand(
  command: string,
  shell: CommandShell,
  place: CommandPlace | undefined,
): CommandCoverage {
  const commands = simpleCommandsOf(command, shell);
  if (commands === undefined) return uncovered;
  const goesTo = directoryOf(commands);
  const inside = goesTo === undefined ? place : place?.changedTo(goesTo);
  if (goesTo !== undefined && !(!/^-|^$/.test(goesTo) && (place === undefined || inside !== undefined)))
    return uncovered;
  const directory = inside?.shown ?? goesTo ?? '';
  const whole = (line: string) => (directory === '' ? line : inDirectory(directory, line, shell));
  const rest = goesTo === undefined ? commands : commands.slice(1);
  const patterns = new Set<string>();
  for (const each of rest) {
    if (shell === 'windows' ? each.words[0] === 'echo' : isHarmless(each)) continue;
    const pattern = patternOf(each.words, shell, inside);
    if (pattern === undefined) return uncovered;
    patterns.add(whole(pattern));
  }
  const [only, ...others] = patterns;
  const pattern = only === undefined || others.length > 0 ? whole(lineOf(rest, shell)) : only;
  return { patterns: [...patterns], rule: { kind: 'command', pattern, shell } };
}

/** Returns a command line that runs a command in a directory below its start directory. */
export function inDirectory(
  directory: string,
  command: string,
  shell: CommandShell = commandShell(),
): string {
  return `cd ${quotedForShell(directory, shell)} && ${command}`;
}

function lineOf(commands: readonly SimpleCommand[], shell: CommandShell): string {
  return commands
    .map(({ words, after }, index) => {
      const command = words.map((word) => quotedForShell(word, shell)).join(' ');
      if (index === 0 || after === undefined) return command;
      return after === ';' ? `; ${command}` : ` ${after} ${command}`;
    })
    .join('');
}

/** Returns the directory that a line changes to first; undefined if it does not begin with `cd … &&`. */
function directoryOf([first, second]: readonly SimpleCommand[]): string | undefined {
  const [program, directory, ...others] = first?.words ?? [];
  return program === 'cd' && others.length === 0 && second?.after === '&&' ? directory : undefined;
}

/** Read-only programs whose names belong to other programs on Windows. */
const otherOnWindows: ReadonlySet<string> = new Set(['find', 'sort']);

function patternOf(
  words: readonly string[],
  shell: CommandShell,
  place: CommandPlace | undefined,
): string | undefined {
  if (words.includes('git') && place?.isBareRepository === true) return undefined;
  const use = shell === 'windows' && otherOnWindows.has(words[0]!) ? undefined : useOf(words);
  if (use !== undefined && place?.shadows(words[0]!) !== true) {
    const values = parseWords(use.grammar, use.rest);
    const fits = values?.every((value) => isAllowedValue(value, place));
    if (use.name === 'git add' && !hasPath(use.rest) && place?.isThere('.git') === false) return undefined;
    if (fits === true && mayShowSecret(use, values!, place)) return undefined;
    if (fits !== undefined) return fits ? use.name : undefined;
  }
  const exact = lineOf([{ words, after: undefined }], shell);
  if (use?.name === exact || dangersOfCommand(exact, shell).length > 0) return undefined;
  return isRepeatable(words, shell, place) ? exact : undefined;
}

/** True if `git add` has a path. Without a path it adds the whole work tree, so it must run at the top of the tree. */
function hasPath(words: readonly string[]): boolean {
  return words.some((word) => !word.startsWith('-'));
}

/** Variables that change only the output of a program. */
const plainVariable =
  /^(?:CI|COLUMNS|FORCE_COLOR|LANG|LC_ALL|NO_COLOR|NODE_ENV|PYTHONUNBUFFERED|RUST_BACKTRACE|TZ)=[\w.,+-]*$/;
/** A program on the PATH or below the directory. */
const program = /^(?:[A-Za-z0-9_][\w@+.-]*|(?:\.[\\/])?[\w@+.-]+(?:[\\/][\w@+.-]+)+|\.[\\/][\w@+.-]+)$/;
/** A path whose folder is not named like a `cmd` command, because `cmd` reads `rd\x` and `rd/s` as `rd`. */
const programOfWindows = /^(?:[^\\/]+|(?:\.[\w.@+-]*|bin|build|node_modules|scripts|tools|venv)\\[^/]+)$/i;

/** True if the exact words of a command may be allowed for longer than once. */
function isRepeatable(
  words: readonly string[],
  shell: CommandShell,
  place: CommandPlace | undefined,
): boolean {
  const programAt = words.findIndex((word) => !assignment.test(word));
  const name = words[programAt];
  if (name === undefined || name === 'cd' || !program.test(name)) return false;
  if (shell === 'windows' && !programOfWindows.test(name)) return false;
  const variables = words.slice(0, programAt);
  if (shell === 'windows' ? variables.length > 0 : !variables.every((word) => plainVariable.test(word))) {
    return false;
  }
  const rest = words.slice(programAt + 1);
  if (place?.shadows(name) === true || !staysInside(name, place)) return false;
  if (programName(name) === 'git') return isRepeatableGit(rest, place);
  const isInstalled =
    name === 'npx' && shell === 'posix' && place?.hasPackageProgram(rest[0] ?? '') !== false;
  const run = isInstalled ? rest : words.slice(programAt);
  const isKnown = isRepeatableProgram(run, (path) => place?.isThere(path) ?? true);
  return isKnown && rest.every((word) => isLocal(word, place));
}

function isRepeatableGit(words: readonly string[], place: CommandPlace | undefined): boolean {
  const verb = gitVerb(words.filter((word) => !plainGitOptions.has(word)));
  if (verb === undefined) return false;
  return parseWords(verb.grammar, verb.rest)?.every((value) => isAllowedValue(value, place)) === true;
}

/** True if an argument names no address, no secret, and no path outside the workspace. */
function isLocal(word: string, place: CommandPlace | undefined): boolean {
  if (/:\/\/|^[\w.-]+@[\w.-]+:|^\\\\|^\/\//.test(word.replace(/^.*=/s, ''))) return false;
  if (/:\/\/|\bdata:/i.test(word)) return false;
  // The program would read code from its standard input.
  if (/(?:^|=|^-[A-Za-z])-$/.test(word)) return false;
  const parts = [word, ...word.split(/[=:,;\s]+/)];
  return parts.every((part) => {
    const behindOption = /^-[A-Za-z]/.test(part) ? [part.slice(2)] : [];
    // `@file` names a file with more arguments.
    const behindAt = part.startsWith('@') ? [part.slice(1)] : [];
    return [part, ...behindOption, ...behindAt].every(
      (each) => !isSecretPath(each) && staysInside(each, place),
    );
  });
}

function staysInside(part: string, place: CommandPlace | undefined): boolean {
  const isElsewhere = /^~|^[\\/]|^[A-Za-z]:[\\/]|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(part);
  if (place === undefined) return !isElsewhere || /^[\\/](?![\\/])/.test(part);
  return !part.startsWith('~') && place.mayRead(part);
}

/** Returns the program that a pattern covers; undefined if the pattern is the exact words of a command. */
export function usedBy(pattern: string): ProgramUse | undefined {
  return useNamed(pattern.replace(/^cd (?:'[^']*'|[^ ']+) && /, ''));
}
