import type { ToolCall } from '../messages/message.ts';
import { remembered } from '../messages/remembered.ts';
import type { CheckKind } from '../messages/where-it-stands.ts';
import { parseShallow } from '../text/parse-json.ts';
import { factsOfCall, factText, folderOfInput } from './call-facts.ts';
import { checkKindOf, folderAt, type NamedRun, sameRun } from './checks.ts';
import { looksAt } from './looking-commands.ts';
import { isThrowAway } from './path-words.ts';
import { innerWords, possibleSteps, shellSteps } from './shell-steps.ts';

/** A program that a call runs. */
export interface ErrorRun extends NamedRun {
  /** The program, with its subcommand for git; for other tools the tool. */
  readonly program: string;
  readonly kind: CheckKind | undefined;
}

/** The programs that a call runs, and how its output is told. */
export interface CallRuns {
  readonly runs: readonly ErrorRun[];
  /** True if its output passed through another program: that one gave the status, and may have left lines out. */
  readonly isPiped: boolean;
  /** The first of them as it was called; undefined for a call that runs no command. */
  readonly command: string | undefined;
}

/** The programs of a call that may print errors of their own: what those print that only look is text of others. */
export const runsOfCall = remembered((call: ToolCall): CallRuns => {
  const { commands: scripts, filesModified, filesRead, identifiers, searched } = factsOfCall(call);
  const { name } = call.function;
  if (scripts.length === 0) {
    const files = new Set([...filesModified, ...filesRead]);
    const runs = [...files, ...identifiers, ...searched].map((one) => {
      const key = `${name}\n${one}`;
      // What was done with another file was something else, and no second try.
      return { key, folder: undefined, program: files.has(one) ? key : name, kind: undefined };
    });
    return { runs, isPiped: false, command: undefined };
  }
  const runs: ErrorRun[] = [];
  const commands: string[] = [];
  let isPiped = false;
  for (const script of scripts) {
    const steps = shellSteps(script) ?? possibleSteps(script);
    if (steps === undefined) {
      const [program = ''] = script.trim().split(/\s/u, 1);
      runs.push({ key: script, folder: undefined, program, kind: undefined });
      commands.push(script);
    }
    steps?.forEach(({ words, after }, index) => {
      if (after === '|') isPiped = true;
      else if (!looksAt(words)) {
        runs.push(runOf(words, folderAt(steps, index)));
        commands.push(innerWords(words).join(' '));
      }
    });
  }
  return { runs, isPiped, command: factText(commands[0] ?? scripts[0]!) };
});

/** A program with its arguments, in a folder if one is known. */
export function runOf(words: readonly string[], folder: string | undefined): ErrorRun {
  const [name = '', subcommand = ''] = innerWords(words);
  const program = name === 'git' ? `git ${subcommand}` : name;
  return { key: sameRun(words), folder, program, kind: checkKindOf(words) };
}

/** True for a call that works in a place that is thrown away. What a check reports is told by its folder alone. */
export function isTrial(runs: readonly ErrorRun[], call: ToolCall | undefined): boolean {
  const folders = [
    call && folderOfInput(parseShallow(call.function.arguments)?.value),
    ...runs.map(({ folder }) => folder),
  ];
  if (folders.some((folder) => folder !== undefined && isThrowAway(folder))) return true;
  return (
    runs.every(({ kind }) => kind === undefined) && runs.some(({ key }) => key.split(' ').some(isThrowAway))
  );
}
