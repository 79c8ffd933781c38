import { KeyForms } from '../network/key-redactor.ts';
import { AnswerError, fetchJson } from './bounded-json.ts';

/** Where and how a server is asked. */
export interface ServerAddress {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly authentication: 'bearer' | 'api-key';
  /** Parameters of every address, for example Azure's `api-version`. */
  readonly defaultQuery: Readonly<Record<string, string>>;
}

/** A server of models, within the time that it was given. Every question throws where it is not answered. */
export interface ModelServer {
  /** Asks what belongs to the OpenAI-compatible API, for example `/models`. */
  readonly api: (path: string) => Promise<unknown>;
  /** Asks what stands beside that API, for example `/props`; with a body in a POST. */
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

/** What a server says where it has that address at all; undefined where it has not, or not for this model. */
export async function ifThere(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AnswerError && error.status !== 401 && error.status !== 403) return undefined;
    throw error;
  }
}
