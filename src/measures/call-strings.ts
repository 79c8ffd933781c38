import type { ToolCall } from '../compaction/message.ts';
import { parseShallow } from '../compaction/text/parse-json.ts';

/** A string of a call's arguments, decoded from JSON. */
export interface CallString {
  /** Names that lead to it, outermost first; entries of a list have none of their own. */
  readonly path: readonly string[];
  readonly text: string;
}

/** Deeper than any tool nests its arguments; what a hostile file nests deeper is left out. */
const deepest = 20;

/**
 * Every string in the arguments of a call, as the tool would see it: escapes decoded. Malformed JSON counts as one
 * string without a name, as the model wrote it.
 */
export function stringsOf(call: ToolCall): readonly CallString[] {
  const parsed = parseShallow(call.function.arguments);
  if (parsed === undefined) return [{ path: [], text: call.function.arguments }];
  const found: CallString[] = [];
  collect(parsed.value, [], found);
  return found;
}

function collect(value: unknown, path: readonly string[], found: CallString[]): void {
  if (typeof value === 'string') found.push({ path, text: value });
  if (typeof value !== 'object' || value === null || path.length >= deepest) return;
  if (Array.isArray(value)) for (const entry of value) collect(entry, path, found);
  else for (const [name, field] of Object.entries(value)) collect(field, [...path, name], found);
}
