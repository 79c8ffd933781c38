import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Input and output of a command. With `--json`, stdout carries JSON only and everything else goes to stderr. */
export interface Io {
  /** Writes to stdout. */
  readonly print: (text: string) => void;
  /** Writes to stderr. */
  readonly note: (text: string) => void;
  /** Asks on stderr. @returns the answer from standard input; may be empty */
  readonly ask: (question: string) => Promise<string>;
  /** Aborted when the user interrupts the program. */
  readonly signal: AbortSignal;
}

/** Input and output of a command that is running. Its notes are shown when it ends. */
export interface CommandIo extends Io {
  /** Writes to stderr at once, for a command that runs until it is interrupted. */
  readonly log: (text: string) => void;
}

/** 0: done; 1: refused or failed, with a reason; 2: incorrect usage. */
export type ExitCode = 0 | 1 | 2;

export interface Command {
  readonly name: string;
  /** The arguments, as shown in the usage line. */
  readonly synopsis: string;
  /** Sentence for the help text. */
  readonly summary: string;
  /** @throws {UsageError} for invalid arguments or unusable files */
  run(args: readonly string[], io: CommandIo): Promise<ExitCode>;
}

/** Error for incorrect usage. The message is one line with a remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Collapses a string to one line, without control characters or characters that change the writing direction. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
}

/** Types of options: with a value, and without a value. */
export const valued = { type: 'string' } as const;
export const onOff = { type: 'boolean', default: false } as const;

/**
 * @param files names of the expected files; undefined for any number of words
 * @throws {UsageError} for an unknown option, a missing value or a wrong number of files
 */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  files?: readonly string[],
) {
  const { values, positionals } = parse(args, options);
  const given = positionals.length;
  if (files !== undefined && given !== files.length) {
    throw new UsageError(
      `Expected ${files.join(' ') || 'no file'}, got ${given === 0 ? 'nothing' : `${given} arguments`}.`,
    );
  }
  return { values, files: positionals };
}

function parse<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

/** @throws {UsageError} unless the string is a whole number of at least `minimum` */
export function integerOf(name: string, text: string | undefined, minimum: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < minimum || text.trim() === '') {
    throw new UsageError(`--${name} must be a whole number of at least ${minimum}, not "${text}".`);
  }
  return value;
}

/** @throws {UsageError} if the string is given but is not one of the choices */
export function choiceOf<Choice extends string>(
  name: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (text === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined)
    throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not "${text}".`);
  return choice;
}
