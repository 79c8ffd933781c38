import { headOf } from '../clip.ts';
import { errorsIn, exitStatusIn } from '../ledger/result-facts.ts';

/** Characters of a line that a preview shows. */
const longestLine = 160;
/** Error lines that a preview shows besides its beginning and end; the ledger has them all. */
const mostErrors = 3;

/** Lines at the start in which what ran a tool may say how it ran, before the tool's own output. */
const longestHeader = 10;
const outputBegins = /^\s*(?:output|stdout):\s*$/iu;
/** What some shells say behind or before an output about themselves. */
const aboutTheShell =
  /^\s*(?:chunk id: |wall time: |original token count: |total output lines: |process (?:exited with code|running with session id) |\[current working directory: |\[python interpreter: |\[(?:the )?command (?:completed|finished|executed) with exit code )/iu;

/**
 * The lines of a tool's output that tell most: its beginning and end, how it ended, and what went wrong. What ran the
 * tool has no line of it.
 *
 * @param lines how many lines of beginning and end together; exit status and errors come on top
 */
export function previewOf(text: string, lines: number): string {
  const all = ownLines(text.split('\n').filter((line) => line.trim() !== ''));
  const head = all.slice(0, Math.ceil((lines * 2) / 3));
  const tail = all.slice(Math.max(head.length, all.length - (lines - head.length)));
  const shown = new Set([...head, ...tail].map(shorten));
  const missing = errorsIn(text)
    .slice(0, mostErrors)
    .filter((error) => ![...shown].some((line) => line.includes(error)));
  const status = exitStatusIn(text);
  const isStatusShown = status === undefined || exitStatusIn([...shown].join('\n')) === status;
  return [
    ...head.map(shorten),
    ...missing,
    ...tail.map(shorten),
    ...(isStatusShown ? [] : [`exit status ${status}`]),
  ].join('\n');
}

/** A text without what ran the tool says of it; all of it where it says nothing else. */
function ownLines(lines: readonly string[]): readonly string[] {
  const begins = lines.slice(0, longestHeader).findIndex((line) => outputBegins.test(line));
  const isHeader = begins > 0 && lines.slice(0, begins).some((line) => aboutTheShell.test(line));
  const own = lines.slice(isHeader ? begins + 1 : 0).filter((line) => !aboutTheShell.test(line));
  return own.length > 0 ? own : lines;
}

function shorten(line: string): string {
  const trimmed = line.trimEnd();
  return trimmed.length <= longestLine ? trimmed : `${headOf(trimmed, longestLine - 1)}…`;
}
