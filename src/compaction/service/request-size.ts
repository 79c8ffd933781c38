import type { Kind, Message, ReportedUsage } from '../messages/message.ts';
import { sum, type Usage, type UsageMeter } from '../tokens/usage.ts';
import type { CompactionHost } from './service-ports.ts';

/** The size of the next request as shown to users, in tokens. */
export interface NextSize {
  /**
   * Tokens by the provider's count, as far as reported. Triggers are compared with this size and drawn on its scale.
   */
  readonly tokens: number;
  /** Tokens by our count. The difference between their sum and `tokens` is due to the provider's count. */
  readonly byKind: Readonly<Record<Kind, number>>;
}

/** Measures and estimates the size of the next request, in tokens. */
export class RequestSize {
  private readonly host: CompactionHost;
  private readonly ports: { readonly meter: UsageMeter };
  private readonly reported = new ReportedSize();

  constructor(host: CompactionHost, ports: { readonly meter: UsageMeter }) {
    this.host = host;
    this.ports = ports;
  }

  /** Stores the reported size of a request. */
  note(usage: ReportedUsage): void {
    this.reported.note(usage, this.host.transcript.unpaired.at(-1)?.id);
  }

  /** Discards the reported size, because the view was replaced. */
  forget(): void {
    this.reported.forget();
  }

  /** Exact usage of the next request. */
  async usage(): Promise<Usage> {
    const { meter } = this.ports;
    const { transcript, tools } = this.host;
    return sum([await meter.measureTools(tools), await meter.measure(transcript.view)]);
  }

  /** Last reported size plus a count of later messages, or a count of everything. */
  async estimate(): Promise<number> {
    const reported = this.reported.within(this.host.transcript.view);
    if (reported === undefined) return (await this.usage()).total;
    const since = await this.ports.meter.measure(reported.since);
    return reported.tokens + since.total;
  }
}

/** The last size that a provider reported for a request. Only later messages have to be counted. */
class ReportedSize {
  private last: { readonly tokens: number; readonly lastId: string | undefined } | undefined;

  /** @param lastId the message after which the request was made */
  note(usage: ReportedUsage, lastId: string | undefined): void {
    this.last = { tokens: usage.inputTokens + usage.outputTokens, lastId };
  }

  /** Discards the reported size, because the view was replaced. */
  forget(): void {
    this.last = undefined;
  }

  /** Reported size and the messages it does not include; undefined if it belongs to another view. */
  within(
    view: readonly Message[],
  ): { readonly tokens: number; readonly since: readonly Message[] } | undefined {
    const { last } = this;
    const index = last === undefined ? -1 : view.findIndex((message) => message.id === last.lastId);
    return last === undefined || index < 0
      ? undefined
      : { tokens: last.tokens, since: view.slice(index + 1) };
  }
}

/** Share of a limit to use after an overflow, because the provider's count and ours differ slightly. */
const overflowMargin = 0.9;

/** Window learned from refused requests, in our tokens. */
export class LearnedWindow {
  private learned: { readonly tokens: number; readonly set: number | undefined } | undefined;

  /**
   * Learns a window from a refused request. The smallest of several counts.
   *
   * @param set the window in the settings, in tokens
   */
  learn(tokens: number, set: number | undefined): void {
    const before = this.learned?.set === set ? this.learned?.tokens : undefined;
    this.learned = { tokens: Math.min(tokens, before ?? tokens), set };
  }

  /** The effective window. A window set later belongs to another model, about which nothing was learned. */
  within(set: number | undefined): number | undefined {
    if (this.learned === undefined || this.learned.set !== set) return set;
    return Math.min(this.learned.tokens, set ?? this.learned.tokens);
  }
}

/**
 * Window learned from a refused request, in our tokens. It is always smaller than that request, because the
 * provider's real limit may be lower, or its tokens smaller than ours.
 *
 * @param limit stated by the provider in its tokens; undefined if it stated none
 * @param actual size of the request as counted by the provider
 * @param counted size of the request, in our tokens
 */
export function windowLearned(
  limit: number | undefined,
  actual: number | undefined,
  counted: number,
): number {
  const scale = actual !== undefined && actual > 0 ? counted / actual : 1;
  return Math.floor(Math.min(counted, limit === undefined ? counted : limit * scale) * overflowMargin);
}
