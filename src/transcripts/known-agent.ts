import type { ModelFacts } from '../compaction/budget/model-table.ts';
import { type UnseenSizes, unseenSizes } from './unseen-sizes.ts';

/** Knowledge of the agent that wrote a session, beside what its file says. */
export interface KnownAgent {
  readonly id: string;
  /** Sizes of what its files lack, as one of its versions sent them. */
  readonly measured: UnseenSizes | undefined;
  /** Facts of a model in its hands. */
  readonly factsOf: (model: string) => Pick<ModelFacts, 'window' | 'otherWindow'>;
}

/** Agents that give models windows of their own: where their file states none, none is known. */
const ownWindows: ReadonlySet<string> = new Set(['copilot-chat']);

/** @param session as it was imported: its agent, or else its format, has the id */
export function knownAgent(
  { agent, format = '' }: { readonly agent?: string; readonly format?: string },
  factsOf: (model: string) => ModelFacts,
): KnownAgent {
  const id = agent ?? format;
  const measured = Object.hasOwn(unseenSizes, id) ? unseenSizes[id] : undefined;
  return { id, measured, factsOf: ownWindows.has(id) ? () => ({}) : factsOf };
}
