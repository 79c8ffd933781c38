import { type Message, typedText } from '../messages/message.ts';
import { memoised } from '../messages/memoise.ts';
import { factText } from './call-facts.ts';
import { withoutHookFacts } from './lookups.ts';

/**
 * Signs that mark a line of output as an error. Programs print errors at the beginning of a line, or after a
 * place in a file, their own name, a time or a tag. Source text mentions errors in statements, comments and
 * quotes, or after line numbers. Each sign is therefore anchored to the beginning of a line. All parts have
 * length limits, so that matching is fast.
 */

/** The file in a place such as `src/x.ts(3,5)`, `src/x.c:3:5` or `script.py:3`. */
const file = String.raw`[^\s:()"'\x60]{1,200}`;
const prefixes = [
  String.raw`${file}(?:\(\d+(?:,\d+)?\)|:\d+(?::\d+)?)(?:: | - )`,
  // The name of a program: `git: ` or `/usr/bin/ld: `.
  String.raw`[A-Za-z~./@][\w.@/+-]{0,80}: `,
  // A time: `2024-05-13T10:00:00.123Z ` or `10:00:00 `.
  String.raw`(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d[\d.,]*(?:Z|[+-]\d\d:?\d\d)? `,
  String.raw`\[[^\]\n]{1,60}\]:? ?`,
  String.raw`##\[error\]|Uncaught |Unhandled |Caused by: |Exception in thread "[^"\n]{0,80}" |- [A-Z]+\d{2,} `,
];

/** Text after an error's name. A name with a condition belongs to a list of possible errors. */
const told = String.raw`: (?!(?:[Ii]f|[Ww]hen|Raised|Thrown)\b)\S`;
/** A named error such as `TypeError: …`, with or without a qualifier and a message. */
const named = String.raw`(?:[A-Za-z_][\w.$-]{0,100})?(?:Error|Exception)(?: \[\w+\])?(?:$|:$|${told})`;
/** An error in words: `error: …`, `error TS2345: …`, `error[E0308]: …`, `fatal: …`, `ENOENT: …`. */
const worded = String.raw`(?:(?:[Ff]atal |[Ii]nternal )?[Ee]rror(?:\[\w+\]| [A-Z]+\d+)?|fatal|FATAL|panic|E(?:NOENT|ACCES|PERM|EXIST|ISDIR|NOTDIR|NOTEMPTY|NOSPC|MFILE|PIPE|ADDRINUSE|CONN[A-Z]+|TIMEDOUT)):(?:$| )`;
const shouted = String.raw`(?:ERRORS?|FATAL)(?::|[ \t]+(?![=:|&,])\S)`;
/** Excludes source text: lines that end like a statement or the head of a block. */
const notStatement = String.raw`(?!.{0,500}[,;{([=]$)`;

const signs = [
  String.raw`(?:${prefixes.join('|')}){0,3}${notStatement}(?:${worded}|${shouted}|${named})`,
  // An error after other words, as in "Stopped because of an error: …".
  String.raw`(?:[A-Za-z][\w-]{0,40} ){1,8}${notStatement}[Ee]rror${told}`,
  // Test runners and loggers indent the errors that they print.
  String.raw`[ \t]+${notStatement}(?:[A-Z]\w{0,80})?(?:Error|Exception)${told}`,
  // Any finding of a compiler or a linter, except warnings and notes.
  String.raw`${file}(?:\(\d+,\d+\)|:\d+:\d+): (?!(?:warning|note|info|hint|remark)\b)\w`,
  String.raw`[ \t]*\d+:\d+[ \t]+error[ \t]`,
  // Information about npm after an error is not an error.
  String.raw`npm (?:ERR!|error)[ \t]+(?!(?:path|location|workspace|A complete log)\b)\S`,
  String.raw`[ \t]?ERR_[A-Z_]{3,}\b`,
  // A program or shell that names the cause last: `cp: x: No such file or directory`.
  String.raw`(?![\s\d]|[/#*-]{2})(?:[^:\n]{1,150}(?::\d+)?: ){1,3}(?:[Cc]ommand not found|[Nn]o such file or directory|[Pp]ermission denied)`,
  String.raw`Traceback \(most recent call last\)`,
  String.raw`thread '[^'\n]{0,80}' (?:\(\d+\) )?panicked at `,
  String.raw`make(?:\[\d+\])?: \*\*\* |CONFLICT \(|Segmentation fault`,
  // Failed tests: pytest, Go, TAP, runners that draw a cross, cargo and Gradle.
  String.raw`E {3}[ ]*\S`,
  String.raw`[ \t]*(?:--- FAIL: |FAIL:? +(?![=:|&])\S|FAIL\t|not ok \d|[✗✘✕✖×] ?[^\s*])`,
  String.raw`(?:[A-Za-z>][^"'\x60=;{}\n]{0,150} )?FAILED(?=$|[ .:])(?! *[=:,|&])`,
];

/** Line that Qwen Code adds below the output of every successful command. */
const noError = String.raw`(?!Error: \(none\)$)`;
/** Matches at the beginning of the text, or of each line with the flag `m`. */
const errorSign = new RegExp(`^${noError}(?:${signs.join('|')})`, 'u');

/** Includes the next line after a bare heading, because some tools print the error there. */
const errorLine = new RegExp(`${errorSign.source}.*(?:(?<=[Ee]rror:|ERRORS?:)\\n.+)?`, 'gmu');
const errorsPerResult = 12;
/** Length searched at each end of a long result, in UTF-16 units. Logs have their important lines there. */
const searchedCharacters = 20_000;
/** Forms in which shells and the tools of common agents report the exit status of a command. */
const exitStatus =
  /\b(?:exit(?:ed)?(?: with)?(?: code| status)?|exit_code|exitCode|return code|status code)["']?\s*(?:[:=]\s*)?(-?\d{1,3})\b/iu;
/** Every form contains one of these words. Only texts with one of them are read closely. */
const exitHint = /exit|code/i;
/** Number of characters at the beginning and the end of a result in which tools put the status. */
const statusCharacters = 400;

/**
 * Words and signs. Every error line contains one of them, and only lines with one are read closely. Each form begins
 * with a rare character, because most of the time goes into finding the next one.
 */
const hint =
  /rror|ERR|FA(?:TAL|IL)|f(?:atal|(?<=ommand not f)ound|(?<=such f)ile)|panic|[Pp]ermission denied|xception|E(?:NO|ACCES|PERM|EXIST|ISDIR|MFILE|PIPE|ADDR|CONN|TIMEDOUT| {3})|:\d+: |(?<=\d)\): |Traceback|\*\*\* |CONFLICT|Segmentation|(?<=not o)k|[✗✘✕✖×]/gu;

/** Finds the first few lines of a tool's output that name an error. */
export function errorsIn(text: string): readonly string[] {
  const searched =
    text.length <= 2 * searchedCharacters
      ? text
      : `${text.slice(0, searchedCharacters)}\n${text.slice(-searchedCharacters)}`;
  const lines: string[] = [];
  for (let from = 0; lines.length < errorsPerResult;) {
    hint.lastIndex = from;
    const place = hint.exec(searched)?.index ?? -1;
    if (place < 0) break;
    const start = searched.lastIndexOf('\n', place) + 1;
    const end = endOfLine(searched, place);
    // Includes the next line, which may contain the error.
    const near = searched.slice(start, endOfLine(searched, end + 1));
    errorLine.lastIndex = Math.max(0, from - start);
    from = end + 1;
    for (let match = errorLine.exec(near); match !== null; match = errorLine.exec(near)) {
      if (start + match.index > end || lines.length === errorsPerResult) break;
      lines.push(factText(match[0]));
      from = Math.max(from, start + match.index + match[0].length);
    }
  }
  return lines;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Returns the errors in a tool's result, cached. */
export const errorsOf = memoised((result: Message): readonly string[] =>
  errorsIn(withoutHookFacts(typedText(result))),
);

/** True if one line of a tool's output names an error. */
export function namesError(line: string): boolean {
  return errorSign.test(line);
}

/** True if a line of tool output reports the exit status of a command. */
export function tellsExitStatus(line: string): boolean {
  return exitStatus.test(line);
}

/** Reads the exit status from the output of a command, if any. */
export function exitStatusIn(text: string): number | undefined {
  const ends =
    text.length <= 2 * statusCharacters
      ? text
      : `${text.slice(0, statusCharacters)}\n${text.slice(-statusCharacters)}`;
  const status = exitHint.test(ends) ? exitStatus.exec(ends)?.[1] : undefined;
  return status === undefined ? undefined : Number(status);
}
