import { findToolsName } from '../../compaction/ledger/called-function.ts';
import type { ToolSchema } from '../../compaction/messages/message.ts';
import type { SwitchedOff, ToolSet } from '../../transcripts/session/session-event.ts';
import { createCallTool } from '../tools/call-tool.ts';
import { createFindTools } from '../tools/find-tools.ts';
import type { ActingTool, AgentTool } from '../tools/support/tool.ts';
import type { OnDemand } from './session-ports.ts';
import { isOffIn } from './switched-off.ts';

/** Schemas of MCP tools that take more than this share of the window leave the request. */
const largestShare = 1 / 10;

/** The tools that a host offers, as requests carry them. */
export interface Arrangement {
  readonly offered: readonly AgentTool[];
  readonly inRequest: readonly AgentTool[];
  readonly toolSet: ToolSet;
}

/** Circumstances that decide which tools requests carry. */
interface Circumstances {
  /** The tools of the session until now. */
  readonly before: ToolSet;
  readonly off: SwitchedOff;
  readonly onDemand: OnDemand;
  /** Tokens of the window, if known. */
  readonly window: number | undefined;
  readonly count: (schemas: readonly ToolSchema[]) => Promise<number>;
}

/** Divides the tools that a host offers into those that requests carry and those that are set aside. */
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

/**
 * Decided when a chat begins and when servers bring tools that were not there or have changed, never in between: a change
 * of the tool list costs the whole prompt cache.
 */
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

/**
 * The tools of servers give way to the two that find and call them, which come last: there they stay in one place. The
 * schema of `find_tools` stays as it was unless there are new tools, so a server that is gone for a while changes nothing.
 */
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

/** True if all tools of servers were there before, as they are now. */
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
