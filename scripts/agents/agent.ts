import type { ConnectableAgent } from '../../src/bridge/connect/agent-config.ts';
import type { FoundAgent } from '../../src/transcripts/found-agents.ts';
import type { Step } from './server/scripted-model.ts';

/**
 * The turns of a run, in order: a task, a second task in the same session, a requested compaction, a turn after the
 * compaction, and a fork of the session.
 */
export const turnNames = ['first', 'resumed', 'compacted', 'afterwards', 'forked'] as const;
export type TurnName = (typeof turnNames)[number];

/** Values for starting an agent. */
export interface TurnPlace {
  /** Prompt of the turn; empty if the turn has no prompt. */
  readonly prompt: string;
  /** Session id of the first turn; empty before that turn, and if the id is unknown. */
  readonly session: string;
}

/** A program and its arguments. It runs without a terminal and without input. */
export type Command = readonly string[];

type TurnCommands = Record<TurnName, (place: TurnPlace) => Command>;

/** An agent that can run without a terminal, and instructions for running it. */
export interface Agent {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  /** Packages of the agent as `name@version`, with exact versions. */
  readonly packages: readonly string[];
  /** SPDX id of the licence. An agent without a free licence runs only on request, and its output is not kept. */
  readonly licence?: string;
  /** Name under which our readers find the agent's sessions. */
  readonly foundAs: FoundAgent;
  /** The agent's name in our connect command. Other agents name our server in their own files. */
  readonly connects?: ConnectableAgent;
  readonly environment?: Readonly<Record<string, string>>;
  /** Variables that make the agent compact on its own in the turns of the bench. A long task does without them. */
  readonly compactingEnvironment?: Readonly<Record<string, string>>;
  /** Path in the home folder → text of an initial file. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that add our server to agents that we cannot connect. Written after the request without our server. */
  readonly serverFiles?: Readonly<Record<string, string>>;
  /** Runs before the configuration is recorded, because some agents change it when they first start. */
  readonly prepare?: Command;
  /** Glob of the agent's session files in its home folder, with `*` and `**`. */
  readonly sessionFiles: string;
  /** Matches the session id in the path of a session file. */
  readonly sessionId?: RegExp;
  /** Details of the script that the model follows. */
  readonly script?: ScriptDetails;
  readonly turns: Readonly<Pick<TurnCommands, 'first'> & Partial<TurnCommands>>;
  /** Limits of the agent without a terminal or in general, one sentence each. Shown on the page. */
  readonly cannot: readonly string[];
}

/** The parts of the script that differ from agent to agent. */
export interface ScriptDetails {
  /** Arguments for the agent's tool that starts a sub-agent. */
  readonly delegateArguments?: Readonly<Record<string, unknown>>;
  /** Steps that follow the start of a sub-agent. */
  readonly afterDelegation?: readonly Step[];
  /** Token count that is reported once so that the agent compacts automatically. */
  readonly fullAt?: number;
  /** True if the agent checks the size only at the end of a turn. */
  readonly isFullAtEnd?: true;
}

/** Environment variables that keep programs from asking questions and from sending data. */
export const quietEnvironment = {
  DO_NOT_TRACK: '1',
  NO_UPDATE_NOTIFIER: '1',
  NO_COLOR: '1',
} as const;

/** Port of the model server. */
export const serverPort = 4141;
/** Token of the proxy in base URLs. The server ignores it. */
export const wireToken = 'wire';
export const serverAddress = `http://127.0.0.1:${serverPort}/${wireToken}`;

/** Command of our server for agents that name it in their own configuration: the program and its arguments. */
export const serverCommand = ['node', '/opt/context-budget/dist/cli.js', 'mcp'] as const;
