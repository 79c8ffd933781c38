import { headOf } from '../clip.ts';
import { errorsIn, exitStatusIn } from '../ledger/result-facts.ts';

/** Characters of a line that a preview shows. */
const longestLine = 160;
/** Error lines that a preview shows besides its beginning and end; the ledger has them all. */
const mostErrors = 3;

/**
 * The lines of a tool's output that tell most: its beginning and end, how it ended, and what went wrong.
 *
 * @param lines how many lines of beginning and end together; exit status and errors come on top
 */
export function previewOf(text: string, lines: number): string {
  const all = text.split('\n').filter((line) => line.trim() !== '');
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

function shorten(line: string): string {
  const trimmed = line.trimEnd();
  return trimmed.length <= longestLine ? trimmed : `${headOf(trimmed, longestLine - 1)}…`;
}
