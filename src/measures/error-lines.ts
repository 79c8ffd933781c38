import { callsByResult } from '../compaction/messages/exchange.ts';
import { textOf, type Message } from '../compaction/messages/message.ts';
import type { Kept } from '../compaction/records/record.ts';
import { foldSpace, viewTextOf } from './view-text.ts';

/** A line of tool output that reports an error. */
export interface ErrorLine {
  /** White space folded. */
  readonly text: string;
  /** The same call, run again later, did not print it any more. */
  readonly isResolved: boolean;
}

/**
 * Openings of a line that reports an error. This extractor is the probe's: it shares nothing with the ledger's,
 * so that a ledger is not measured with its own ruler. Listings of source code, whose lines carry numbers or
 * indentation before their words, are not meant.
 */
const report =
  /^(?:(?:[\w./\\@+-]+(?:\(\d+(?:,\d+)?\)|(?::\d+){1,2})?:?\s(?:-\s)?)?(?:[Ff]atal |[Ii]nternal |[Cc]ompile |[Ss]yntax )?(?:error|ERROR|Error)(?:\[\w+\]|\s[A-Z]+\d+)?:\s?\S|[A-Z]\w*(?:\.\w+)*(?:Error|Exception):\s\S|(?:fatal|FATAL|panic|PANIC):\s|FAILED\b|FAIL[:\s]\s*\S|--- FAIL:|not ok \d|E {3}\s*\S|npm (?:ERR!|error) \S|Traceback \(most recent|[\w./-]+: (?:line \d+: )?.{0,80}(?:No such file or directory|command not found|Permission denied)|[✗✘×]\s?\S)/u;
/** Lines longer than this, in UTF-16 units, are data. */
const longestLine = 400;
/** Of a longer output, only this much at either end is searched, in UTF-16 units. */
const searchedCharacters = 50_000;

/** The error lines of all tool results, each once, in the order in which they were first printed. */
export function errorLinesOf(messages: readonly Message[]): readonly ErrorLine[] {
  const calls = callsByResult(messages);
  const runs = messages.flatMap((message) => {
    if (message.role !== 'tool') return [];
    const call = calls.get(message.id)?.function;
    const key = call === undefined ? undefined : `${call.name} ${call.arguments}`;
    return [{ key, lines: reportsIn(textOf(message.content)) }];
  });
  const lastOf = new Map(runs.map(({ key }, index) => [key, index]));
  const lines = new Map<string, boolean>();
  runs.forEach(({ key, lines: printed }, index) => {
    const last = key === undefined ? index : (lastOf.get(key) ?? index);
    for (const text of printed) lines.set(text, last > index && !runs[last]!.lines.has(text));
  });
  return [...lines].map(([text, isResolved]) => ({ text, isResolved }));
}

/** Of the error lines that were not resolved, those that a view still says. */
export function keptErrorLines(messages: readonly Message[], view: readonly Message[]): Kept {
  const open = errorLinesOf(messages).filter(({ isResolved }) => !isResolved);
  const left = viewTextOf(view);
  const missing = open.filter(({ text }) => !left.has(text)).map(({ text }) => text);
  return { kept: open.length - missing.length, total: open.length, missing };
}

function reportsIn(output: string): ReadonlySet<string> {
  const searched =
    output.length <= 2 * searchedCharacters
      ? output
      : `${output.slice(0, searchedCharacters)}\n${output.slice(-searchedCharacters)}`;
  return new Set(
    searched
      .split('\n')
      .filter((line) => line.length <= longestLine && report.test(line))
      .map(foldSpace),
  );
}
