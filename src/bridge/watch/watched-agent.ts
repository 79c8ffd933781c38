import type { Surroundings } from '../../agent/files/surroundings.ts';
import type { FoundAgent } from '../../transcripts/found-agents.ts';

/** Surroundings in which an agent will run. */
export interface WatchPlace extends Surroundings {
  /** Working folder of the agent. Its settings count, so the folder has to be trusted. */
  readonly folder: string | undefined;
}

/** An agent in the terminal whose requests can be sent through a proxy without a change to its files. */
export interface WatchedAgent {
  readonly id: FoundAgent;
  readonly title: string;
  /** Name of the program on the PATH. */
  readonly program: string;
  /**
   * Reads where the agent would send its requests, from its variables and settings files.
   * @returns undefined if no variable or argument can send them elsewhere
   */
  wayOf(place: WatchPlace): Promise<RequestWay | undefined>;
}

/** The way of an agent's requests. */
export interface RequestWay {
  /** Base URL to which the agent would send its requests without us. */
  readonly upstream: string;
  /** Returns what makes the agent send them to another base URL. */
  through(baseUrl: string): WatchedRun;
}

/** Additions to the environment and to the command line of an agent. */
interface WatchedRun {
  readonly environment: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

/** Returns a way that needs only variables. @returns undefined if the upstream is not a plain HTTP address */
export function wayByVariables(
  upstream: unknown,
  variables: (baseUrl: string) => Readonly<Record<string, string>>,
): RequestWay | undefined {
  return plainWay(upstream, (baseUrl) => ({ environment: variables(baseUrl), args: [] }));
}

/** Returns a way. @returns undefined if the upstream is not a plain HTTP address */
export function plainWay(upstream: unknown, through: RequestWay['through']): RequestWay | undefined {
  if (typeof upstream !== 'string' || !URL.canParse(upstream)) return undefined;
  const { protocol, username, password, search, hash } = new URL(upstream);
  const isPlain =
    /^https?:$/u.test(protocol) && [username, password, search, hash].every((part) => part === '');
  return isPlain ? { upstream, through } : undefined;
}
