import { patternsOf } from './command-pattern.ts';
import { assignment, reserved } from './command-words.ts';
import { dangerIn, programName, runsOthers } from './known-programs.ts';

/** A program that a command line may run, with its first argument. */
type Candidate = readonly [program: string, firstArgument: string | undefined];

/** Why to look twice at a command line, in a sentence; undefined where nothing is known against it. */
export function dangerOfCommand(command: string): string | undefined {
  if (/[^\t\n\r\x20\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(command)) {
    return 'It has characters in it that cannot be seen.';
  }
  if (patternsOf(command) !== undefined) return undefined;
  return candidatesIn(command)
    .map(([program, firstArgument]) => dangerIn(program, firstArgument))
    .find((danger) => danger !== undefined);
}

/** What may be run by a command line that is not understood: rather too much than too little. */
function candidatesIn(command: string): readonly Candidate[] {
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
