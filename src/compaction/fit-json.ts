import { headAndTail } from './clip.ts';
import { parseRewritable } from './rewritable-json.ts';

/** Nesting below which a value is left as it is. */
const deepest = 100;

/**
 * JSON that fits into so many characters, because the long texts in it keep only head and tail. It is JSON again, with
 * the same keys.
 *
 * @param longest characters of the JSON that is left
 * @param marker what to put into the middle of a text, given the number of characters left out
 * @returns undefined where it is no JSON, or its long texts are not what makes it long
 */
export function fitJson(
  json: string,
  longest: number,
  marker: (missing: number) => string,
): string | undefined {
  if (!/^\s*[[{]/.test(json)) return undefined;
  const parsed = parseRewritable(json);
  if (parsed === undefined) return undefined;
  const { value } = parsed;
  // Shorter than that, a text would be little but its marker.
  const shortest = 2 * marker(json.length).length;
  for (let text = longest; text >= shortest; text = Math.floor(text / 2)) {
    const fitted = JSON.stringify(clipTexts(value, text, marker, 0));
    if (fitted.length <= longest) return fitted;
  }
  return undefined;
}

function clipTexts(
  value: unknown,
  longest: number,
  marker: (missing: number) => string,
  depth: number,
): unknown {
  if (typeof value === 'string') return headAndTail(value, longest, marker);
  if (typeof value !== 'object' || value === null || depth >= deepest) return value;
  if (Array.isArray(value)) return value.map((entry) => clipTexts(entry, longest, marker, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, clipTexts(entry, longest, marker, depth + 1)]),
  );
}
