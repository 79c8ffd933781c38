import type { OpenAI } from 'openai/client';
import { beginningOf, withLimits } from '../network/bounded-body.ts';
import { guardedFetch, RedirectError } from '../network/guarded-fetch.ts';

export interface ConnectionOptions {
  /** For example `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Undefined for servers without keys; no `Authorization` is sent then. */
  readonly apiKey: string | undefined;
  /** The form in which the key is sent: as a bearer token, or in Azure's header. */
  readonly authentication: 'bearer' | 'api-key';
  /** Query parameters of every request, for example Azure's `api-version`. */
  readonly defaultQuery: Readonly<Record<string, string>>;
  /** Milliseconds until the server must begin its answer. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** Milliseconds that an answer may pause; four times as long if it sends comments that keep it open. */
  readonly idleTimeoutMs: number;
}

/** The SDK's class, which contains its error classes, and a client. */
export interface OpenaiConnection {
  readonly sdk: typeof OpenAI;
  readonly client: OpenAI;
}

/** Creates a client that takes no key and no organisation from the environment, because they are for other servers. */
export async function connectOpenai(options: ConnectionOptions): Promise<OpenaiConnection> {
  // The main entry of the package also loads clients of other clouds.
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

/** Milliseconds that a reply may take. In this time, a slow model at three tokens a second writes 40,000. */
const longestReply = 4 * 3_600_000;
/** Number of pauses that may contain only comments. Gateways send comments for minutes while a model reasons. */
const longestStandstill = 4;
/** Limits on reading an error, in bytes and milliseconds. Only one line of it is shown. */
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
    // The SDK would repeat a failed request, with the same redirect.
    return errorResponse({ code: redirectCode, message: error.target }, error.status, {
      'x-should-retry': 'false',
    });
  }
}

/** The code of an error that reports a redirect; its message is the address. */
export const redirectCode = 'redirect_refused';

/** Puts the whole body of an error into the field `error`, because the SDK reads nothing else. */
async function wrapError(response: Response): Promise<Response> {
  const text = await beginningOf(response, longestError, longestErrorTime);
  return errorResponse(text, response.status, response.headers);
}

function errorResponse(error: unknown, status: number, headers: Headers | Record<string, string>): Response {
  return new Response(JSON.stringify({ error }), { status, headers });
}
