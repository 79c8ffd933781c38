import { calledFunction } from '../../compaction/ledger/called-function.ts';
import { textOf } from '../../compaction/messages/message.ts';
import { tagSuffixFrom } from '../../compaction/quoting/session-tags.ts';
import type { CompactionSettings } from '../../compaction/service/service-ports.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import type { ApprovalDecision, ApprovalRequest, PendingApprovals } from '../approvals/approval-request.ts';
import { AgentSession } from '../session/agent-session.ts';
import type { AgentEvent, SessionPorts, ToolAccess } from '../session/session-ports.ts';
import { phraseOfCall } from '../tools/catalogue.ts';
import { type AgentTool, parseToolInput } from '../tools/support/tool.ts';
import { type SubAgentNews, type SubAgentOutcome, subAgentSystemPrompt } from './run-sub-agents.ts';
import type { SubAgent } from './sub-agents.ts';
import type { Phrase } from '../../compaction/records/record.ts';
import { modelsSentences } from '../../language/english/models-english.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { whenCancelled } from '../../compaction/signals/cancellation.ts';

/** Port to the services that a session's host provides to its sub-agents. */
export interface SubAgentHost {
  /** Ports that every session has. The system prompt of a sub-agent begins with the prompt of these ports. */
  readonly ports: Omit<SessionPorts, 'log' | 'tools' | 'approvals' | 'files'>;
  /** The tools from which a sub-agent can select. None of them starts another sub-agent. */
  readonly tools: (access: ToolAccess) => readonly AgentTool[] | Promise<readonly AgentTool[]>;
  /** Creates a session whose file contains the parent's id. */
  readonly open: (subAgent: SubAgent, callKey: string) => Promise<SubAgentPlace>;
  readonly sharedFolder: (callKey: string) => string;
}

/** Stores and shows the session of one sub-agent. */
export interface SubAgentPlace {
  readonly sessionId: string;
  readonly log: SessionPorts['log'];
  began(session: AgentSession): void;
  happened(event: AgentEvent): void;
  ended(): Promise<void>;
}

interface SubAgentWork {
  readonly subAgent: SubAgent;
  readonly task: string;
  readonly host: SubAgentHost;
  readonly callKey: string;
  readonly parent: Pick<ToolAccess, 'approvals' | 'editor'>;
  readonly ask: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalDecision>;
  readonly subAgentTools: readonly AgentTool[];
  readonly tell: (news: SubAgentNews) => void;
  readonly signal: AbortSignal;
}

/** Tools that every sub-agent has, because a compacted conversation refers to them. */
const historyTools: ReadonlySet<string> = new Set(['recall', 'search_history', 'compact']);

/**
 * Does the work of a sub-agent in a session of one turn. The last message becomes the report.
 * @throws errors of the host
 */
export async function runSubAgentSession(work: SubAgentWork): Promise<SubAgentOutcome> {
  const { subAgent, host, callKey, tell, signal } = work;
  const place = await host.open(subAgent, callKey);
  try {
    tell({ sessionId: place.sessionId });
    const session = openSession(work, place);
    place.began(session);
    await session.rename(subAgent.name);
    const stopListening = whenCancelled(signal, () => session.stop());
    try {
      if (!signal.aborted) await session.send(work.task, 'model');
    } finally {
      stopListening();
    }
    tell({ tokens: (await session.compaction.usage()).total });
    return outcomeOf(session, signal);
  } finally {
    await place.ended();
  }
}

function openSession(work: SubAgentWork, place: SubAgentPlace): AgentSession {
  const { subAgent, host, parent, ask, tell } = work;
  const { ports } = host;
  const approvals = new SubAgentApprovals(subAgent.name, ask);
  let isCounting = false;
  const count = async () => {
    if (isCounting) return;
    isCounting = true;
    // A failed count leaves the number unchanged. The next message triggers another count.
    const usage = await session.compaction.usage().catch(() => undefined);
    isCounting = false;
    if (usage !== undefined) tell({ tokens: usage.total });
  };
  const session: AgentSession = new AgentSession(
    {
      title: undefined,
      entries: [],
      tools: [],
      lastTurn: undefined,
      tagSuffix: tagSuffixFrom(place.sessionId),
    },
    {
      ...ports,
      get meter() {
        return ports.meter;
      },
      log: place.log,
      approvals: parent.approvals,
      tools: async (access) => [
        ...narrowed(await host.tools({ ...access, editor: parent.editor }), subAgent),
        ...work.subAgentTools,
      ],
      settings: () => settingsFor(subAgent, ports.settings()),
      systemPrompt: () => subAgentSystemPrompt(ports.systemPrompt()),
    },
    (event) => {
      place.happened(event);
      if (event.type === 'approval') approvals.handle(event, session.approvals);
      if (event.type === 'entry') void count();
      const note = noteOf(event, work.subAgentTools);
      if (note !== undefined) tell({ note });
    },
  );
  return session;
}

/** Returns the tools that a sub-agent selected. Other names are ignored. */
function narrowed(tools: readonly AgentTool[], { tools: names }: SubAgent): readonly AgentTool[] {
  return names === undefined
    ? tools
    : tools.filter(({ name }) => names.includes(name) || historyTools.has(name));
}

/** Adds the sub-agent's focus to the settings. Compaction never asks, because the user does not watch. */
function settingsFor({ focus }: SubAgent, settings: CompactionSettings): CompactionSettings {
  const parts = [settings.focus, focus].filter((part) => part !== undefined && part.trim() !== '');
  return {
    ...settings,
    mode: settings.mode === 'ask' ? 'auto' : settings.mode,
    ...(parts.length === 0 ? {} : { focus: parts.join('\n') }),
  };
}

function outcomeOf(session: AgentSession, signal: AbortSignal): SubAgentOutcome {
  const report = reportOf(session);
  const { lastTurn } = session;
  if (signal.aborted) {
    const reason = modelsSentences.say('subAgentStopped');
    return { state: 'stopped', report: after(reason.english, report), reason };
  }
  if (lastTurn !== undefined) {
    const { outcome, message, sentence } = lastTurn;
    const reason = sentence === undefined ? message : { ...sentence, english: message };
    return { state: outcome, report: after(message, report), reason };
  }
  return { state: 'done', report };
}

function reportOf(session: AgentSession): string {
  const last = messagesOf(session.transcript).findLast(
    ({ role, content }) => role === 'assistant' && textOf(content).trim() !== '',
  );
  return last === undefined ? '' : textOf(last.content).trim();
}

function after(end: string, said: string): string {
  return said === '' ? end : `${end} What it said last:\n${said}`;
}

/** Describes the sub-agent's current action, or quotes the beginning of its reply. */
function noteOf(event: AgentEvent, subAgentTools: readonly AgentTool[]): Phrase | undefined {
  if (event.type === 'approval' && event.request !== undefined) {
    return modelsSentences.say('subAgentAwaitsApproval');
  }
  if (event.type === 'compaction-start') return modelsSentences.say('subAgentCompacts');
  if (event.type !== 'entry' || event.entry.type !== 'message') return undefined;
  const { content, tool_calls: calls = [] } = event.entry.message;
  if (event.entry.message.role !== 'assistant') return undefined;
  const [first] = calls;
  if (first === undefined) return textOf(content).trim().split('\n', 1)[0];
  const { name, arguments: json } = calledFunction(first.function);
  const own = subAgentTools.find((tool) => tool.name === name);
  const label = own?.describe(parseToolInput(json) ?? {}) ?? phraseOfCall(name, json);
  const call = label === '' ? name : modelsSentences.say('subAgentCalls', { name, label });
  const others = calls.length - 1;
  return others === 0 ? call : modelsSentences.say('subAgentCallsMore', { call, others });
}

type Approve = PendingApprovals['ask'];

/** Asks one question at a time, because all sub-agents share the row of the call that started them. */
export function oneAtATime(approve: Approve): Approve {
  let last: Promise<unknown> = Promise.resolve();
  return (request, callKey, signal) => {
    const answer = last.then(() => approve(request, callKey, signal));
    last = answer.catch(() => {});
    return answer;
  };
}

/** Passes a sub-agent's questions on to its parent, whose approvals answer them. */
class SubAgentApprovals {
  private readonly name: string;
  private readonly ask: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalDecision>;
  private readonly stoppers = new Map<string, AbortController>();

  /** @param name name of the sub-agent, shown before its action */
  constructor(
    name: string,
    ask: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalDecision>,
  ) {
    this.name = name;
    this.ask = ask;
  }

  /** Passes on a question, or withdraws it. */
  handle({ callKey, request }: Extract<AgentEvent, { type: 'approval' }>, approvals: PendingApprovals): void {
    this.stoppers.get(callKey)?.abort();
    this.stoppers.delete(callKey);
    if (request === undefined) return;
    const stopper = new AbortController();
    this.stoppers.set(callKey, stopper);
    const title = agentSentences.say('approvalOfSubAgent', { name: this.name, title: request.title });
    const titled = { ...request, title };
    void this.ask(titled, stopper.signal)
      // The parent has already stored an approval that lasts longer than once.
      .then((decision): ApprovalDecision => (decision.isAllowed ? { ...decision, scope: 'once' } : decision))
      .catch((): ApprovalDecision => ({ isAllowed: false, feedback: '' }))
      .then((decision) => approvals.decide(callKey, decision));
  }
}
