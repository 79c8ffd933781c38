import type { AgentSession } from '../session.ts';
import type { AgentEvent } from '../session-events.ts';
import type { SessionPorts, ToolAccess } from '../session-ports.ts';
import type { AgentTool } from '../tools/support/tool.ts';
import type { SubAgent } from './sub-agents.ts';

/** Port: what the sub-agents of a session get from its host. */
export interface SubAgentHost {
  /** What any session has. The prompt is the one that a sub-agent's begins with. */
  readonly ports: Omit<SessionPorts, 'log' | 'tools' | 'approvals' | 'files'>;
  /** The tools a sub-agent may have, which are its own to narrow; none of them starts another sub-agent. */
  readonly tools: (access: ToolAccess) => readonly AgentTool[] | Promise<readonly AgentTool[]>;
  /** Begins a session whose file names the one that called. */
  readonly open: (subAgent: SubAgent, callKey: string) => Promise<SubAgentPlace>;
  /** The folder in which the sub-agents of a call share files. */
  readonly sharedFolder: (callKey: string) => string;
}

/** Where the session of one sub-agent is kept and shown. */
export interface SubAgentPlace {
  readonly sessionId: string;
  readonly log: SessionPorts['log'];
  /** The session is there to be looked at. */
  began(session: AgentSession): void;
  /** Hears of everything that happens in it. */
  happened(event: AgentEvent): void;
  /** Nothing happens in it any more. */
  ended(): Promise<void>;
}
