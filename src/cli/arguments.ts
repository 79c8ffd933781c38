import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './command.ts';

/** @throws {UsageError} for an unknown option, a missing value or a wrong number of files */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  files: readonly string[],
) {
  const parsed = parse(args, options);
  const given = parsed.positionals.length;
  if (given !== files.length) {
    throw new UsageError(`Expected ${files.join(' ') || 'no file'}, got ${given || 'nothing'}.`);
  }
  return { values: parsed.values, files: parsed.positionals };
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

/** @throws {UsageError} where the text is no whole number of at least `minimum` */
export function integerOf(name: string, text: string | undefined, minimum: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < minimum || text.trim() === '') {
    throw new UsageError(`--${name} must be a whole number of at least ${minimum}, not "${text}".`);
  }
  return value;
}

/** @throws {UsageError} where the text is given and none of the choices */
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
