import { messageOf } from '../compaction/records/reason.ts';
import { oneLine, UsageError, type Command, type CommandIo, type ExitCode, type Io } from './command.ts';
import { agentCommands } from './agent-commands.ts';
import { breaksCommand } from './breaks-command.ts';
import { compactCommand } from './compact-command.ts';
import { compare, replayCommand } from './measure-commands.ts';
import { countCommand, handoffCommand, importCommand } from './transcript-commands.ts';
import { diff, undo } from './record-commands.ts';
import { strategies } from './strategies-command.ts';

const commands: readonly Command[] = [
  strategies,
  countCommand,
  breaksCommand,
  importCommand,
  handoffCommand,
  compactCommand,
  undo,
  diff,
  compare,
  replayCommand,
  ...agentCommands,
];

function help(): string {
  const lines = commands.map(
    ({ name, synopsis, summary }) => `  ${`${name} ${synopsis}`.trimEnd()}\n      ${summary}`,
  );
  return ['Usage: context-budget <command>', '', ...lines].join('\n');
}

/** Runs one command. A failure becomes a non-zero exit code and one line on stderr that includes earlier notes. */
export async function runCli(args: readonly string[], given: Io): Promise<ExitCode> {
  const notes: string[] = [];
  const code = await run(args, {
    ...given,
    note: (text) => notes.push(oneLine(text)),
    log: (text) => given.note(oneLine(text)),
  });
  const lines = notes.filter((note) => note !== '');
  if (code === 0) for (const line of lines) given.note(line);
  else given.note(lines.join(' '));
  return code;
}

async function run([name, ...args]: readonly string[], io: CommandIo): Promise<ExitCode> {
  const names = commands.map((known) => known.name).join(', ');
  if (name === undefined) {
    io.note(`Usage: context-budget <command>. Commands: ${names}. --help after a command describes it.`);
    return 2;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    io.print(help());
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    io.note(`Unknown command "${name}". Commands: ${names}.`);
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

/** True for an error of the JavaScript runtime, whose message is for programmers. */
function isSurprise(error: unknown): error is Error {
  const kinds = [TypeError, RangeError, ReferenceError, SyntaxError, URIError];
  return kinds.some((kind) => error instanceof kind);
}
