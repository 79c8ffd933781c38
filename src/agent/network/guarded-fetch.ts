import { modelsSentences } from '../../language/english/models-english.ts';
import { type Sentence, SentenceError } from '../../language/sentence.ts';

/** Maximum characters shown of the address of a redirect. */
const longestAddress = 200;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Statuses of redirects that keep the method and the body, so that the request can be sent again. */
const repeatableStatuses: ReadonlySet<number> = new Set([307, 308]);

/** Error for a redirect that was not followed. */
export class RedirectError extends SentenceError {
  override readonly name = 'RedirectError';
  readonly status: number;

  /** Address of the redirect; empty if it is invalid. */
  readonly target: string;

  constructor(from: URL, status: number, location: string | null) {
    const target = shown(from, location);
    super(redirection(from.host, target, status));
    this.status = status;
    this.target = target;
  }
}

/** Explains a redirect. @param target empty if the address is invalid */
export function redirection(host: string, target: string, status: number): Sentence {
  return modelsSentences.say('redirected', {
    host,
    target: target === '' ? modelsSentences.say('noAddress') : target,
    status: String(status),
  });
}

/** Calls `fetch`, but sends nothing to another origin. Follows one 307 or 308 within it. @throws {RedirectError} */
export async function guardedFetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const from = new URL(address);
  const response = await fetch(from, { ...init, redirect: 'manual' });
  if (!redirectStatuses.has(response.status)) return response;
  await response.body?.cancel();
  const to = targetOf(from, response);
  const isRepeatable =
    repeatableStatuses.has(response.status) &&
    (init.body == null || typeof init.body === 'string' || init.body instanceof Uint8Array);
  if (to?.origin !== from.origin || !isRepeatable) throw redirected(from, response);
  const second = await fetch(to, { ...init, redirect: 'manual' });
  if (!redirectStatuses.has(second.status)) return second;
  await second.body?.cancel();
  throw redirected(from, second);
}

function redirected(from: URL, { status, headers }: Response): RedirectError {
  return new RedirectError(from, status, headers.get('location'));
}

function targetOf(from: URL, { headers }: Response): URL | undefined {
  const location = headers.get('location');
  if (location === null || !URL.canParse(location, from.href)) return undefined;
  const to = new URL(location, from);
  return to.username === '' && to.password === '' ? to : undefined;
}

/** Returns an address without query and fragment, because sign-in pages put secrets there. */
function shown(from: URL, location: string | null): string {
  if (location === null || !URL.canParse(location, from.href)) return '';
  const { origin, pathname, protocol } = new URL(location, from);
  return `${origin === 'null' ? `${protocol}//` : origin}${pathname}`.slice(0, longestAddress);
}
