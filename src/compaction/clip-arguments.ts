import { headAndTail } from './clip.ts';
import { parseRewritable } from './rewritable-json.ts';

/** Nesting below which arguments are left as they are. */
const deepest = 8;

/**
 * The arguments of a call with its long texts clipped. What was JSON is JSON afterwards, with the same keys.
 *
 * @param json arguments as the model wrote them
 * @param longest characters that a text may keep, its marker included
 * @param keeps whether what stands under a key stays whole
 * @returns undefined where the arguments are no JSON, or nothing in them is that long
 */
export function clipArguments(
  json: string,
  longest: number,
  keeps: (key: string) => boolean = () => false,
): string | undefined {
  if (json.length <= longest) return undefined;
  const parsed = parseRewritable(json);
  if (parsed === undefined) return undefined;
  const clipped = JSON.stringify(clipValue(parsed.value, longest, keeps, 0));
  return clipped.length < json.length ? clipped : undefined;
}

function clipValue(value: unknown, longest: number, keeps: (key: string) => boolean, depth: number): unknown {
  if (typeof value === 'string') return headAndTail(value, longest);
  if (typeof value !== 'object' || value === null || depth >= deepest) return value;
  if (Array.isArray(value)) return value.map((entry) => clipValue(entry, longest, keeps, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      keeps(key) ? entry : clipValue(entry, longest, keeps, depth + 1),
    ]),
  );
}
