import type { SubAgentPlace } from '../../agent/delegation/sub-agent-session.ts';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import type { AgentEvent } from '../../agent/session/session-ports.ts';
import { SessionSpans, type SpanSource } from '../../agent/telemetry/session-spans.ts';
import { SpanExporter } from '../../agent/telemetry/span-exporter.ts';
import { messageOf } from '../../compaction/records/reason.ts';
import type { Settings } from '../../presenters/settings/read-settings.ts';

interface TelemetryPorts {
  readonly settings: () => Pick<Settings, 'telemetry' | 'provider'>;
  readonly keys: () => Promise<readonly string[]>;
  readonly version: string;
  readonly log: { warn(line: string): void };
}

/** Telemetry of this window's agents. Nothing is sent unless the user names an endpoint. */
export class AgentTelemetry {
  private readonly ports: TelemetryPorts;
  private readonly exporter: SpanExporter;
  /** Sessions with an operation that has not ended, by id. */
  private readonly working = new Map<string, SessionSpans>();

  constructor(ports: TelemetryPorts) {
    this.ports = ports;
    this.exporter = new SpanExporter({
      ...ports,
      target: () => ports.settings().telemetry,
      warn: (line) => ports.log.warn(line),
    });
  }

  /** Takes an event of a session that this window writes. An error here must not reach the turn. */
  happened(source: SpanSource, session: AgentSession, event: AgentEvent): void {
    const { id } = source;
    if (this.ports.settings().telemetry.endpoint === '') {
      this.working.delete(id);
      return;
    }
    try {
      const spans = this.working.get(id) ?? this.spansOf(source);
      spans.handle(event, session);
      if (spans.isIdle) this.working.delete(id);
      else this.working.set(id, spans);
    } catch (error) {
      this.ports.log.warn(`Telemetry missed an event. ${messageOf(error)}`);
    }
  }

  /** Observes a sub-agent. @param parent session and call that started the sub-agent */
  observed(
    place: SubAgentPlace,
    parent: { readonly sessionId: string; readonly callKey: string },
  ): SubAgentPlace {
    const startedBy = () => this.working.get(parent.sessionId)?.callAt(parent.callKey);
    let running: AgentSession | undefined;
    return {
      ...place,
      began: (session) => {
        running = session;
        place.began(session);
      },
      happened: (event) => {
        place.happened(event);
        if (running !== undefined) this.happened({ id: place.sessionId, startedBy }, running, event);
      },
    };
  }

  /** Ends what is running, and sends the last spans. */
  async close(): Promise<void> {
    for (const spans of this.working.values()) spans.close();
    await this.exporter.close();
  }

  private spansOf(source: SpanSource): SessionSpans {
    return new SessionSpans(source, {
      now: () => Date.now(),
      provider: () => providerNames.get(this.ports.settings().provider) ?? this.ports.settings().provider,
      send: (span) => this.exporter.add(span),
    });
  }
}

/** Names in the conventions of providers that we name otherwise. */
const providerNames: ReadonlyMap<string, string> = new Map([
  ['auto', 'openai'],
  ['azure', 'azure.ai.openai'],
]);
