import { textOf, type Message } from '../message.ts';
import { extractLedger } from './extract.ts';
import { filterLedger, mergeLedgers, type Ledger } from './ledger.ts';

/**
 * The facts to copy when messages leave: theirs, and what earlier messages of the history held that nothing that stays
 * says. Facts of the leaving messages are copied even where a text that stays mentions them: that text leaves one day,
 * too, and a mention is no fact.
 */
export function factsToCopy(
  history: Ledger,
  leaving: readonly Message[],
  staying: readonly Message[],
): Ledger {
  const said = staying.map(textsOf).join('\n').replace(/\s+/gu, ' ');
  return mergeLedgers(
    filterLedger(history, (fact) => !said.includes(fact)),
    extractLedger(leaving),
  );
}

/** All that a message says, call arguments as they were meant and not as JSON escapes them. */
function textsOf({ content, tool_calls: calls = [] }: Message): string {
  const decoded = calls.map(({ function: called }) => decode(called.arguments));
  return [textOf(content), ...decoded].join('\n');
}

function decode(json: string): string {
  try {
    return stringsIn(JSON.parse(json)).join('\n');
  } catch {
    return json;
  }
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
