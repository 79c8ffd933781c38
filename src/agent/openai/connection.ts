import type { OpenAI } from 'openai/client';
import { beginningOf, withLimits } from '../network/bounded-body.ts';
import { guardedFetch, RedirectError } from '../network/guarded-fetch.ts';

export interface ConnectionOptions {
  /** Address of the API, for example `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Undefined for servers without keys. No `Authorization` is sent to them. */
  readonly apiKey: string | undefined;
  /** The form in which the key is sent: as a bearer token, or in Azure's header. */
  readonly authentication: 'bearer' | 'api-key';
  /** Query parameters for every request, for example Azure's `api-version`. */
  readonly defaultQuery: Readonly<Record<string, string>>;
  /** Maximum milliseconds until the server begins its answer. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** Maximum milliseconds of a pause in an answer. With comments, the pause may be four times as long. */
  readonly idleTimeoutMs: number;
}

/** A client of the SDK, and the SDK's class, which also contains the error classes. */
export interface OpenaiConnection {
  readonly sdk: typeof OpenAI;
  readonly client: OpenAI;
}

/** Creates a client that ignores keys and organisations in the environment, because they are for other servers. */
export async function connectOpenai(options: ConnectionOptions): Promise<OpenaiConnection> {
  // The main entry of the package would also load clients of other clouds.
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

/** Maximum milliseconds of a reply. A slow model at three tokens a second writes 40,000 tokens in this time. */
const longestReply = 4 * 3_600_000;
/** Factor for a pause with comments, which gateways send for minutes while a model reasons. */
const longestStandstill = 4;
/** Limits in bytes and milliseconds for reading an error, because only one line of it is shown. */
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
    // The SDK would repeat the failed request and get the same redirect.
    return errorResponse({ code: redirectCode, message: error.target }, error.status, {
      'x-should-retry': 'false',
    });
  }
}

/** The code of an error that reports a redirect. The message of such an error is the address. */
export const redirectCode = 'redirect_refused';

/** Puts the whole body of an error in the field `error`, because the SDK reads only this field. */
async function wrapError(response: Response): Promise<Response> {
  const text = await beginningOf(response, longestError, longestErrorTime);
  return errorResponse(text, response.status, response.headers);
}

function errorResponse(error: unknown, status: number, headers: Headers | Record<string, string>): Response {
  return new Response(JSON.stringify({ error }), { status, headers });
}
