import { guardedFetch } from '../network/guarded-fetch.ts';
import type { KeyForms } from '../network/key-redactor.ts';

/** The longest answer that is read, in bytes. OpenRouter's list of models takes about one megabyte. */
const longestAnswer = 8_000_000;

export interface JsonRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What no answer may repeat. */
  readonly key: KeyForms;
  /** Sent as JSON in a POST; without it the request is a GET. */
  readonly body?: unknown;
}

/** A server that answered with something else than the JSON it was asked for. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  /** HTTP status; undefined where it was a good one and the body was not. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/**
 * Fetches a JSON document of bounded size, from nowhere else than the origin that is asked.
 *
 * @throws {AnswerError} for a status that is no success, and for an answer that is too long or no JSON
 * @throws {RedirectError} where the server sends the question elsewhere
 * @throws whatever `fetch` throws where the server cannot be reached, or the signal was aborted
 */
export async function fetchJson(request: JsonRequest, signal: AbortSignal): Promise<unknown> {
  const { url, headers, key, body } = request;
  const response = await guardedFetch(url, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new AnswerError(`HTTP ${response.status}`, response.status);
  }
  const text = await readText(response);
  try {
    return key.redactJson(JSON.parse(text) as unknown);
  } catch {
    throw new AnswerError('not JSON');
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let length = 0;
  let text = '';
  for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += bytes.byteLength;
    // Leaving the loop closes the connection.
    if (length > longestAnswer) throw new AnswerError('too long');
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
