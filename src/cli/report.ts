import { textOf, type Message } from '../compaction/message.ts';
import { diffOf, type DiffRow } from '../compaction/diff.ts';
import type { CompactionRecord } from '../compaction/record.ts';
import { oneLine } from './command.ts';
import { fateWords, format, summaryLine } from '../insights/export/record-words.ts';

/** What became of each message, as lines of text. */
export function diffText(record: CompactionRecord, before: readonly Message[]): string {
  const rows = diffOf(record, before).map((row) => [heading(row), ...details(row)].join('\n'));
  return [summaryLine(record), ...(record.reason === undefined ? [] : [record.reason.message]), ...rows].join(
    '\n',
  );
}

function heading({ action, sources }: DiffRow): string {
  const count = action.kind === 'insert' ? 1 : sources.length;
  const messages = `${format(count)} ${count === 1 ? 'message' : 'messages'}`;
  const tokens =
    action.kind === 'keep'
      ? format(action.tokensBefore)
      : `${format(action.tokensBefore)} → ${format(action.tokensAfter)}`;
  return `${fateWords[action.kind].padEnd(11)} ${messages.padEnd(14)} ${tokens.padStart(17)}  ${action.reason}`;
}

function details({ action, sources, output }: DiffRow): readonly string[] {
  if (action.kind === 'keep') return [];
  return [
    ...sources.map((message) => `  - ${message.id.padEnd(6)} ${describe(message)}`),
    ...(output === undefined ? [] : [`  + ${output.id.padEnd(6)} ${describe(output)}`]),
  ];
}

/** Role, calls and the beginning of the text, on one line. */
export function describe(message: Message): string {
  const calls = (message.tool_calls ?? []).map((call) => `${call.function.name} ${call.function.arguments}`);
  const text = [textOf(message.content), ...calls].filter((part) => part !== '').join(' ');
  const line = oneLine(text);
  return `${message.role.padEnd(9)} ${line.length > 100 ? `${line.slice(0, 99)}…` : line}`;
}
