import { messageOf } from '../compaction/records/reason.ts';
import { oneLine, UsageError, type Command, type ExitCode, type Io } from './command.ts';
import { compactCommand } from './compact-command.ts';
import { compare, replay } from './measure-commands.ts';
import { count, importCommand } from './transcript-commands.ts';
import { diff, undo } from './record-commands.ts';
import { strategies } from './strategies-command.ts';

const commands: readonly Command[] = [
  strategies,
  count,
  importCommand,
  compactCommand,
  undo,
  diff,
  compare,
  replay,
];

function help(): string {
  const lines = commands.map(({ name, synopsis, summary }) => `  ${name} ${synopsis}\n      ${summary}`);
  return ['Usage: context-budget <command>', '', ...lines].join('\n');
}

/** Runs one command. Whatever goes wrong becomes one line, with what was to be noted before it, and an exit code. */
export async function runCli(args: readonly string[], given: Io): Promise<ExitCode> {
  const notes: string[] = [];
  const code = await run(args, { ...given, note: (text) => notes.push(oneLine(text)) });
  const lines = notes.filter((note) => note !== '');
  if (code === 0) for (const line of lines) given.note(line);
  else given.note(lines.join(' '));
  return code;
}

async function run([name, ...args]: readonly string[], io: Io): Promise<ExitCode> {
  const names = commands.map((known) => known.name).join(', ');
  if (name === undefined) {
    io.note(`Usage: context-budget <command>; there are ${names}. --help says more of each.`);
    return 2;
  }
  if (name === '--help' || name === 'help') {
    io.print(help());
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    io.note(`There is no command "${name}"; there are ${names}.`);
    return 2;
  }
  if (args.includes('--help')) {
    io.print(`Usage: context-budget ${name} ${command.synopsis}\n${command.summary}`);
    return 0;
  }
  try {
    return await command.run(args, io);
  } catch (error) {
    io.note(isSurprise(error) ? `${name} failed unexpectedly (${error.name}).` : messageOf(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** True for an error that the language throws by itself: its words are for programmers. */
function isSurprise(error: unknown): error is Error {
  const kinds = [TypeError, RangeError, ReferenceError, SyntaxError, URIError];
  return kinds.some((kind) => error instanceof kind);
}
