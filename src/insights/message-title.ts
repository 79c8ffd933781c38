import { headOf } from '../compaction/text/clip.ts';
import { factsOfCall } from '../compaction/ledger/call-facts.ts';
import { textOf, type Message, type ToolCall } from '../compaction/message.ts';

/** Longest title, in characters. */
const longestTitle = 120;

/**
 * A message in a line, in nobody's language: a call, or the result of one, by the tool and what it was called with; any
 * other message by how it begins.
 *
 * @param answered the call that a result belongs to
 */
export function titleOf(message: Message, answered: ToolCall | undefined): string {
  const text = message.role === 'tool' ? '' : textOf(message.content);
  const calls = message.role === 'tool' ? [answered] : (message.tool_calls ?? []);
  const described = calls.flatMap((call) => (call === undefined ? [] : [callTitle(call)]));
  const title = [text, ...described].find((line) => line.trim() !== '') ?? textOf(message.content);
  const line = title
    .slice(0, 4 * longestTitle)
    .replace(/\s+/gu, ' ')
    .trim();
  return line.length <= longestTitle ? line : `${headOf(line, longestTitle - 1)}…`;
}

function callTitle(call: ToolCall): string {
  const { filesModified, filesRead, commands, identifiers } = factsOfCall(call);
  const [subject = ''] = [...commands, ...filesModified, ...filesRead, ...identifiers];
  return `${call.function.name} ${subject}`;
}
