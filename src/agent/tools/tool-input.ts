import { parseShallow } from '../../compaction/shallow-json.ts';

/** The arguments of a call as an object; no text counts as no arguments. */
export function parseToolInput(json: string): Readonly<Record<string, unknown>> | undefined {
  if (json.trim() === '') return {};
  const value = parseShallow(json)?.value;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}
