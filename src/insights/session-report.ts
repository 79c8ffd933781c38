import type { TimelineCall } from './session-timeline.ts';

/** The usage the provider reported for a session, summed up, next to our count. All sizes in tokens. */
export interface ReportedSession {
  /** Models that answered, in the order of their first reply. */
  readonly models: readonly string[];
  /** Requests that were reported on, of all. */
  readonly requests: number;
  readonly allRequests: number;
  /** Of all reported requests together. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input, as far as providers tell. */
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  /** The last reported request. */
  readonly last: ReportedRequest;
}

/** A request as it was counted and as it was reported. */
export interface ReportedRequest {
  /** The message that came back. */
  readonly messageId: string;
  /** Our count of its input. */
  readonly countedTokens: number;
  readonly inputTokens: number;
  /**
   * Reported but not counted: mostly what a file does not hold, the system prompt and the tool schemas. Negative if
   * the count is the larger one.
   */
  readonly notInFileTokens: number;
}

/** @returns nothing if nothing was reported */
export function reportedOf(calls: readonly TimelineCall[]): ReportedSession | undefined {
  const reports = calls.flatMap(({ reported }) => reported ?? []);
  const last = calls.findLast(({ reported }) => reported !== undefined);
  if (last?.reported === undefined) return undefined;
  const { messageId, tokens: countedTokens } = last;
  const { inputTokens } = last.reported;
  const cachedInputTokens = added(reports.map((report) => report.cachedInputTokens));
  const cacheWriteTokens = added(reports.map((report) => report.cacheWriteTokens));
  return {
    models: modelsOf(calls),
    requests: reports.length,
    allRequests: calls.length,
    inputTokens: added(reports.map((report) => report.inputTokens)) ?? 0,
    outputTokens: added(reports.map((report) => report.outputTokens)) ?? 0,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    last: { messageId, countedTokens, inputTokens, notInFileTokens: inputTokens - countedTokens },
  };
}

/** The models that answered, in the order of their first reply. */
export function modelsOf(calls: readonly Pick<TimelineCall, 'modelId'>[]): readonly string[] {
  return [...new Set(calls.flatMap(({ modelId }) => modelId ?? []))];
}

/** @returns nothing if no number is known */
function added(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, number) => total + number, 0);
}
