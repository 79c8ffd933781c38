import { errorSign } from './error-sign.ts';
import { factText } from './fact-text.ts';

/** Some tools head what failed with a line of its own; then the next line tells it. */
const errorLine = new RegExp(`${errorSign.source}.*(?:(?<=[Ee]rror:|ERRORS?:)\\n.+)?`, 'gmu');
const errorsPerResult = 12;
/** Of a longer result only this much at either end is searched; what matters in a log is at its ends. */
const searchedCharacters = 20_000;
/** How shells and the tools of common agents tell how a command ended. */
const exitStatus =
  /\b(?:exit(?:ed)?(?: with)?(?: code| status)?|exit_code|exitCode|return code|status code)["']?\s*(?:[:=]\s*)?(-?\d{1,3})\b/iu;
/** Tools put the status at the very beginning or end of what they return. */
const statusCharacters = 400;

/** The lines of a tool's output that name an error, the first few. */
export function errorsIn(text: string): readonly string[] {
  const searched =
    text.length <= 2 * searchedCharacters
      ? text
      : `${text.slice(0, searchedCharacters)}\n${text.slice(-searchedCharacters)}`;
  const lines: string[] = [];
  for (const [line] of searched.matchAll(errorLine)) {
    lines.push(factText(line));
    if (lines.length === errorsPerResult) break;
  }
  return lines;
}

/** True if one line of a tool's output names an error. */
export function namesError(line: string): boolean {
  return errorSign.test(line);
}

/** True if one line of a tool's output tells how a command ended. */
export function tellsExitStatus(line: string): boolean {
  return exitStatus.test(line);
}

/** The exit status that a command's output tells of, if any. */
export function exitStatusIn(text: string): number | undefined {
  const ends =
    text.length <= 2 * statusCharacters
      ? text
      : `${text.slice(0, statusCharacters)}\n${text.slice(-statusCharacters)}`;
  const status = exitStatus.exec(ends)?.[1];
  return status === undefined ? undefined : Number(status);
}
