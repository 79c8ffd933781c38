import { isRecord } from '../language/is-record.ts';
import { wordIn } from '../transcripts/reading/fields.ts';

/** Maximum characters of a provider's error. */
const longestError = 500;

/** Returns an error in the form of OpenAI's endpoints. @param status HTTP status */
export function openaiError(status: number, message: string): string {
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  return JSON.stringify({ error: { message, type, param: null, code: 'context_budget_proxy' } });
}

/** Returns the message of an error in one line. */
export function errorIn(error: unknown): string {
  const text = isRecord(error) ? wordIn(error['message']) || JSON.stringify(error) : String(error);
  return text.replace(/\s+/gu, ' ').slice(0, longestError);
}
