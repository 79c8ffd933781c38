import { createHash } from 'node:crypto';
import type { Fields } from '../wires/wire.ts';

/** The rules of a protocol that a real endpoint enforces, about the history of a request. */
export interface Rules {
  /** @returns the reason why an endpoint refuses the request; undefined if it accepts it */
  objection(body: Fields): string | undefined;
  /** The body of the endpoint's refusal, with status 400. */
  refusal(message: string): Fields;
}

/** The signature that our server gives reasoning. A client must return it with the same text. */
export function signatureOf(text: string): string {
  return `sig_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
}

/** True if a value is text that contains only white space, or no content at all. */
export function isBlank(content: unknown): boolean {
  if (typeof content === 'string') return content.trim() === '';
  return content === undefined || content === null || (Array.isArray(content) && content.length === 0);
}

export function isJson(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
