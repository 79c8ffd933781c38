import { errorsOf, exitStatusIn } from '../../ledger/result-facts.ts';
import { type Message, textOf } from '../../messages/message.ts';
import { ellipsised } from '../../text/clip.ts';

const longestLine = 160;
/** Maximum number of error lines next to both ends of a preview. The ledger has all error lines. */
const mostErrors = 3;
/** Maximum number of conflict lines, and of lines with search terms. */
const mostConflictLines = 40;
const mostSoughtLines = 4;

/** Maximum number of lines at the start that may be a header of the shell, before the tool's own output. */
const longestHeader = 10;
const outputBegins = /^\s*(?:output|stdout):\s*$/iu;
/** Remarks that some shells print before or after the output. */
const aboutTheShell =
  /^\s*(?:chunk id: |wall time: |original token count: |total output lines: |process (?:exited with code|running with session id) |\[current working directory: |\[python interpreter: |\[(?:the )?command (?:completed|finished|executed) with exit code )/iu;

/** Selects useful lines of a tool's output: both ends, exit status, errors, conflicts and search terms. */
export function previewOf(result: Message, lines: number, sought: readonly string[] = []): string {
  const known = lastPreview.get(result);
  const key = [lines, ...sought].join('\n');
  if (known?.key === key) return known.preview;
  const preview = writePreview(result, lines, sought);
  lastPreview.set(result, { key, preview });
  return preview;
}

/** The last preview of each result, cached because a session is compacted repeatedly with the same options. */
const lastPreview = new WeakMap<Message, { readonly key: string; readonly preview: string }>();

function writePreview(result: Message, lines: number, sought: readonly string[]): string {
  const whole = textOf(result.content);
  const own = withoutReminders(whole);
  const text = isWritten(own) ? own : whole;
  const { head, tail } = endsOf(text, Math.ceil((lines * 2) / 3), lines);
  const shown = new Set([...head, ...tail].map(shortenLine));
  const conflicts = conflictLines(text).map(shortenLine);
  const told = [...errorsOf(result).slice(0, mostErrors), ...soughtLines(text, sought).map(shortenLine)];
  const missing = told.filter((line) => ![...shown, ...conflicts].some((other) => other.includes(line)));
  const status = exitStatusIn(text);
  const isStatusShown = status === undefined || exitStatusIn([...shown].join('\n')) === status;
  return [
    ...head.map(shortenLine),
    ...new Set([...conflicts, ...missing]),
    ...tail.map(shortenLine),
    ...(isStatusShown ? [] : [`exit status ${status}`]),
  ].join('\n');
}

const reminderOpens = '<system-reminder';
const reminderEnds = '</system-reminder>';

/** Removes temporary reminders that an agent's program inserted for the model. */
function withoutReminders(text: string): string {
  let left = '';
  let place = 0;
  for (;;) {
    const start = text.indexOf(reminderOpens, place);
    const end = start < 0 ? -1 : text.indexOf(reminderEnds, start);
    if (end < 0) return left + text.slice(place);
    left += text.slice(place, start);
    place = end + reminderEnds.length;
  }
}

const lineNumber = String.raw`(?:[ \t]*\d+[→\t:|])?`;
const conflictMark = new RegExp(`^${lineNumber}(?:<{7} |={7}$|>{7} )`, 'u');
const conflictBegins = new RegExp(`^${lineNumber}<{7} `, 'u');
const conflictEnds = new RegExp(`^${lineNumber}>{7} `, 'u');
const blankLine = new RegExp(`^${lineNumber}\\s*$`, 'u');

/** Returns the git conflicts in a file if they are short; otherwise only the lines that mark them. */
function conflictLines(text: string): readonly string[] {
  if (!text.includes('<<<<<<< ')) return [];
  const found: string[] = [];
  let open: string[] | undefined;
  for (const line of text.split('\n')) {
    if (conflictBegins.test(line)) open = [];
    open?.push(line);
    if (open === undefined || !conflictEnds.test(line)) continue;
    found.push(...open);
    open = undefined;
  }
  if (found.length <= mostConflictLines) return found;
  return found.filter((line) => conflictMark.test(line)).slice(0, mostConflictLines);
}

function soughtLines(text: string, sought: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const name of sought) {
    for (let place = text.indexOf(name); place >= 0; place = text.indexOf(name, place + name.length)) {
      if (found.size === mostSoughtLines) return [...found];
      if (isPartOfWord(text[place - 1]) || isPartOfWord(text[place + name.length])) continue;
      const start = text.lastIndexOf('\n', place) + 1;
      const end = text.indexOf('\n', place);
      found.add(text.slice(start, end < 0 ? text.length : end));
    }
  }
  return [...found];
}

function isPartOfWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}

/** Finds the first and last lines of a text. Skips blank lines and remarks of the shell if other lines exist. */
function endsOf(
  text: string,
  first: number,
  together: number,
): { readonly head: readonly string[]; readonly tail: readonly string[] } {
  const start = afterHeader(text);
  const isOwn = (line: string) => isWritten(line) && !aboutTheShell.test(line);
  const own = takeLines(text, start, first, isOwn);
  const isWanted = own.lines.length > 0 ? isOwn : isWritten;
  const head = isWanted === isOwn ? own : takeLines(text, 0, first, isWanted);
  return {
    head: head.lines,
    tail: takeLastLines(text, head.end, together - head.lines.length, isWanted),
  };
}

function isWritten(line: string): boolean {
  return !blankLine.test(line);
}

function afterHeader(text: string): number {
  const { lines, ends } = takeLines(text, 0, longestHeader, isWritten);
  const begins = lines.findIndex((line) => outputBegins.test(line));
  const isHeader = begins > 0 && lines.slice(0, begins).some((line) => aboutTheShell.test(line));
  return isHeader ? (ends[begins] ?? 0) : 0;
}

/** @returns the first wanted lines from `from` on, the index after each, and the index after the last */
function takeLines(text: string, from: number, most: number, isWanted: (line: string) => boolean) {
  const lines: string[] = [];
  const ends: number[] = [];
  let end = from;
  while (lines.length < most && end <= text.length) {
    const lineEnd = text.indexOf('\n', end);
    const line = text.slice(end, lineEnd < 0 ? text.length : lineEnd);
    end = lineEnd < 0 ? text.length + 1 : lineEnd + 1;
    if (!isWanted(line)) continue;
    lines.push(line);
    ends.push(end);
  }
  return { lines, ends, end };
}

/** @returns the last wanted lines that begin at or after an index */
function takeLastLines(
  text: string,
  from: number,
  most: number,
  isWanted: (line: string) => boolean,
): readonly string[] {
  const lines: string[] = [];
  for (let end = text.length; lines.length < most && end >= from;) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    end = start - 1;
    if (start >= from && isWanted(line)) lines.push(line);
  }
  return lines.reverse();
}

function shortenLine(line: string): string {
  const trimmed = line.trimEnd();
  return ellipsised(trimmed, longestLine);
}
