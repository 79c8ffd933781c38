import type { McpServers } from '../../agent/mcp/mcp-servers.ts';
import type { McpServer } from '../../agent/mcp/server-settings.ts';
import type { PersonalMemory } from '../../agent/memory/memory-files.ts';
import type { SubAgentHost } from '../../agent/delegation/sub-agent-session.ts';
import { resultLimit } from '../../agent/ingest/ingest.ts';
import type { ToolAccess } from '../../agent/session/session-ports.ts';
import { skillText, type Skill } from '../../agent/memory/skill-files.ts';
import { createTools } from '../../agent/tools/catalogue.ts';
import type { RunCommandPorts } from '../../agent/tools/run-command-tool.ts';
import { createDelegate, type RunDelegation } from '../../agent/delegation/delegate-tool.ts';
import type { ProblemFinder } from '../../agent/tools/diagnostics.ts';
import type { AgentTool } from '../../agent/tools/support/tool.ts';
import type { Workspace } from '../../agent/files/workspace.ts';
import { messageText } from '../../presenters/inspector/message-view.ts';

/** Parts of the window that tools use. Read again for each turn. */
export interface ToolHost {
  /** The workspace. It has no folders if none is open and trusted. */
  readonly workspace: Workspace;
  readonly ripgrepPath: string | undefined;
  readonly problems: ProblemFinder;
  readonly commands: RunCommandPorts;
  readonly memory: PersonalMemory;
  readonly skills: () => Promise<readonly Skill[]>;
  readonly compactsByItself: boolean;
  readonly servers: readonly McpServer[];
  /** Returns the connections to servers. They are created when they are first needed. */
  readonly connections: () => Promise<McpServers>;
  readonly now: () => number;
}

/** The tools of an agent: the agent of a chat, or a sub-agent. */
export async function toolsFor(
  { recall, searchHistory, requestCompaction, setPlan, saySkill, editor, budget }: ToolAccess,
  host: ToolHost,
): Promise<readonly AgentTool[]> {
  const { servers, skills, workspace } = host;
  const hasSkills = (await skills()).length > 0;
  return [
    ...createTools({
      workspace: host.workspace,
      ripgrepPath: host.ripgrepPath,
      editor,
      problems: host.problems,
      commands: host.commands,
      recall: (id) => {
        const message = recall(id);
        return message === undefined ? undefined : (message.original ?? messageText(message));
      },
      resultLimit: () => resultLimit(budget()),
      searchHistory,
      setPlan,
      skills: hasSkills ? { text: (name) => skillText(workspace, name), say: saySkill } : undefined,
      memory: { file: host.memory, now: host.now },
      requestCompaction: host.compactsByItself ? requestCompaction : undefined,
    }),
    ...(servers.length === 0 ? [] : await (await host.connections()).tools(servers)),
  ];
}

/** Tools that sub-agents do not have, because only the chat's agent acts on the user's words. */
const ofTheChatOnly: ReadonlySet<string> = new Set(['remember']);

/** The tools of a chat's agent, including the tool that starts sub-agents. */
export function withDelegate(
  tools: readonly AgentTool[],
  access: ToolAccess,
  host: SubAgentHost,
): readonly AgentTool[] {
  const forSubAgents = (all: readonly AgentTool[]) =>
    all.filter((tool) => !ofTheChatOnly.has(tool.name) && !access.isOff(tool));
  const names = forSubAgents(tools).map(({ name }) => name);
  const subAgentHost: SubAgentHost = { ...host, tools: async (of) => forSubAgents(await host.tools(of)) };
  const run: RunDelegation = async (subAgents, context) => {
    const { defaultMostAtOnce, delegate } = await import('../../agent/delegation/delegation.ts');
    return delegate(subAgents, context, { host: subAgentHost, access, mostAtOnce: defaultMostAtOnce });
  };
  return [...tools, createDelegate(names, run)];
}
