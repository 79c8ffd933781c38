import { findToolsName } from '../../compaction/ledger/called-function.ts';
import type { ToolSchema } from '../../compaction/messages/message.ts';
import type { SwitchedOff, ToolSet } from '../../transcripts/session/session-event.ts';
import { createCallTool } from '../tools/call-tool.ts';
import { createFindTools } from '../tools/find-tools.ts';
import type { ActingTool, AgentTool } from '../tools/support/tool.ts';
import type { OnDemand } from './session-ports.ts';
import { isOffIn } from './switched-off.ts';

/** Largest share of the window for schemas of MCP tools. If they need more, they are left out of requests. */
const largestShare = 1 / 10;

/** The tools of a host, and the tools that requests contain. */
export interface Arrangement {
  readonly offered: readonly AgentTool[];
  readonly inRequest: readonly AgentTool[];
  readonly toolSet: ToolSet;
}

interface Circumstances {
  readonly before: ToolSet;
  readonly off: SwitchedOff;
  readonly onDemand: OnDemand;
  /** Tokens of the window; undefined if unknown. */
  readonly window: number | undefined;
  readonly count: (schemas: readonly ToolSchema[]) => Promise<number>;
}

/** Selects the host's tools that requests contain. Other tools are left out of requests. */
export async function arrangeTools(
  offered: readonly AgentTool[],
  circumstances: Circumstances,
): Promise<Arrangement> {
  const { before, off } = circumstances;
  const on = offered.filter((tool) => !isOffIn(off, tool));
  const inRequest = (await isOnDemand(offered, circumstances)) ? onDemand(offered, on, before) : on;
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

/** True if requests leave out MCP tools. Decided at the start and for new tools, because a change costs the cache. */
async function isOnDemand(
  offered: readonly AgentTool[],
  { before, onDemand: setting, window, count }: Circumstances,
): Promise<boolean> {
  if (setting === 'never') return false;
  const isKnown = bringsNothingNew(offered, before);
  if (isKnown && finderOf(before) !== undefined) return true;
  const schemas = offered.flatMap(({ server, schema }) => (server === undefined ? [] : [schema]));
  if (schemas.length === 0) return false;
  if (setting === 'always') return true;
  if (isKnown || window === undefined) return false;
  return (await count(schemas)) > window * largestShare;
}

/** Replaces the tools of servers by `find_tools` and `call_tool`, which change only if tools are new. */
function onDemand(
  offered: readonly AgentTool[],
  on: readonly AgentTool[],
  before: ToolSet,
): readonly AgentTool[] {
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

/** True if all tools of servers existed before and are unchanged. */
function bringsNothingNew(
  offered: readonly AgentTool[],
  { tools, aside = [], servers = {} }: ToolSet,
): boolean {
  const before = new Map(
    [...tools, ...aside].map((schema) => [schema.function.name, JSON.stringify(schema)]),
  );
  return offered.every(
    ({ name, server, schema }) =>
      server === undefined || (Object.hasOwn(servers, name) && before.get(name) === JSON.stringify(schema)),
  );
}
