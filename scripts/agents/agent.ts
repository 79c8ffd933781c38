import type { ConnectableAgent } from '../../src/bridge/connect/agent-config.ts';
import type { FoundAgent } from '../../src/transcripts/session-places.ts';
import type { Step } from './server/scripted-model.ts';

/**
 * The turns of a run, in order: a task, a second one in the same session, a compaction that is asked for, what comes
 * after it, and a session that goes on apart.
 */
export const turnNames = ['first', 'resumed', 'compacted', 'afterwards', 'forked'] as const;
export type TurnName = (typeof turnNames)[number];

/** Details that an agent is started with. */
export interface TurnPlace {
  /** Empty where nothing is asked. */
  readonly prompt: string;
  /** Id of the session of the first turn; empty before it and where it cannot be told. */
  readonly session: string;
}

/** A program and its arguments; it gets no terminal and no input. */
export type Command = readonly string[];

type TurnCommands = Record<TurnName, (place: TurnPlace) => Command>;

/** An agent that can be run without a terminal, and how. */
export interface Agent {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  /** `name@version`, each exact. */
  readonly packages: readonly string[];
  /** SPDX id. Agents without a free licence run only when they are named, and nothing they write is kept. */
  readonly licence?: string;
  /** Its sessions are looked for under this name. */
  readonly foundAs: FoundAgent;
  /** Its configuration is connected by us; others are told of the server in their own files. */
  readonly connects?: ConnectableAgent;
  readonly environment?: Readonly<Record<string, string>>;
  /** Files of its home before it starts, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that tell it of our server, for agents that are not connected by us; written after a request without it. */
  readonly serverFiles?: Readonly<Record<string, string>>;
  /** Runs before the configuration is noted, for agents that change it when they start for the first time. */
  readonly prepare?: Command;
  /** Pattern of the files of its sessions in its home, with `*` and `**`. */
  readonly sessionFiles: string;
  /** Finds the id of a session in the path of its file. */
  readonly sessionId?: RegExp;
  /** Details of the model's steps. */
  readonly script?: ScriptDetails;
  readonly turns: Readonly<Pick<TurnCommands, 'first'> & Partial<TurnCommands>>;
  /** Limits of it without a terminal, or at all; each a sentence for the page. */
  readonly cannot: readonly string[];
}

/** Differences between agents in the script. */
export interface ScriptDetails {
  /** For its tool that starts a sub-agent. */
  readonly delegateArguments?: Readonly<Record<string, unknown>>;
  /** After the sub-agent was started. */
  readonly afterDelegation?: readonly Step[];
  /** Tokens that make it compact by itself, reported once. */
  readonly fullAt?: number;
  /** It looks at the size at the end of a turn only. */
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

/** Our server, for agents that are told of it in a file of their own: a program and its arguments. */
export const serverCommand = ['node', '/opt/context-budget/dist/cli.js', 'mcp'] as const;
