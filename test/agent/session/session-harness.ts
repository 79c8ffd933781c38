import type { ApprovalPolicy } from '../../../src/agent/approvals/approval-request.ts';
import { OpenaiModel } from '../../../src/agent/openai/openai-model.ts';
import { AgentSession } from '../../../src/agent/session/agent-session.ts';
import type { AgentEvent, SessionPorts, SessionOpening } from '../../../src/agent/session/session-ports.ts';
import { textOf } from '../../../src/compaction/messages/message.ts';
import type { CompactionSettings } from '../../../src/compaction/service/service-ports.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import type { Strategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import { toolResultHiding } from '../../../src/compaction/strategies/tool-result-hiding.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import type { SessionEvent } from '../../../src/transcripts/session/session-event.ts';
import { readSession } from '../../../src/transcripts/session/session-format.ts';
import { ScriptedServer } from '../openai/scripted-server.ts';

/** A policy that never asks. */
export const allowAll: ApprovalPolicy = { isAllowed: () => true, allow: () => {} };

/** Settings that compact nothing in a short test. */
export function settingsFor(strategy: Strategy = toolResultHiding, options = {}): CompactionSettings {
  return {
    strategy,
    options: resolveOptions(strategy.options, options).options,
    budget: { window: 100_000, triggerRatio: 0.85, targetRatio: 0.5 },
    mode: 'auto',
    protectFirst: true,
  };
}

/** A session against a real HTTP server, with its journal and its events. */
export class SessionHarness implements AsyncDisposable {
  readonly server: ScriptedServer;
  readonly lines: SessionEvent[] = [];
  readonly events: AgentEvent[] = [];
  /** Called with each event while the session is in the state after it. */
  observer: (event: AgentEvent) => void = () => {};
  private readonly meter: UsageMeter;
  private readonly waiting = new Set<() => void>();
  session: AgentSession;

  private constructor(server: ScriptedServer, meter: UsageMeter, ports: Partial<SessionPorts>) {
    this.server = server;
    this.meter = meter;
    this.session = this.open({ title: undefined, entries: [], tools: [], lastTurn: undefined }, ports);
  }

  static async start(meter: UsageMeter, ports: Partial<SessionPorts> = {}): Promise<SessionHarness> {
    return new SessionHarness(await ScriptedServer.start(), meter, ports);
  }

  open(start: SessionOpening, ports: Partial<SessionPorts> = {}): AgentSession {
    const { baseUrl } = this.server;
    const model = new OpenaiModel({ baseUrl, apiKey: 'key', model: 'scripted', maxRetries: 0 });
    const settings = settingsFor();
    this.session = new AgentSession(
      start,
      {
        log: (event) => {
          this.lines.push(structuredClone(event));
          return Promise.resolve();
        },
        models: () => Promise.resolve({ chat: model, named: () => model }),
        tools: () => [],
        settings: () => settings,
        meter: this.meter,
        systemPrompt: () => 'rules',
        approvals: allowAll,
        now: () => 0,
        ...ports,
      },
      (event) => {
        this.events.push(event);
        this.observer(event);
        for (const check of this.waiting) check();
      },
    );
    return this.session;
  }

  /** Opens the session again from its file, as after a crash. */
  reopen(ports: Partial<SessionPorts> = {}): AgentSession {
    const text = this.lines.map((line) => JSON.stringify(line)).join('\n');
    return this.open(readSession(text), ports);
  }

  /** Resolves with the first matching event, including past ones. */
  event<E extends AgentEvent>(fits: (event: AgentEvent) => event is E): Promise<E> {
    return new Promise((resolve) => {
      const check = () => {
        const found = this.events.find(fits);
        if (found === undefined) return;
        this.waiting.delete(check);
        resolve(found);
      };
      this.waiting.add(check);
      check();
    });
  }

  /** The view as roles and texts. */
  get view(): readonly (readonly [string, string])[] {
    return this.session.transcript.view.map(({ role, content }) => [role, textOf(content)] as const);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.session.stop();
    await this.server.close();
  }
}
