import { headAndTail } from './clip.ts';
import { fitJson, wrapJson } from './fit-json.ts';
import { clipMarker, entriesMarker } from './placeholder.ts';

/**
 * The text of a message as head and tail around a marker that says how to get it back. What was JSON is JSON
 * afterwards: long texts in it are clipped, then entries leave the middle of lists and objects.
 *
 * @param longest characters of the text that is left, its markers included
 * @param id of the message
 */
export function clipText(text: string, longest: number, id: string): string {
  return text.length <= longest
    ? text
    : (clipJson(text, longest, id) ?? headAndTail(text, longest, clipMarker(id)));
}

/**
 * The same for a text that may be JSON.
 *
 * @returns undefined where it is none, or there is no room for any
 */
export function clipJson(text: string, longest: number, id: string): string | undefined {
  const marker = clipMarker(id);
  const fitted = fitJson(text, longest, marker, entriesMarker(id));
  if (fitted !== undefined || !isJson(text)) return fitted;
  const wrapped = wrapJson(text, longest, marker);
  return wrapped.length <= longest && wrapped.includes('recall(') ? wrapped : undefined;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
