import type { CommandFact, NotRunFact } from '../messages/ledger.ts';
import { headOf } from '../text/clip.ts';
import type { CallEnd } from './call-ends.ts';

/** Longest command line that is shown, in characters. */
const longestLine = 400;

/**
 * A command as one line that never reads as another command: of several lines the first, with the number of the others;
 * a cut is marked.
 */
export function shownCommand(command: string): string {
  // A line feed behind a backslash is none, unless it is quoted.
  const joined = /['"]/u.test(command) ? command : command.replace(/\\\n\s*/gu, '');
  const lines = joined.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/u.test(line));
  const first = (lines[0] ?? '').trim();
  const whole = first.endsWith('\\') ? `${first.slice(0, -1).trimEnd()} …` : first;
  const shown = first.length <= longestLine ? whole : `${headOf(first, longestLine).trimEnd()} …`;
  const others = lines.length - 1;
  return others < 1 ? shown : `${shown} (+${others} ${others === 1 ? 'line' : 'lines'})`;
}

/** A command and how it ended. */
export function commandWords({ command, status, end }: CommandFact): string {
  const how = [
    ...(status === undefined ? [] : [`exit ${status}`]),
    ...(end === undefined ? [] : [endWords[end]]),
  ];
  const shown = shownCommand(command);
  return how.length === 0 ? shown : `${shown} (${how.join(', ')})`;
}

/** A call that did not run, and the reason. */
export function notRunWords({ text, what, end }: NotRunFact): string {
  const shown = what === 'command' ? shownCommand(text) : text;
  return `${shown} (${what === 'edit' ? 'edit ' : ''}${endWords[end]})`;
}

/** English words for ends, for models and exports. */
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
