import { assignment, quoted, simpleCommandsOf, type SimpleCommand, type Word } from './command-words.ts';
import { coveredWithArguments, dangerIn, programName, runsOthers, strongOptions } from './known-programs.ts';
import { isHarmless } from './stream-filters.ts';

/** Words of what is covered with all its arguments. */
const covered = coveredWithArguments.map((pattern) => pattern.split(' '));

/**
 * The patterns that have to be allowed for a command line to run unasked, one for each program in it. `npm test` for
 * `npm test -- lock`, since its arguments do not matter; for other programs all their words. Where the command begins
 * by changing the directory, so do the patterns.
 *
 * @returns undefined where no pattern covers it: it is not certain what it runs, or it should not run unasked
 */
export function patternsOf(command: string, platform = process.platform): readonly string[] | undefined {
  const commands = simpleCommandsOf(command, platform);
  if (commands === undefined) return undefined;
  const directory = directoryOf(commands);
  const patterns = new Set<string>();
  for (const each of directory === undefined ? commands : commands.slice(1)) {
    if (isHarmless(each)) continue;
    const pattern = patternOf(each.words);
    if (pattern === undefined) return undefined;
    patterns.add(directory === undefined ? pattern : inDirectory(directory, pattern));
  }
  return patterns.size === 0 ? undefined : [...patterns];
}

/** A command line that runs in a directory below the one it is started in. */
export function inDirectory(directory: string, command: string): string {
  return `cd ${quoted(directory)} && ${command}`;
}

/** Whether a pattern covers a command with any further arguments. */
export function takesArguments(pattern: string): boolean {
  const patterns = patternsOf(`${pattern} x`);
  return patterns?.length === 1 && patterns[0] === pattern;
}

/** Where a command goes first, if that is further down. */
function directoryOf([first, second]: readonly SimpleCommand[]): string | undefined {
  const [program, directory, ...others] = first?.words ?? [];
  if (program?.text !== 'cd' || directory?.isLiteral !== true || others.length > 0) return undefined;
  const isBelow =
    !/^[-~/]|^[A-Za-z]:|^$/.test(directory.text) && !/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(directory.text);
  return isBelow && second?.after === '&&' ? directory.text : undefined;
}

function patternOf(words: readonly Word[]): string | undefined {
  const programAt = words.findIndex(({ text }) => !assignment.test(text));
  const program = words[programAt]?.text;
  if (program === undefined || program === 'cd' || runsOthers.has(programName(program))) return undefined;
  if (dangerIn(program, words[programAt + 1]?.text) !== undefined) return undefined;
  const length = coveredLength(words);
  if (length > 0) {
    const rest = words.slice(length);
    return rest.some((word) => isStrong(program, word)) ? undefined : joined(words.slice(0, length));
  }
  return words.every(({ isLiteral }) => isLiteral) ? joined(words) : undefined;
}

/** How many words of a command matter; zero where all do. */
function coveredLength(words: readonly Word[]): number {
  const match = covered.find((pattern) =>
    pattern.every((part, index) => {
      const word = words[index];
      if (word?.isLiteral !== true) return false;
      return part === '*' ? /^[\w.:@/]/.test(word.text) : word.text === part;
    }),
  );
  return match?.length ?? 0;
}

/** Whether an argument gives a program more power than its pattern says, or may do so once the shell is done with it. */
function isStrong(program: string, { text, isLiteral }: Word): boolean {
  if (!isLiteral && /^[-$*?[]/.test(text)) return true;
  if (!text.startsWith('-')) return false;
  const options = strongOptions[program] ?? [];
  const [name] = text.split('=', 1) as [string];
  if (program === 'go') return options.includes(name.replace(/^--/, '-'));
  if (!name.startsWith('--')) {
    return options.some((option) => option.length === 2 && name.includes(option[1]!));
  }
  // Programs take the beginning of an option for the whole of it.
  return name.length > 2 && options.some((option) => option.startsWith(name));
}

function joined(words: readonly Word[]): string {
  return words.map(({ text }) => quoted(text)).join(' ');
}
