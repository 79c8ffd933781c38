import { messageOf } from '../compaction/failure.ts';
import { oneLine, UsageError, type Command, type ExitCode, type Io } from './command.ts';
import { compactCommand } from './commands/compact.ts';
import { compare } from './commands/compare.ts';
import { count } from './commands/count.ts';
import { diff } from './commands/diff.ts';
import { importCommand } from './commands/import.ts';
import { replay } from './commands/replay.ts';
import { strategies } from './commands/strategies.ts';
import { undo } from './commands/undo.ts';

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

/** Runs one command. Whatever goes wrong becomes one line and an exit code. */
export async function runCli([name, ...args]: readonly string[], given: Io): Promise<ExitCode> {
  const io: Io = { ...given, note: (text) => given.note(oneLine(text)) };
  if (name === undefined || name === '--help' || name === 'help') {
    (name === undefined ? given.note : io.print)(help());
    return name === undefined ? 2 : 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    io.note(`There is no command "${name}"; there are ${commands.map((known) => known.name).join(', ')}.`);
    return 2;
  }
  if (args.includes('--help')) {
    io.print(`Usage: context-budget ${name} ${command.synopsis}\n${command.summary}`);
    return 0;
  }
  try {
    return await command.run(args, io);
  } catch (error) {
    io.note(messageOf(error));
    return error instanceof UsageError ? 2 : 1;
  }
}
