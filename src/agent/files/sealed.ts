import { createHash } from 'node:crypto';
import { isRecord } from '../../language/is-record.ts';

const sealedText = /^\{"seal":"([\w-]{22})",(.+)$/su;

/** Writes a non-empty object as JSON with a checksum. A flipped bit may leave valid JSON with another meaning. */
export function sealed(value: object): string {
  const rest = JSON.stringify(value).slice(1);
  return `{"seal":"${sealOf(rest)}",${rest}`;
}

/** Reads an object that `sealed` wrote; undefined if damaged. @param earlier beginning of texts without a checksum */
export function unsealed(text: string, earlier: RegExp): Readonly<Record<string, unknown>> | undefined {
  const [, seal, rest] = sealedText.exec(text) ?? [];
  if (rest === undefined ? !earlier.test(text) : sealOf(rest) !== seal) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function sealOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
