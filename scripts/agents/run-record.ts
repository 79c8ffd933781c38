import type { TurnName } from './agent.ts';

/** A turn as it went. */
export interface TurnRun {
  /** `bare`: a greeting, before the agent knew of us. */
  readonly name: TurnName | 'bare';
  /** Exit code; 137 where its time was over. */
  readonly code: number;
  /** The end of what it wrote. */
  readonly output: string;
  readonly seconds: number;
  /** Numbers of its first and its last request; the last is smaller if it made none. */
  readonly requests: readonly [number, number];
}

/** A file of the agent's configuration after we were connected and disconnected. */
export interface ConfigOutcome {
  /** With `~` for the home. */
  readonly path: string;
  /** It has the bytes that it had before. */
  readonly isRestored: boolean;
  /** The agent itself wrote it in between. */
  readonly isRewritten: boolean;
  /** Nothing of ours is in it. */
  readonly isGone: boolean;
}

/** The record that a run leaves beside the home and the requests. */
export interface AgentRun {
  readonly agent: string;
  readonly version: string;
  /** Id of the session of the first turn; empty if its files do not tell. */
  readonly session: string;
  readonly turns: readonly TurnRun[];
  readonly config: readonly ConfigOutcome[];
}
