import type { OpenAI } from 'openai/client';
import { beginningOf, withLimits } from '../network/bounded-body.ts';
import { guardedFetch, RedirectError } from '../network/guarded-fetch.ts';

export interface ConnectionOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The way the key is sent: as a bearer token, or in a header of Azure's. */
  readonly authentication: 'bearer' | 'api-key';
  /** Parameters of every address, for example Azure's `api-version`. */
  readonly defaultQuery: Readonly<Record<string, string>>;
  /** Milliseconds until a server has to have begun its answer. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** Milliseconds that an answer may pause. One that says nothing but that it goes on may take four times as long. */
  readonly idleTimeoutMs: number;
}

/** The SDK's class, which holds those of its errors, and a client of it. */
export interface OpenaiConnection {
  readonly sdk: typeof OpenAI;
  readonly client: OpenAI;
}

/**
 * Loads the SDK and makes a client that takes no key and no organisation from the environment: what is set there
 * for another program must not reach whichever server the settings name.
 */
export async function connectOpenai(options: ConnectionOptions): Promise<OpenaiConnection> {
  // The package's main entry adds clients of other clouds.
  const { OpenAI: sdk } = await import('openai/client');
  const { apiKey } = options;
  const client = new sdk({
    baseURL: options.baseUrl,
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: headersOf(options),
    defaultQuery: { ...options.defaultQuery },
    timeout: options.timeoutMs,
    maxRetries: options.maxRetries,
    logLevel: 'off',
    fetch: (input, init) => ask(input instanceof Request ? input.url : input, init, options),
  });
  return { sdk, client };
}

function headersOf({ apiKey, authentication }: ConnectionOptions): Record<string, string | null> {
  if (apiKey === undefined) return { Authorization: null };
  return authentication === 'bearer' ? {} : { Authorization: null, 'api-key': apiKey };
}

/**
 * Milliseconds that a reply may take. A slow model on a slow machine writes three tokens a second: 40,000 in this time.
 */
const longestReply = 4 * 3_600_000;
/** Pauses for which an answer may consist of comments. Gateways send them while a model thinks, for minutes. */
const longestStandstill = 4;
/** Limits on reading an error, in bytes and milliseconds. Its words are shown in a line. */
const longestError = 250_000;
const longestErrorTime = 15_000;

async function ask(
  address: string | URL,
  init: RequestInit | undefined,
  { idleTimeoutMs }: ConnectionOptions,
): Promise<Response> {
  try {
    const response = await guardedFetch(address, init);
    if (response.status >= 400) return await wrapError(response);
    return withLimits(response, {
      silence: idleTimeoutMs,
      standstill: longestStandstill * idleTimeoutMs,
      duration: longestReply,
    });
  } catch (error) {
    if (!(error instanceof RedirectError)) throw error;
    // The SDK sends a request that failed once more, which would lead to the same place.
    return errorResponse({ code: redirectCode, message: error.target }, error.status, {
      'x-should-retry': 'false',
    });
  }
}

/** The code of an error that means a redirect; its message is the address. */
export const redirectCode = 'redirect_refused';

/**
 * The SDK reads nothing but `error` of an error's body, and not every server has that field. Puts the whole body
 * there, as text.
 */
async function wrapError(response: Response): Promise<Response> {
  const text = await beginningOf(response, longestError, longestErrorTime);
  return errorResponse(text, response.status, response.headers);
}

function errorResponse(error: unknown, status: number, headers: Headers | Record<string, string>): Response {
  return new Response(JSON.stringify({ error }), { status, headers });
}
