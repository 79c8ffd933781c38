import type * as Sdk from 'openai';

export interface ConnectionOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** How the key is shown: as a bearer token, or in a header of Azure's. */
  readonly authentication: 'bearer' | 'api-key';
  /** Parameters of every address, for example Azure's `api-version`. */
  readonly defaultQuery: Readonly<Record<string, string>>;
  /** Milliseconds until a server has to have begun its answer. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** Milliseconds that an answer may pause. */
  readonly idleTimeoutMs: number;
}

/** The SDK, loaded, and a client of it. */
export interface Connection {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.OpenAI;
}

/** Thrown into a stream that fell silent. */
export class SilentStreamError extends Error {
  override readonly name = 'SilentStreamError';
}

/**
 * Loads the SDK and makes a client that takes no key and no organisation from the environment: what is set there
 * for another program must not reach whichever server the settings name.
 */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const sdk = await import('openai');
  const { apiKey } = options;
  const client = new sdk.OpenAI({
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
    fetch: async (input, init) => {
      const response = withIdleLimit(await fetch(input, init), options.idleTimeoutMs);
      return response.status < 400 ? response : wrapError(response);
    },
  });
  return { sdk, client };
}

function headersOf({ apiKey, authentication }: ConnectionOptions): Record<string, string | null> {
  if (apiKey === undefined) return { Authorization: null };
  return authentication === 'bearer' ? {} : { Authorization: null, 'api-key': apiKey };
}

/**
 * The SDK reads nothing but `error` of an error's body, and not every server has that field. Puts the whole body
 * there, as text.
 */
async function wrapError(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  return new Response(JSON.stringify({ error: await response.text() }), { status, statusText, headers });
}

/**
 * Ends a response body whose next bytes are too long in coming. Bytes count, not events: gateways send comments to
 * show that the model is still thinking.
 */
function withIdleLimit(response: Response, limit: number): Response {
  if (response.body === null) return response;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let timer: NodeJS.Timeout | undefined;
        const silence = new Promise<never>((_resolve, reject) => {
          timer = setTimeout(() => reject(new SilentStreamError(`Silent for ${limit} ms.`)), limit);
        });
        try {
          const { done, value } = await Promise.race([reader.read(), silence]);
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          if (error instanceof SilentStreamError) void reader.cancel(error).catch(() => undefined);
          throw error;
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
