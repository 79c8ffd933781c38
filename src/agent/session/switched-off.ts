import type { SwitchedOff } from '../../transcripts/session/session-event.ts';
import type { AgentTool } from '../tools/support/tool.ts';

/** Tools that cannot be switched off, because a compacted conversation refers to them. */
export const fixedTools: ReadonlySet<string> = new Set(['recall', 'search_history', 'compact']);

/** A change of the switch for a tool, or for all tools of an MCP server. */
export interface ToolSwitch {
  readonly tool?: string | undefined;
  readonly server?: string | undefined;
  readonly isOn: boolean;
}

export const nothingOff: SwitchedOff = { tools: [], servers: [] };

/** True for a tool that is switched off, alone or with its server. */
export function isOffIn(
  { tools, servers }: SwitchedOff,
  { name, server }: Pick<AgentTool, 'name' | 'server'>,
): boolean {
  if (server !== undefined && servers.includes(server)) return true;
  return tools.includes(name) && !fixedTools.has(name);
}

/** Returns the switched-off tools after one change. */
export function switched({ tools, servers }: SwitchedOff, { tool, server, isOn }: ToolSwitch): SwitchedOff {
  const changed = (names: readonly string[], name: string | undefined) => {
    if (name === undefined) return names;
    const others = names.filter((other) => other !== name);
    return isOn ? others : [...others, name];
  };
  return { tools: changed(tools, tool), servers: changed(servers, server) };
}
