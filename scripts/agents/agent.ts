import type { ConnectableAgent } from '../../src/bridge/connect/agent-config.ts';
import type { FoundAgent } from '../../src/transcripts/found-agents.ts';
import type { Step } from './server/scripted-model.ts';

/**
 * The turns of a run, in order: a task, a second one in the same session, a requested compaction, a turn after it, and
 * a fork of the session.
 */
export const turnNames = ['first', 'resumed', 'compacted', 'afterwards', 'forked'] as const;
export type TurnName = (typeof turnNames)[number];

/** Values for starting an agent. */
export interface TurnPlace {
  /** Empty if the turn asks nothing. */
  readonly prompt: string;
  /** Session id of the first turn; empty before that turn and if unknown. */
  readonly session: string;
}

/** A program and its arguments, run without a terminal and without input. */
export type Command = readonly string[];

type TurnCommands = Record<TurnName, (place: TurnPlace) => Command>;

/** An agent that can be run without a terminal, and how. */
export interface Agent {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  /** `name@version`, each exact. */
  readonly packages: readonly string[];
  /** SPDX id. Agents without a free licence run only if named, and none of their output is kept. */
  readonly licence?: string;
  /** Name under which its sessions are found. */
  readonly foundAs: FoundAgent;
  /** Its name for our connect command; other agents have the server in their own files. */
  readonly connects?: ConnectableAgent;
  readonly environment?: Readonly<Record<string, string>>;
  /** Initial files of its home folder, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that add our server, for agents that we do not connect; written after a request without the server. */
  readonly serverFiles?: Readonly<Record<string, string>>;
  /** Runs before the configuration is recorded, for agents that change it on their first start. */
  readonly prepare?: Command;
  /** Glob of its session files in its home folder, with `*` and `**`. */
  readonly sessionFiles: string;
  /** Matches the session id in the path of a session file. */
  readonly sessionId?: RegExp;
  /** Details of the model's steps. */
  readonly script?: ScriptDetails;
  readonly turns: Readonly<Pick<TurnCommands, 'first'> & Partial<TurnCommands>>;
  /** Limits of the agent, without a terminal or in general; one sentence each, for the page. */
  readonly cannot: readonly string[];
}

/** Differences between agents in the script. */
export interface ScriptDetails {
  /** Arguments for its tool that starts a sub-agent. */
  readonly delegateArguments?: Readonly<Record<string, unknown>>;
  /** Steps after the sub-agent has started. */
  readonly afterDelegation?: readonly Step[];
  /** Reported token count that makes it compact automatically; reported once. */
  readonly fullAt?: number;
  /** True if it checks the size only at the end of a turn. */
  readonly isFullAtEnd?: true;
}

/** Environment that keeps programs from asking and from calling home. */
export const quietEnvironment = {
  DO_NOT_TRACK: '1',
  NO_UPDATE_NOTIFIER: '1',
  NO_COLOR: '1',
} as const;

/** The port of the model server. */
export const serverPort = 4141;
export const serverAddress = `http://127.0.0.1:${serverPort}`;

/** Our server, for agents that name it in their own configuration: a program and its arguments. */
export const serverCommand = ['node', '/opt/context-budget/dist/cli.js', 'mcp'] as const;
