import type { TurnName } from './agent.ts';

/** Result of a turn. */
export interface TurnRun {
  /** `bare`: a greeting, before our server was connected. */
  readonly name: TurnName | 'bare';
  /** Exit code; 137 if it was stopped at the time limit. */
  readonly code: number;
  /** End of its output. */
  readonly output: string;
  readonly seconds: number;
  /** Numbers of its first and its last request; the last is smaller if it made none. */
  readonly requests: readonly [number, number];
}

/** A file of the agent's configuration after we were connected and disconnected. */
export interface ConfigOutcome {
  /** Path with `~` for the home folder. */
  readonly path: string;
  /** True if it is byte for byte equal to its earlier state. */
  readonly isRestored: boolean;
  /** True if the agent itself wrote it in the meantime. */
  readonly isRewritten: boolean;
  /** True if nothing of ours is left in it. */
  readonly isGone: boolean;
}

/** Record of a run, stored next to the home folder and the requests. */
export interface AgentRun {
  readonly agent: string;
  readonly version: string;
  /** Session id of the first turn; empty if unknown. */
  readonly session: string;
  readonly turns: readonly TurnRun[];
  readonly config: readonly ConfigOutcome[];
}
