import { type Message, textOf } from '../compaction/messages/message.ts';
import { diffOf, type DiffRow } from '../compaction/records/compaction-diff.ts';
import type { CompactionRecord } from '../compaction/records/record.ts';
import { ellipsised } from '../compaction/text/clip.ts';
import { exportedFates, format, summaryLine } from '../insights/export/record-export.ts';
import { oneLine } from './command.ts';

/** Describes the outcome of a compaction for each message, with one block of lines per action. */
export function diffText(record: CompactionRecord, before: readonly Message[]): string {
  const summary = summaryLine(record, (id) => id);
  const reason = record.reason === undefined ? [] : [record.reason.message];
  return [summary, ...reason, ...rowTexts(diffOf(record, before))].join('\n');
}

/** Formats the rows of a diff, each as a block of lines. */
export function rowTexts(rows: readonly DiffRow[]): readonly string[] {
  return rows.map((row) => [heading(row), ...details(row)].join('\n'));
}

function heading({ action, sources }: DiffRow): string {
  const count = Math.max(1, sources.length);
  const messages = `${format(count)} ${count === 1 ? 'message' : 'messages'}`;
  const tokens =
    action.kind === 'keep'
      ? format(action.tokensBefore)
      : `${format(action.tokensBefore)} → ${format(action.tokensAfter)}`;
  return `${exportedFates[action.kind].padEnd(11)} ${messages.padEnd(14)} ${tokens.padStart(17)}  ${action.reason}`;
}

function details({ action, sources, output }: DiffRow): readonly string[] {
  if (action.kind === 'keep') return [];
  return [
    ...sources.map((message) => `  - ${message.id.padEnd(6)} ${describe(message)}`),
    ...(output === undefined ? [] : [`  + ${output.id.padEnd(6)} ${describe(output)}`]),
  ];
}

/** Returns the role, the start of the text and the calls of a message on one line. */
function describe(message: Message): string {
  const calls = (message.tool_calls ?? []).map((call) => `${call.function.name} ${call.function.arguments}`);
  const text = [textOf(message.content), ...calls].filter((part) => part !== '').join(' ');
  const line = oneLine(text);
  return `${message.role.padEnd(9)} ${ellipsised(line, 100)}`;
}
