import type { TurnName } from './agent.ts';
import type { TappedSides } from './wire-proxy.ts';

/** Result of a turn. */
export interface TurnRun {
  /** `bare` is a greeting that is sent before our server is connected. */
  readonly name: TurnName | 'bare';
  /** Exit code; 137 if the turn was stopped at the time limit. */
  readonly code: number;
  /** End of the turn's output. */
  readonly output: string;
  readonly seconds: number;
  /** Numbers of the first and the last request of the turn. The last is smaller if the turn had no request. */
  readonly requests: readonly [number, number];
}

/** State of an agent's configuration file after we were connected and disconnected. */
export interface ConfigOutcome {
  /** Path with `~` for the home folder. */
  readonly path: string;
  /** True if every byte of the file is the same as before. */
  readonly isRestored: boolean;
  /** True if the agent itself wrote the file in the meantime. */
  readonly isRewritten: boolean;
  /** True if the file contains nothing of ours any more. */
  readonly isGone: boolean;
}

/** Record of a run, stored next to the agent's home folder and the requests. */
export interface AgentRun {
  readonly agent: string;
  readonly version: string;
  /** Session id of the first turn; empty if unknown. */
  readonly session: string;
  readonly turns: readonly TurnRun[];
  readonly config: readonly ConfigOutcome[];
  /** Runs with a proxy only. */
  readonly tapped?: TappedSides;
}
