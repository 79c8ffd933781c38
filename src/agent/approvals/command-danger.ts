import { commandShell, type CommandShell } from './command-shell.ts';
import { assignment, isVisible, reserved, simpleCommandsOf } from './command-words.ts';
import { dangerIn, programName, runsOthers } from './known-programs.ts';
import { plainGitOptions } from './looking-programs.ts';

/** A program that a command line may run, with its first argument. */
type Candidate = readonly [program: string, firstArgument: string | undefined];

/** Why to look twice at a command line, in a sentence; undefined where nothing is known against it. */
export function dangerOfCommand(command: string, shell: CommandShell = commandShell()): string | undefined {
  if (!isVisible(command.replace(/[\r\n]/g, ' '))) return 'It has characters in it that cannot be seen.';
  return candidatesIn(command, shell)
    .map(([program, firstArgument]) => dangerIn(program, firstArgument))
    .find((danger) => danger !== undefined);
}

function candidatesIn(command: string, shell: CommandShell): readonly Candidate[] {
  const commands = simpleCommandsOf(command, shell);
  if (commands === undefined) return candidatesInText(command);
  return commands.flatMap(({ words }) => {
    const own = words.slice(words.findIndex((word) => !assignment.test(word)));
    const [program = '', ...rest] = own;
    if (runsOthers.has(programName(program))) return candidatesInText(own.join(' '));
    const first = program === 'git' ? rest.find((word) => !plainGitOptions.has(word)) : rest[0];
    return [[program, first]];
  });
}

/** What may be run by a command line that is not understood: rather too much than too little. */
function candidatesInText(command: string): readonly Candidate[] {
  const tokens = (command.match(/[|&;(){}`\n]|[^\s|&;(){}`]+/g) ?? []).map((token) =>
    token.replace(/["'$\\]/g, ''),
  );
  const candidates: Candidate[] = [];
  let isProgramNext = true;
  let runsWhatFollows = false;
  for (const [index, token] of tokens.entries()) {
    if (/^[|&;(){}`\n]?$/.test(token)) {
      isProgramNext = true;
      if (token !== '') runsWhatFollows = false;
    } else if (isProgramNext || runsWhatFollows) {
      candidates.push([token, tokens[index + 1]]);
      isProgramNext = assignment.test(token) || reserved.has(token);
      runsWhatFollows ||= runsOthers.has(programName(token));
    }
  }
  return candidates;
}
