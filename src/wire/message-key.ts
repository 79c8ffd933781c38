import { type ChatMessage, textOf } from '../compaction/messages/message.ts';
import { memoised } from '../compaction/messages/memoise.ts';
import { parseShallow } from '../compaction/text/parse-json.ts';
import { isRecord } from '../language/is-record.ts';

/**
 * Returns a text that is equal for a reply and its repetition in the next request. Clients trim texts, give calls other
 * ids, write arguments anew and leave reasoning out; none of that makes it another message.
 */
export const messageKey = memoised(
  (message: Pick<ChatMessage, 'role' | 'content' | 'tool_calls'>): string => {
    const { role, content, tool_calls: calls = [] } = message;
    const isOnlyText = content === null || typeof content === 'string' || content.every(isText);
    return JSON.stringify([
      role,
      isOnlyText ? textOf(content).trim() : content,
      ...calls.map(({ function: { name, arguments: input } }) => [name, inputKey(input)]),
    ]);
  },
);

function isText({ type, text }: { readonly type: string; readonly text?: string }): boolean {
  return type === 'text' && text !== undefined;
}

/** Returns arguments as JSON without white space, or the text as it is if it is not JSON. */
function inputKey(input: string): string {
  const parsed = parseShallow(input);
  return parsed === undefined ? input : JSON.stringify(sorted(parsed.value));
}

/** Returns a value with the fields of all objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, sorted(field)] as const);
  return Object.fromEntries(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
