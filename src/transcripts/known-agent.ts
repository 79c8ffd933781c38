import type { ModelFacts } from '../compaction/budget/model-table.ts';
import { type UnseenSizes, unseenSizes } from './unseen-sizes.ts';

/** Known facts about the agent of a session that are not in its file. */
interface KnownAgent {
  readonly id: string;
  /** Sizes of the parts missing from its files, measured with one version. */
  readonly measured: UnseenSizes | undefined;
  /** Facts about a model when this agent uses it. */
  readonly factsOf: (model: string) => Pick<ModelFacts, 'window' | 'otherWindow'>;
}

/** Agents that give models their own windows: if their file states none, the window is unknown. */
const ownWindows: ReadonlySet<string> = new Set(['copilot-chat']);

/** @param session as imported; its `agent` names the agent, or else its format does */
export function knownAgent(
  { agent, format = '' }: { readonly agent?: string; readonly format?: string },
  factsOf: (model: string) => ModelFacts,
): KnownAgent {
  const id = agent ?? format;
  const measured = Object.hasOwn(unseenSizes, id) ? unseenSizes[id] : undefined;
  return { id, measured, factsOf: ownWindows.has(id) ? () => ({}) : factsOf };
}
