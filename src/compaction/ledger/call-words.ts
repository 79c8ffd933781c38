import type { CommandFact, NotRunFact } from '../messages/ledger.ts';
import { headOf } from '../text/clip.ts';
import type { CallEnd } from './call-ends.ts';

/** Maximum length of a shown command line, in characters. */
const longestLine = 400;

/**
 * Assignments and folder changes at the beginning of a script: `A=1 &&`, `export A=1;`, `cd x &&`. A line
 * feed also ends them.
 */
const variable =
  /^(?:export[ \t]+)?([A-Za-z_]\w*=(?:[^\s'"`;&|()<>\\]+|'[^'\n]*'|"[^"`\\(\n]*"))[ \t]*(?:&&|;|\n)\s*(?=\S)/u;
const folder = /^cd[ \t]+([^\s'"`;&|()<>\\*?#-][^\s'"`;&|()<>\\*?#]*)[ \t]*(?:&&|\n)\s*(?=\S)/u;
/** Operators and commands that make it uncertain whether the rest ran, or in which folder. */
const otherFolder = /\|\||(?:^|[\s;&|(])(?:cd|pushd|popd)\b/u;
/** Maximum length of the shown variables with their values, in characters. */
const longestNote = 200;

/** Separates a script from the folder and the variables that it sets first. */
function withoutLead(script: string): { readonly rest: string; readonly notes: readonly string[] } {
  const variables: string[] = [];
  let place: string | undefined;
  let rest = script.trim();
  for (;;) {
    const set = variable.exec(rest);
    const entered = set === null && place === undefined ? folder.exec(rest) : null;
    const [lead = ''] = set ?? entered ?? [];
    const left = rest.slice(lead.length);
    if (lead === '' || left.startsWith('#') || (entered !== null && otherFolder.test(left))) break;
    if (set !== null) variables.push(set[1]!);
    else place = entered![1];
    rest = left;
  }
  const values = variables.join(', ');
  const shown = values.length <= longestNote ? values : `${headOf(values, longestNote)} …`;
  return {
    rest,
    notes: [
      ...(place === undefined ? [] : [`in ${place}`]),
      ...(variables.length === 0 ? [] : [`with ${shown}`]),
    ],
  };
}

/**
 * Writes a command on one line that cannot be mistaken for another command. Shows the first of several lines
 * and the number of the others, and marks a cut. The program comes first; folder and variables follow.
 */
export function shownCommand(command: string): string {
  const { rest, notes } = withoutLead(command);
  // A backslash removes the line feed after it, unless quoted.
  const joined = /['"]/u.test(rest) ? rest : rest.replace(/\\\n\s*/gu, '');
  const lines = joined.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/u.test(line));
  const first = (lines[0] ?? '').trim();
  const whole = first.endsWith('\\') ? `${first.slice(0, -1).trimEnd()} …` : first;
  const shown = first.length <= longestLine ? whole : `${headOf(first, longestLine).trimEnd()} …`;
  const others = lines.length - 1;
  const added = [...notes, ...(others < 1 ? [] : [`+${others} ${others === 1 ? 'line' : 'lines'}`])];
  return added.length === 0 ? shown : `${shown} (${added.join(', ')})`;
}

export function commandWords({ command, status }: CommandFact): string {
  return `${shownCommand(command)}${status === undefined ? '' : ` (exit ${status})`}`;
}

/** Describes a call that did not run, and the reason. */
export function notRunWords({ text, what, end }: NotRunFact): string {
  const shown = what === 'command' ? shownCommand(text) : text;
  return `${shown} (${what === 'edit' ? 'edit ' : ''}${endWords[end]})`;
}

/** English words for the ends of calls, in texts for models and in exports. */
export const endWords: Readonly<Record<Exclude<CallEnd, 'ran'>, string>> = {
  failed: 'failed',
  refused: 'refused by the user',
  notAllowed: 'not allowed',
  skipped: 'never started',
  cancelled: 'cancelled',
  running: 'still running',
  unanswered: 'never answered: it may have run',
  pending: 'no result yet',
};
