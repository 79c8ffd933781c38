import { namesError, tellsExitStatus } from '../../compaction/ledger/result-facts.ts';
import type { NumberedText } from './numbered-text.ts';

/** What of a long output has to stay in view. Numbers of lines, in order. */
export interface TellingLines {
  /** Errors, failed tests, how a command ended; of lines with the same text the first. */
  readonly failures: readonly number[];
  readonly warnings: readonly number[];
}

const warning = /\bwarn(?:ing)?s?\b/iu;
/** Tools whose results are what somebody wrote down: a line of a file that speaks of an error is none. */
const readingTools: ReadonlySet<string> = new Set([
  'read_file',
  'list_directory',
  'find_files',
  'search_text',
  'search_history',
  'recall',
]);

/** @param tool name of the tool that put the text out */
export function tellingLines(numbered: NumberedText, tool: string): TellingLines {
  if (readingTools.has(tool)) return { failures: [], warnings: [] };
  const failures: number[] = [];
  const warnings: number[] = [];
  const known = new Set<string>();
  for (let number = 1; number <= numbered.count; number++) {
    const line = numbered.line(number);
    if (namesError(line) || tellsExitStatus(line)) {
      const text = line.trim();
      if (!known.has(text)) failures.push(number);
      known.add(text);
    } else if (warning.test(line)) warnings.push(number);
  }
  return { failures, warnings };
}
