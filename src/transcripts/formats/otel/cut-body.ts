import { type Fields, fieldsOf } from '../../reading/fields.ts';
import { parsed } from './otel-messages.ts';

/** The first part of a request that a program cut: its messages, or only the tools and instructions after them. */
export type CutPart = 'messages' | 'tools';

/** Matches what the structure of JSON consists of. A string at the end of the text may be open. */
const structure = /"[^"\\]*(?:\\.[^"\\]*)*(?<end>")?|[[\]{},]/gsu;

/**
 * Reads the body of a request to Anthropic's API. Claude Code cuts bodies at 60 KB, where most requests are longer.
 * Of a cut body, the whole values at the top and in its lists are read; messages come before instructions and tools.
 */
export function bodyOfRequest(body: unknown): { readonly fields: Fields; readonly cut?: CutPart } {
  const whole = parsed(body);
  if (typeof whole !== 'string') return { fields: fieldsOf(whole) };
  const fields = fieldsOf(parsed(closed(whole)));
  const names = Object.keys(fields);
  const isInMessages = names.at(-1) === 'messages';
  return { fields: { tools: [], ...fields }, cut: isInMessages ? 'messages' : 'tools' };
}

/** Returns the text up to its last whole value, with the brackets that are open there closed. */
function closed(text: string): string {
  const open: string[] = [];
  let result = '';
  for (const { 0: token, index, groups } of text.matchAll(structure)) {
    if (token.startsWith('"')) {
      if (groups?.['end'] === undefined) break;
    } else if (token === '{' || token === '[') open.push(token === '{' ? '}' : ']');
    else if (token !== ',') open.pop();
    else if (open.length <= 2) result = text.slice(0, index) + open.toReversed().join('');
  }
  return result;
}
