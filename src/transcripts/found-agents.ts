import type { ModelFacts } from '../compaction/budget/model-table.ts';
import { type UnseenSizes, unseenSizes } from './unseen-sizes.ts';
import { claudeCodeFiles } from './formats/claude-code/claude-code-files.ts';
import { clineFiles, kiloCodeFiles, rooCodeFiles } from './formats/cline/cline-files.ts';
import { codexFiles } from './formats/codex/codex-files.ts';
import { copilotChatFiles } from './formats/copilot/copilot-chat-files.ts';
import { copilotCliFiles } from './formats/copilot/copilot-cli-files.ts';
import { geminiCliFiles } from './formats/gemini-cli/gemini-cli-files.ts';
import { opencodeFiles } from './formats/opencode/opencode-files.ts';
import { otelFiles } from './formats/otel/otel-files.ts';
import { piFiles } from './formats/pi/pi-files.ts';
import { qwenCodeFiles } from './formats/qwen-code/qwen-code-files.ts';
import { otherClientFiles, recordingsPlace } from './session/recordings.ts';
import {
  type AgentFiles,
  type AgentPlace,
  firstText,
  headLinesOf,
  type LastUsage,
  type PlaceSurroundings,
  type SessionHead,
} from './reading/agent-files.ts';

/** The agents whose sessions are found on this computer. */
const agents = {
  'claude-code': claudeCodeFiles,
  codex: codexFiles,
  'gemini-cli': geminiCliFiles,
  'qwen-code': qwenCodeFiles,
  pi: piFiles,
  'copilot-cli': copilotCliFiles,
  'copilot-chat': copilotChatFiles,
  opencode: opencodeFiles,
  cline: clineFiles,
  'roo-code': rooCodeFiles,
  'kilo-code': kiloCodeFiles,
  opentelemetry: otelFiles,
  'another-agent': otherClientFiles,
} as const satisfies Readonly<Record<string, AgentFiles>>;
export type FoundAgent = keyof typeof agents;

/** A place where an agent stores its sessions. */
export interface SessionPlace extends AgentPlace {
  readonly agent: FoundAgent;
}

/** Returns the folders in which agents store their sessions, even missing folders. */
export function sessionPlaces(surroundings: PlaceSurroundings): readonly SessionPlace[] {
  return (Object.keys(agents) as FoundAgent[]).flatMap((agent) =>
    [...agents[agent].places(surroundings), recordingsPlace(surroundings, agent)].map((place) => ({
      ...place,
      agent,
    })),
  );
}

/**
 * @param text the first characters of the file, which may end anywhere
 * @returns the data found; empty for a malformed file
 */
export function sessionHead(agent: FoundAgent, text: string): SessionHead {
  const head = agents[agent].head(text);
  return head.title === undefined ? { ...head, startedAt: firstTime.exec(text)?.groups?.['time'] } : head;
}

/** Matches the first timestamp in a file, in any field. */
const firstTime = /"(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)"/u;

/** Returns the last report at the end of a session's file, see `AgentFiles.lastUsage`. */
export function lastUsage(agent: FoundAgent, tail: string, beside?: string): LastUsage | undefined {
  return agents[agent].lastUsage(tail, beside);
}

/**
 * Returns the id of the session to which a sub-agent's file belongs.
 *
 * @param text the first characters of the file
 */
export function parentSessionId(text: string): string | undefined {
  return firstText(headLinesOf(text).map(({ sessionId }) => sessionId));
}

/** Known facts about the agent of a session that are not in its file. */
interface KnownAgent {
  readonly id: string;
  /** Sizes of the parts missing from the agent's files, measured with one version of the agent. */
  readonly measured: UnseenSizes | undefined;
  /** Returns facts about a model as used by this agent. */
  readonly factsOf: (model: string) => Pick<ModelFacts, 'window' | 'otherWindow'>;
}

/** Agents that set their own windows for models. If their file states no window, the window is unknown. */
const ownWindows: ReadonlySet<string> = new Set(['copilot-chat']);

/** @param session the imported session. Its `agent`, or if absent its `format`, is the agent's id */
export function knownAgent(
  { agent, format = '' }: { readonly agent?: string | undefined; readonly format?: string },
  factsOf: (model: string) => ModelFacts,
): KnownAgent {
  const id = agent ?? format;
  const measured = Object.hasOwn(unseenSizes, id) ? unseenSizes[id] : undefined;
  return { id, measured, factsOf: ownWindows.has(id) ? () => ({}) : factsOf };
}
