import { ReportedSize } from './budget/reported-size.ts';
import { requestBuffer } from './budget/trigger.ts';
import type { ReportedUsage } from './message.ts';
import type { CompactionHost } from './service-ports.ts';
import { sum, type Usage, type UsageMeter } from './tokens/usage.ts';

/** How large the next request will be. All sizes in tokens. */
export class NextRequest {
  private readonly host: CompactionHost;
  private readonly ports: { readonly meter: UsageMeter };
  private readonly reported = new ReportedSize();

  constructor(host: CompactionHost, ports: { readonly meter: UsageMeter }) {
    this.host = host;
    this.ports = ports;
  }

  /** Notes what a provider reported for a request. */
  note(usage: ReportedUsage): void {
    this.reported.note(usage, this.host.transcript.unpaired.at(-1)?.id);
  }

  /** The view is another one now: what was reported says nothing of it. */
  forget(): void {
    this.reported.forget();
  }

  /** Exact usage of what it would send. */
  async usage(): Promise<Usage> {
    const { meter } = this.ports;
    const { transcript, tools } = this.host;
    return sum([await meter.measureTools(tools), await meter.measure(transcript.view)]);
  }

  /** Last reported usage plus an exact count of everything since, or an exact count of everything; a buffer with both. */
  async estimate(): Promise<number> {
    const reported = this.reported.within(this.host.transcript.view);
    if (reported === undefined) return (await this.usage()).total + requestBuffer;
    const since = await this.ports.meter.measure(reported.since);
    return reported.tokens + since.total + requestBuffer;
  }
}
