import { SentenceError } from '../../language/sentence.ts';
import type { SubAgentHost, SubAgentPlace } from '../../agent/delegation/sub-agent-session.ts';
import { AgentSession } from '../../agent/session/agent-session.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import type { SessionChoice } from '../../protocol/inspector.ts';
import type { SessionStore } from '../storage/session-store.ts';
import { InspectorModel, isShownIn } from './inspector-model.ts';
import { hostSentences } from '../../language/english/host-english.ts';
import type { Wording } from '../../language/translated/wording.ts';

/** Title of the messages that give a sub-agent its task. */
const task = hostSentences.say('titleTask');

/** A sub-agent's session, opened for reading. */
interface Known {
  readonly session: AgentSession;
  readonly inspector: InspectorModel;
  isRunning: boolean;
}

/** The sub-agents of sessions, both running and ended. Ended sub-agents are read from their stored sessions. */
export class SubAgentSessions {
  private readonly store: SessionStore;
  private readonly ports: () => SubAgentHost['ports'];
  private readonly wording: Wording;
  private readonly known = new Map<string, Promise<Known | undefined>>();
  private readonly listeners = new Set<() => void>();

  /** @param ports used for counting; an ended session needs nothing else */
  constructor(store: SessionStore, ports: () => SubAgentHost['ports'], wording: Wording) {
    this.store = store;
    this.ports = ports;
    this.wording = wording;
  }

  /** Calls a function whenever a sub-agent's state changes, in any session. */
  onDidChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Begins the session of a sub-agent. @param mayWrite rejects if another window writes the session that starts it */
  begin(sessionId: string, callKey: string, mayWrite = () => Promise.resolve()): SubAgentPlace {
    const { id, file } = this.store.create(this.ports().now(), { sessionId, callKey });
    let running: Known | undefined;
    return {
      sessionId: id,
      log: async (event) => {
        await mayWrite();
        await file.append(event);
      },
      began: (session) => {
        running = this.knownAs(id, session, true);
        this.known.set(id, Promise.resolve(running));
      },
      happened: (event) => {
        if (isShownIn(event)) this.tell();
      },
      ended: async () => {
        if (running !== undefined) running.isRunning = false;
        this.tell();
        await file.close();
      },
    };
  }

  /** The sub-agents that a session started, oldest first. Forgets ended sub-agents of other sessions. */
  async of(sessionId: string): Promise<readonly SessionChoice[]> {
    for (const [id, entry] of this.known) {
      if (!id.startsWith(`${sessionId}.`) && (await entry)?.isRunning !== true) this.known.delete(id);
    }
    const listings = await this.store.subAgentsOf(sessionId);
    const choices = await Promise.all(listings.map(({ id }) => this.choice(id)));
    return choices.filter((choice) => choice !== undefined);
  }

  /** Finds a sub-agent; undefined if it does not exist. */
  async find(id: string): Promise<InspectorModel | undefined> {
    return (await this.load(id))?.inspector;
  }

  private async choice(id: string): Promise<SessionChoice | undefined> {
    const found = await this.load(id);
    if (found === undefined) return undefined;
    const { total } = await found.session.compaction.usage();
    return { sessionId: id, name: found.session.title, state: stateOf(found), tokens: total };
  }

  private load(id: string): Promise<Known | undefined> {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const loading = this.read(id);
    this.known.set(id, loading);
    // A missing or unreadable session is tried again the next time.
    loading.then(
      (found) => found === undefined && this.known.delete(id),
      () => this.known.delete(id),
    );
    return loading;
  }

  private async read(id: string): Promise<Known | undefined> {
    const found = await this.store.open(id);
    if (found?.contents.header?.parent === undefined) return undefined;
    const ports = this.ports();
    const session = new AgentSession(
      found.contents,
      {
        ...ports,
        get meter() {
          return ports.meter;
        },
        tools: () => [],
        approvals: { isAllowed: () => false, allow: () => {} },
        log: () => Promise.reject(new SentenceError(hostSentences.say('subAgentEnded'))),
      },
      () => {},
    );
    return this.knownAs(id, session, false);
  }

  private knownAs(id: string, session: AgentSession, isRunning: boolean): Known {
    const { wording } = this;
    const ports = this.ports();
    const inspector = new InspectorModel({ id, session, meterOf: () => ports.meter, wording, user: task });
    return { session, inspector, isRunning };
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** State of a sub-agent. If its window was closed while it ran, it counts as stopped. */
function stateOf({ isRunning, session }: Known): SessionChoice['state'] {
  if (isRunning) return 'running';
  if (session.lastTurn !== undefined) return session.lastTurn.outcome;
  const last = messagesOf(session.transcript).at(-1);
  const isReport = last?.role === 'assistant' && (last.tool_calls ?? []).length === 0 && !last.interrupted;
  return isReport ? 'done' : 'stopped';
}
