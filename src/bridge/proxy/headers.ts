import type { IncomingHttpHeaders } from 'node:http';

/** A name as it was sent, and its value. */
export type Header = readonly [name: string, value: string];

/** Headers about one connection. The proxy's connections to its two sides are independent of each other. */
const aboutConnection = [
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'upgrade',
];
/** Headers without which the receiver cannot find the end of a message. `Connection` cannot remove them. */
const framing: ReadonlySet<string> = new Set(['content-length', 'host', 'transfer-encoding']);

/**
 * Returns the headers that are passed on, in their order and case.
 * @param raw names and values in turn
 * @param canChunk false if the receiver does not know chunks: HTTP/1.0
 */
export function passedHeaders(raw: readonly string[], canChunk = true): readonly Header[] {
  const headers = inPairs(raw);
  const valuesOf = (name: string) =>
    headers.flatMap(([other, value]) => (isNamed(other, name) ? [value] : []));
  const named = valuesOf('connection').flatMap((value) => value.toLowerCase().split(/[\s,]+/u));
  const isChunked = canChunk && valuesOf('transfer-encoding').some((value) => /\bchunked\b/iu.test(value));
  const dropped = new Set([
    ...aboutConnection,
    ...named.filter((name) => !framing.has(name)),
    ...(isChunked ? [] : ['transfer-encoding', 'trailer']),
  ]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/** Returns names and values in turn as pairs. */
export function inPairs(raw: readonly string[]): readonly Header[] {
  return Array.from(
    { length: raw.length / 2 },
    (_, index) => [raw[2 * index]!, raw[2 * index + 1]!] as const,
  );
}

/** Names another host. The second and later ones are dropped. */
export function withHost(headers: readonly Header[], host: string): readonly Header[] {
  const first = headers.findIndex(([name]) => isNamed(name, 'host'));
  return headers.flatMap((header, index) => {
    if (!isNamed(header[0], 'host')) return [header];
    return index === first ? [[header[0], host] as const] : [];
  });
}

/** Describes another body, which is not compressed. It comes at once, so nothing has to be expected. */
export function withBody(headers: readonly Header[], bytes: number): readonly Header[] {
  return headers.flatMap(([name, value]) => {
    if (isNamed(name, 'content-encoding') || isNamed(name, 'expect')) return [];
    return [[name, isNamed(name, 'content-length') ? String(bytes) : value] as const];
  });
}

/** True if the name of a header is this one, which is in lower case. */
function isNamed(header: string, name: string): boolean {
  return header.toLowerCase() === name;
}

/** Request headers by which clients name themselves, their sessions, sub-agents, betas and repetitions. */
const observedOfRequests = new RegExp(
  `^(?:${[
    'anthropic-(?:beta|version)',
    'conversation[-_]id',
    'originator',
    '(?:thread|session)[-_]id',
    'user-agent',
    'x-(?:agent-task-id|parent-agent-id)',
    'x-app',
    'x-claude-code-session-id',
    'x-client-request-id',
    'x-initiator',
    'x-interaction-(?:id|type)',
    'x-kilocode-taskid',
    'x-openai-subagent',
    'x-opencode-(?:client|project|request|session)',
    'x-session-(?:affinity|id)',
    'x-stainless-retry-count',
  ].join('|')})$`,
  'u',
);

/** Response headers about the type, the request and the limits that the provider reports. */
const observedOfResponses = new RegExp(
  `^(?:${[
    'anthropic-ratelimit-[\\w-]+',
    'apim-request-id',
    'content-type',
    'openai-(?:model|processing-ms)',
    'retry-after(?:-ms)?',
    'x-codex-(?:primary|secondary|credits)-[\\w-]+',
    'x-(?:github-|ms-|goog-)?request-id',
    'x-(?:usage-)?ratelimit-[\\w-]+',
    'x-quota-snapshot-[\\w-]+',
    'x-should-retry',
    '(?:cf-ray|request-id)',
  ].join('|')})$`,
  'u',
);

/** Maximum characters of an observed value. */
const longestValue = 1_000;

/** Returns the headers of a request that may be stored. */
export function observedOfRequest(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return chosen(headers, observedOfRequests);
}

/** Returns the headers of a response that may be stored. */
export function observedOfResponse(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return chosen(headers, observedOfResponses);
}

function chosen(headers: IncomingHttpHeaders, names: RegExp): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && names.test(name) ? [[name, value.slice(0, longestValue)]] : [],
    ),
  );
}

const credentials = /auth|cookie|key|secret|token/iu;
/** Minimum characters of a secret. Shorter values, such as `1`, also occur in other text. */
const shortestSecret = 8;

/**
 * Returns the credentials of a request: whole values, and their words, because a key may be repeated without the word
 * `Bearer` before it.
 * @param target path and query, which contains Gemini's key
 */
export function credentialsOf(rawHeaders: readonly string[], target: string): readonly string[] {
  const query = [...new URLSearchParams(target.split('?').slice(1).join('?'))];
  const values = [...inPairs(rawHeaders), ...query].flatMap(([name, value]) =>
    credentials.test(name) ? [value, ...value.split(/[\s;,]+/u)] : [],
  );
  return [...new Set(values)].filter((value) => value.length >= shortestSecret);
}
