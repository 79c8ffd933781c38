import type { Kind, ReportedUsage } from '../messages/message.ts';
import { sum, type Usage, type UsageMeter } from '../tokens/usage.ts';
import type { CompactionHost } from './service-ports.ts';

/** The size of the next request as shown to users, in tokens. */
export interface NextSize {
  /** Tokens as the provider counts them, as far as reported. All triggers use this size. */
  readonly tokens: number;
  /** Tokens as counted here. Their sum differs from `tokens` if the provider counts differently. */
  readonly byKind: Readonly<Record<Kind, number>>;
}

/** Measures and estimates the size of the next request, in tokens. */
export class RequestSize {
  private readonly host: CompactionHost;
  private readonly ports: { readonly meter: UsageMeter };
  /** The last size that a provider reported, and the message after which the request was made. */
  private reported: { readonly tokens: number; readonly lastId: string | undefined } | undefined;

  constructor(host: CompactionHost, ports: { readonly meter: UsageMeter }) {
    this.host = host;
    this.ports = ports;
  }

  note(usage: ReportedUsage): void {
    const lastId = this.host.transcript.unpaired.at(-1)?.id;
    this.reported = { tokens: usage.inputTokens + usage.outputTokens, lastId };
  }

  /** Discards the reported size, because the view was replaced. */
  forget(): void {
    this.reported = undefined;
  }

  async usage(): Promise<Usage> {
    const { meter } = this.ports;
    const { transcript, tools } = this.host;
    return sum([await meter.measureTools(tools), await meter.measure(transcript.view)]);
  }

  /** Returns the last reported size plus a count of later messages, or a count of everything. */
  async estimate(): Promise<number> {
    const { reported } = this;
    const { view } = this.host.transcript;
    const index = view.findIndex(({ id }) => id === reported?.lastId);
    if (reported === undefined || index < 0) return (await this.usage()).total;
    return reported.tokens + (await this.ports.meter.measure(view.slice(index + 1))).total;
  }
}

/** Share of a limit to use after an overflow, because the provider's count and ours differ slightly. */
const overflowMargin = 0.9;

export class LearnedWindow {
  private learned: { readonly tokens: number; readonly set: number | undefined } | undefined;

  /** Learns a window from a refused request and keeps the smallest. `set` is the window in the settings. */
  learn(tokens: number, set: number | undefined): void {
    const before = this.learned?.set === set ? this.learned?.tokens : undefined;
    this.learned = { tokens: Math.min(tokens, before ?? tokens), set };
  }

  /** Returns the effective window. Nothing was learned about a window that was set later. */
  within(set: number | undefined): number | undefined {
    if (this.learned === undefined || this.learned.set !== set) return set;
    return Math.min(this.learned.tokens, set ?? this.learned.tokens);
  }
}

/** Returns the window that a refused request reveals, in our tokens. `limit` and `actual` are the provider's counts. */
export function windowLearned(
  limit: number | undefined,
  actual: number | undefined,
  counted: number,
): number {
  const scale = actual !== undefined && actual > 0 ? counted / actual : 1;
  return Math.floor(Math.min(counted, limit === undefined ? counted : limit * scale) * overflowMargin);
}
