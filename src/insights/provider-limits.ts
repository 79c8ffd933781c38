/** A limit that a provider reports in the headers of a response. */
export interface ProviderLimit {
  /** Everything in a time window, or one kind of thing. */
  readonly name: 'window' | 'requests' | 'tokens' | 'inputTokens' | 'outputTokens';
  /** Length of the window; only for `window`. */
  readonly minutes?: number;
  /** Used share, from 0; above 1 if more may be used. */
  readonly used: number;
  /** Time in ISO 8601 at which the limit starts over; absent if that is within a minute, or unknown. */
  readonly resetsAt?: string;
}

type Headers = Readonly<Record<string, string>>;

const minute = 60_000;
/** Later times are no resets. */
const longestWait = 366 * 24 * 60 * minute;
/** Times above this are milliseconds since 1970, and times above `leastEpoch` seconds. Smaller ones are durations. */
const leastMilliseconds = 1e11;
const leastEpoch = 1e8;

/**
 * Reads the limits of a provider, time windows first.
 *
 * @param headers headers of a response, in lower case. Unknown ones, and values of another form, are left out
 * @param at time of the response in ISO 8601
 */
export function providerLimits(headers: Headers, at: string): readonly ProviderLimit[] {
  const found = [
    ...claudeWindows(headers),
    ...codexWindows(headers),
    ...copilotQuotas(headers),
    ...remainders(headers),
  ];
  const limits = found.map(({ reset, used, ...limit }): ProviderLimit => {
    const time = reset === undefined ? undefined : timeOf(reset, Date.parse(at));
    const wait = time === undefined ? 0 : time - Date.parse(at);
    const isLater = time !== undefined && wait > minute && wait < longestWait;
    return {
      ...limit,
      used: Math.max(0, used),
      ...(isLater && { resetsAt: new Date(time).toISOString() }),
    };
  });
  return limits.toSorted((one, other) => (one.minutes ?? Infinity) - (other.minutes ?? Infinity));
}

interface Found extends Omit<ProviderLimit, 'resetsAt'> {
  /** Header with a time or a duration. */
  readonly reset: string | undefined;
}

/** The windows of Anthropic's subscriptions: `unified-5h-utilization`. */
function claudeWindows(headers: Headers): readonly Found[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const window = /^anthropic-ratelimit-unified-(\d+)([hd])-utilization$/u.exec(name);
    const used = numberIn(value);
    if (window === null || used === undefined) return [];
    const [, count = '', unit = ''] = window;
    const minutes = Number(count) * (unit === 'h' ? 60 : 24 * 60);
    const reset = headers[`anthropic-ratelimit-unified-${count}${unit}-reset`];
    return [{ name: 'window', minutes, used, reset }];
  });
}

/** The two windows of ChatGPT's subscriptions. */
function codexWindows(headers: Headers): readonly Found[] {
  return ['x-codex-primary', 'x-codex-secondary'].flatMap((window) => {
    const percent = numberIn(headers[`${window}-used-percent`]);
    const minutes = numberIn(headers[`${window}-window-minutes`]) ?? 0;
    if (percent === undefined || minutes <= 0) return [];
    const reset = headers[`${window}-reset-at`] ?? headers[`${window}-reset-after-seconds`];
    return [{ name: 'window', minutes, used: percent / 100, reset }];
  });
}

/** The quotas of Copilot: `ent=300&rem=98.0&rst=2026-12-01T00:00:00Z`, in which `rem` is a percentage. */
function copilotQuotas(headers: Headers): readonly Found[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const isWeek = name === 'x-usage-ratelimit-weekly';
    if (!isWeek && !/^x-quota-snapshot-(?:chat|premium_\w+)$/u.test(name)) return [];
    const quota = new Map(value.split('&').map((part) => part.split('=', 2) as [string, string]));
    const remaining = numberIn(quota.get('rem'));
    // Without a limit, the entitlement is negative.
    if (remaining === undefined || (numberIn(quota.get('ent')) ?? -1) <= 0) return [];
    const used = (100 - remaining) / 100;
    const reset = quota.get('rst')?.replaceAll('%3A', ':');
    return [
      isWeek ? { name: 'window', minutes: 7 * 24 * 60, used, reset } : { name: 'requests', used, reset },
    ];
  });
}

const counted = {
  requests: 'requests',
  tokens: 'tokens',
  'input-tokens': 'inputTokens',
  'output-tokens': 'outputTokens',
} as const;

/** Limits with what remains of them: of OpenAI and its likes, and of Anthropic's API. */
function remainders(headers: Headers): readonly Found[] {
  const found = Object.entries(counted).flatMap(([unit, name]): readonly Found[] => {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map(
      (part) => headers[`x-ratelimit-${part}-${unit}`] ?? headers[`anthropic-ratelimit-${unit}-${part}`],
    );
    const [most, left] = [numberIn(limit), numberIn(remaining)];
    return most === undefined || most <= 0 || left === undefined
      ? []
      : [{ name, used: (most - left) / most, reset }];
  });
  const hasTotal = found.some(({ name }) => name === 'tokens');
  return found.filter(({ name }) => !hasTotal || name === 'tokens' || name === 'requests');
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d+(?:\.\d+)?$/u.test(text.trim()) ? Number(text) : undefined;
}

/** Reads a time, or a duration such as `6m0s` or `20ms`. @returns milliseconds since 1970 */
function timeOf(text: string, now: number): number | undefined {
  const number = numberIn(text);
  if (number !== undefined) {
    if (number >= leastMilliseconds) return number;
    return number >= leastEpoch ? number * 1_000 : now + number * 1_000;
  }
  const parts = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:([\d.]+)s)?(?:[\d.]+ms)?$/u.exec(text);
  if (parts !== null) {
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part) || 0);
    return now + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
  }
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
