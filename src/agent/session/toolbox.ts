import { findToolsName } from '../../compaction/messages/called-function.ts';
import type { ToolSchema } from '../../compaction/messages/message.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { SwitchedOff, ToolSet } from '../../transcripts/session/session-event.ts';
import type { ActingTool, AgentTool } from '../tools/support/tool.ts';
import type { Journal } from './journal.ts';
import type { OnDemand } from './session-ports.ts';

/** Schemas of MCP tools that take more than this share of the window leave the request. */
const largestShare = 1 / 10;

/** A compacted conversation refers to these, so they are never switched off. */
export const fixedTools: ReadonlySet<string> = new Set(['recall', 'search_history', 'compact']);

/** A tool, or all tools of an MCP server, to be switched on or off. */
export interface ToolSwitch {
  readonly tool?: string | undefined;
  readonly server?: string | undefined;
  readonly isOn: boolean;
}

export interface ToolboxPorts {
  readonly meter: () => UsageMeter;
  readonly onDemand: () => OnDemand;
  /** Tokens of the window, if known. */
  readonly window: () => number | undefined;
  /** The tools that the host offers. */
  readonly offered: () => Promise<readonly AgentTool[]>;
}

const nothingOff: SwitchedOff = { tools: [], servers: [] };

type Journalled = Pick<Journal, 'toolSet' | 'setTools' | 'holdOff' | 'isEmpty'>;

/**
 * The tools of a session. Some that the host offers are set aside: those a person switched off, and, on demand, those
 * of MCP servers, for which `find_tools` and `call_tool` are in the request.
 */
export class Toolbox {
  private readonly journal: Journalled;
  private readonly ports: ToolboxPorts;
  private arrangement: Arrangement | undefined;

  constructor(journal: Journalled, ports: ToolboxPorts) {
    this.journal = journal;
    this.ports = ports;
  }

  /** The tools of the next request. */
  get inRequest(): readonly AgentTool[] {
    return this.arrangement?.inRequest ?? [];
  }

  isOff(tool: Pick<AgentTool, 'name' | 'server'>): boolean {
    return isOffIn(this.off, tool);
  }

  /** Takes what the host offers, and writes down what requests carry of it from here on. */
  take(offered: readonly AgentTool[]): Promise<void> {
    return this.carry(offered, this.off);
  }

  /** The tools that the next request carries, and those set aside. Nothing is written. */
  async look(): Promise<ToolSet> {
    const { toolSet } = this.journal;
    if (toolSet.tools.length > 0) return toolSet;
    return (await this.arrange(await this.ports.offered(), this.off)).toolSet;
  }

  /** Switches a tool or a server on or off. Before anything is said, nothing is written: there is no file yet. */
  async switch(change: ToolSwitch): Promise<void> {
    const off = switched(this.off, change);
    if (this.journal.isEmpty) this.journal.holdOff(off);
    else await this.carry(this.arrangement?.offered ?? (await this.ports.offered()), off);
  }

  private get off(): SwitchedOff {
    return this.journal.toolSet.off ?? nothingOff;
  }

  private async carry(offered: readonly AgentTool[], off: SwitchedOff): Promise<void> {
    const arrangement = await this.arrange(offered, off);
    await this.journal.setTools(arrangement.toolSet);
    this.arrangement = arrangement;
  }

  private async arrange(offered: readonly AgentTool[], off: SwitchedOff): Promise<Arrangement> {
    const on = offered.filter((tool) => !isOffIn(off, tool));
    const isOnDemand = await this.isOnDemand(offered);
    const inRequest = isOnDemand ? await onDemand(offered, on, this.journal.toolSet) : on;
    const names = new Set(inRequest.map(({ name }) => name));
    const aside = offered.filter(({ name }) => !names.has(name));
    const servers = offered.flatMap(({ name, server }) => (server === undefined ? [] : [[name, server]]));
    const isAnyOff = off.tools.length + off.servers.length > 0;
    return {
      offered,
      inRequest,
      toolSet: {
        tools: inRequest.map(({ schema }) => schema),
        ...(aside.length === 0 ? {} : { aside: aside.map(({ schema }) => schema) }),
        ...(servers.length === 0 ? {} : { servers: Object.fromEntries(servers) as Record<string, string> }),
        ...(isAnyOff ? { off } : {}),
      },
    };
  }

  /**
   * Decided when a chat begins and when servers bring tools that were not there, never in between: a change of the
   * tool list costs the whole prompt cache.
   */
  private async isOnDemand(offered: readonly AgentTool[]): Promise<boolean> {
    const setting = this.ports.onDemand();
    if (setting === 'never') return false;
    const { toolSet } = this.journal;
    const isKnown = bringsNothingNew(offered, toolSet);
    if (isKnown && finderOf(toolSet) !== undefined) return true;
    const schemas = offered.flatMap(({ server, schema }) => (server === undefined ? [] : [schema]));
    if (schemas.length === 0) return false;
    const window = this.ports.window();
    if (setting === 'always') return true;
    if (isKnown || window === undefined) return false;
    return (await this.ports.meter().measureTools(schemas)).total > window * largestShare;
  }
}

/** The tools that a host offers, as requests carry them. */
interface Arrangement {
  readonly offered: readonly AgentTool[];
  readonly inRequest: readonly AgentTool[];
  readonly toolSet: ToolSet;
}

/**
 * The tools of servers give way to the two that find and call them, which come last: there they stay in one place. The
 * schema of `find_tools` stays as it was unless there are new tools, so a server that is gone for a while changes nothing.
 */
async function onDemand(
  offered: readonly AgentTool[],
  on: readonly AgentTool[],
  before: ToolSet,
): Promise<readonly AgentTool[]> {
  // Only now, so that activation does not read them.
  const [{ createFindTools }, { createCallTool }] = await Promise.all([
    import('../tools/find-tools.ts'),
    import('../tools/call-tool.ts'),
  ]);
  const servers = [...new Set(offered.flatMap(({ server }) => server ?? []))].toSorted();
  const found = on.filter((tool): tool is ActingTool => tool.server !== undefined && 'propose' in tool);
  const finder = createFindTools(found, servers);
  const schema = bringsNothingNew(offered, before) ? finderOf(before) : undefined;
  return [
    ...on.filter(({ server }) => server === undefined),
    schema === undefined ? finder : { ...finder, schema },
    createCallTool(found),
  ];
}

function finderOf({ tools }: ToolSet): ToolSchema | undefined {
  return tools.find(({ function: { name } }) => name === findToolsName);
}

/** True if all tools of servers were there before. */
function bringsNothingNew(offered: readonly AgentTool[], { servers = {} }: ToolSet): boolean {
  return offered.every(({ name, server }) => server === undefined || Object.hasOwn(servers, name));
}

function isOffIn(
  { tools, servers }: SwitchedOff,
  { name, server }: Pick<AgentTool, 'name' | 'server'>,
): boolean {
  if (server !== undefined && servers.includes(server)) return true;
  return tools.includes(name) && !fixedTools.has(name);
}

function switched({ tools, servers }: SwitchedOff, { tool, server, isOn }: ToolSwitch): SwitchedOff {
  const changed = (names: readonly string[], name: string | undefined) => {
    if (name === undefined) return names;
    const others = names.filter((other) => other !== name);
    return isOn ? others : [...others, name];
  };
  return { tools: changed(tools, tool), servers: changed(servers, server) };
}
