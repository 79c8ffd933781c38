import { callsByResult } from '../../src/compaction/messages/exchange.ts';
import { textOf, type Message, type ToolCall } from '../../src/compaction/messages/message.ts';
import type { CoverageCount } from '../../src/compaction/records/record.ts';
import { foldSpace, viewTextOf } from '../../src/measures/view-text.ts';

/**
 * The first line of a tool's output that reports an error. Further lines of the same output report the same failure.
 */
interface ErrorLine {
  /** The line with its white space reduced. */
  readonly text: string;
  /**
   * True if the last run of the same program or tool did not print the line, or if a commit followed it. Only the
   * program has to match, because agents rarely repeat a call word for word.
   */
  readonly isResolved: boolean;
}

/**
 * Beginnings of lines that report an error. This measure is independent of the ledger and shares no code with
 * its extraction. Listings of source code do not match, because their lines begin with numbers or indentation.
 */
const report =
  /^(?:(?:[\w./\\@+-]+(?:\(\d+(?:,\d+)?\)|(?::\d+){1,2})?:?\s(?:-\s)?)?(?:[Ff]atal |[Ii]nternal |[Cc]ompile |[Ss]yntax )?(?:error|ERROR|Error)(?:\[\w+\]|\s[A-Z]+\d+)?:\s?\S|[A-Z]\w*(?:\.\w+)*(?:Error|Exception):\s\S|(?:fatal|FATAL|panic|PANIC):\s|FAILED\b|FAIL[:\s]\s*\S|--- FAIL:|not ok \d|E {3}\s*\S|npm (?:ERR!|error) \S|Traceback \(most recent|[\w./-]+: (?:line \d+: )?.{0,80}(?:No such file or directory|command not found|Permission denied)|[✗✘×]\s?\S)/u;
/** Maximum length of a line in UTF-16 units. Longer lines are data. */
const longestLine = 400;
/** Number of UTF-16 units that are searched at each end of a long output. */
const searchedCharacters = 50_000;

/** The error lines of all tool results: one for each output, without duplicates, in the order of first occurrence. */
export function errorLinesOf(messages: readonly Message[]): readonly ErrorLine[] {
  const calls = callsByResult(messages);
  const runs = messages.flatMap((message) => {
    if (message.role !== 'tool') return [];
    const call = calls.get(message.id)?.function;
    const key = call === undefined ? undefined : programOf(call);
    return [
      { key, lines: reportsIn(textOf(message.content)), commits: commit.test(textOf(message.content)) },
    ];
  });
  const lastOf = new Map(runs.map(({ key }, index) => [key, index]));
  const committed = runs.findLastIndex(({ commits }) => commits);
  const lines = new Map<string, boolean>();
  runs.forEach(({ key, lines: printed }, index) => {
    const last = key === undefined ? index : (lastOf.get(key) ?? index);
    const [text] = printed;
    if (text !== undefined) {
      lines.set(text, committed > index || (last > index && !runs[last]!.lines.has(text)));
    }
  });
  return [...lines].map(([text, isResolved]) => ({ text, isResolved }));
}

/** The line that git prints after a commit. */
const commit = /^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] /mu;

/** The program and subcommand of a command, after any change of folder; for other calls, the name of the tool. */
function programOf({ name, arguments: written }: ToolCall['function']): string {
  const command = /"(?:command|cmd)":\s*"((?:[^"\\]|\\.){1,2000})/u.exec(written)?.[1];
  if (command === undefined) return name;
  const [line = ''] = command.replace(/^(?:cd \S+ (?:&&|;) )+/u, '').split(/[|;&]/u, 1);
  const [program, subcommand = ''] = line.trim().split(/\s+/u);
  return `${name} ${program} ${/^[a-z]+$/u.test(subcommand) ? subcommand : ''}`;
}

/** The unresolved error lines, and how many of them a view still contains. */
export function keptErrorLines(messages: readonly Message[], view: readonly Message[]): CoverageCount {
  const open = errorLinesOf(messages).filter(({ isResolved }) => !isResolved);
  const left = viewTextOf(view);
  const missing = open.filter(({ text }) => !left.has(text)).map(({ text }) => text);
  return { kept: open.length - missing.length, total: open.length, missing };
}

/** Number of messages from an output with errors to the cut after it. */
const behind = 6;

/**
 * Cuts soon after outputs with errors, where some errors are certainly open. At the end of a session, few errors are
 * open. The cuts are spread evenly over the session.
 *
 * @param most maximum number of cuts
 * @returns shares of the messages
 */
export function cutsBehindErrors(messages: readonly Message[], most: number): readonly number[] {
  const places = messages.flatMap(({ role, content }, index) =>
    role === 'tool' && reportsIn(textOf(content)).size > 0 ? Math.min(index + behind, messages.length) : [],
  );
  const step = Math.max(1, places.length / most);
  const chosen = Array.from(
    { length: Math.min(most, places.length) },
    (_, at) => places[Math.floor(at * step)]!,
  );
  return [...new Set(chosen)].map((place) => place / messages.length);
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
