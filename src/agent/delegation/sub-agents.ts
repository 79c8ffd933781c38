import { type ModelText, toModel } from '../../language/sentence.ts';

/** A part of a task that a sub-agent does in a separate conversation. */
export interface SubAgent {
  readonly name: string;
  readonly task: string;
  /** Subject that compactions of the sub-agent's conversation keep in most detail. */
  readonly focus?: string | undefined;
  /** The parent's tools that the sub-agent gets; undefined for all of them. */
  readonly tools?: readonly string[] | undefined;
  /** Names of sub-agents that must be done first. The sub-agent gets their reports and files. */
  readonly dependsOn: readonly string[];
}

/** Maximum number of sub-agents in one call. */
export const mostSubAgents = 8;
const longestTask = 20_000;
/** Pattern of a name, which also names a folder. Device names of Windows are therefore excluded. */
const namePattern = /^(?!(?:aux|com\d|con|lpt\d|nul|prn)$)[a-z][a-z0-9-]{0,31}$/;

/** Finds a problem with sub-agents, for the model; undefined if they can run. @param toolNames available tools */
export function problemWithSubAgents(
  subAgents: readonly SubAgent[],
  toolNames: readonly string[],
): ModelText | undefined {
  if (subAgents.length === 0) return toModel`There are no sub-agents to start.`;
  if (subAgents.length > mostSubAgents) {
    return toModel`At most ${mostSubAgents} sub-agents can be started at once, not ${subAgents.length}. Put small ones together.`;
  }
  const names = new Set<string>();
  for (const { name } of subAgents) {
    if (!namePattern.test(name)) {
      return toModel`"${name}" cannot be the name of a sub-agent: use up to 32 lower-case letters, digits and hyphens, with a letter first.`;
    }
    if (names.has(name)) return toModel`Two sub-agents are called ${name}. Give each a name of its own.`;
    names.add(name);
  }
  for (const subAgent of subAgents) {
    const problem = problemWithSubAgent(subAgent, names, toolNames);
    if (problem !== undefined) return problem;
  }
  const cycle = findCycle(subAgents);
  return cycle === undefined
    ? undefined
    : toModel`Sub-agents cannot wait for each other in a circle: ${cycle.join(' → ')}. Take one of these dependencies out.`;
}

/** Returns the names of all sub-agents that must be done before this one begins, with indirect dependencies. */
export function dependenciesOf(name: string, subAgents: readonly SubAgent[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (current: string) => {
    for (const next of subAgents.find((subAgent) => subAgent.name === current)?.dependsOn ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(name);
  return found;
}

function problemWithSubAgent(
  { name, task, tools = [], dependsOn }: SubAgent,
  names: ReadonlySet<string>,
  toolNames: readonly string[],
): ModelText | undefined {
  if (task.trim() === '') return toModel`The sub-agent ${name} has no task.`;
  if (task.length > longestTask) {
    return toModel`The task of ${name} is longer than ${longestTask} characters. Say where to read the rest.`;
  }
  const unknownTool = tools.find((tool) => !toolNames.includes(tool));
  if (unknownTool !== undefined) {
    return toModel`${name} cannot have the tool ${unknownTool}. There are: ${toolNames.join(', ')}.`;
  }
  const unknown = dependsOn.find((other) => !names.has(other));
  return unknown === undefined
    ? undefined
    : toModel`${name} depends on ${unknown}, which is not one of the sub-agents: ${[...names].join(', ')}.`;
}

/** Finds a path of dependencies from a sub-agent back to itself. It contains both ends; undefined without a cycle. */
function findCycle(subAgents: readonly SubAgent[]): readonly string[] | undefined {
  const dependencies = new Map(subAgents.map(({ name, dependsOn }) => [name, dependsOn]));
  const cleared = new Set<string>();
  const path: string[] = [];
  const visit = (name: string): readonly string[] | undefined => {
    const start = path.indexOf(name);
    if (start >= 0) return [...path.slice(start), name];
    if (cleared.has(name)) return undefined;
    path.push(name);
    for (const next of dependencies.get(name) ?? []) {
      const cycle = visit(next);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    cleared.add(name);
    return undefined;
  };
  for (const { name } of subAgents) {
    const cycle = visit(name);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
