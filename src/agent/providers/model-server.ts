import { guardedFetch } from '../network/guarded-fetch.ts';
import { KeyForms } from '../network/key-redactor.ts';

/** Address of a server, with the authentication that it needs. */
export interface ServerAddress {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly authentication: 'bearer' | 'api-key';
  readonly defaultQuery: Readonly<Record<string, string>>;
}

/** A model server with a time limit. A request throws if there is no answer. */
export interface ModelServer {
  /** Requests a path of the OpenAI-compatible API, for example `/models`. */
  readonly api: (path: string) => Promise<unknown>;
  /** Requests a path outside that API, for example `/props`. With a body, the request is a POST. */
  readonly own: (path: string, body?: unknown) => Promise<unknown>;
}

export function modelServer(address: ServerAddress, signal: AbortSignal): ModelServer {
  const { apiKey, authentication, defaultQuery } = address;
  const key = new KeyForms(apiKey);
  const api = address.baseUrl.replace(/(?<!\/)\/+$/, '');
  const own = api.replace(/\/v1$/, '');
  const headers: Readonly<Record<string, string>> =
    apiKey === undefined
      ? {}
      : authentication === 'bearer'
        ? { authorization: `Bearer ${apiKey}` }
        : { 'api-key': apiKey };
  return {
    api: (path) => {
      const url = new URL(`${api}${path}`);
      for (const [name, value] of Object.entries(defaultQuery)) url.searchParams.set(name, value);
      return fetchJson({ url: url.href, headers, key }, signal);
    },
    own: (path, body) => fetchJson({ url: `${own}${path}`, headers, key, body }, signal),
  };
}

/** Returns a server's answer; undefined if the server does not know the path, or the model at that path. */
export async function ifThere(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AnswerError && error.status !== 401 && error.status !== 403) return undefined;
    throw error;
  }
}

/** Maximum bytes of an answer. OpenRouter's list of models has about one megabyte. */
const longestAnswer = 8_000_000;

interface JsonRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The key, which is removed from the answer. */
  readonly key: KeyForms;
  /** Body of a POST, as JSON. Without a body, the request is a GET. */
  readonly body?: unknown;
}

/** Error for an answer that is not the requested JSON. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  /** HTTP status; undefined if only the body was wrong. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/**
 * Fetches a JSON document of limited size, only from the origin of the URL.
 * @throws {AnswerError}
 * @throws {RedirectError}
 * @throws any error of `fetch`
 */
async function fetchJson(request: JsonRequest, signal: AbortSignal): Promise<unknown> {
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
    // Throwing leaves the loop, which closes the connection.
    if (length > longestAnswer) throw new AnswerError('too long');
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
