import { isAbsolute } from 'node:path';
import { isRecord } from '../../language/is-record.ts';

/**
 * Events that something is done at. Agents have more; they pass without an answer, as does the start of a session that
 * follows no compaction.
 */
export const hookEvents = ['PreCompact', 'SessionStart', 'PostToolUse', 'UserPromptSubmit', 'Stop'] as const;
type HookEvent = (typeof hookEvents)[number];

/** A call of a hook, as far as it matters here. */
export interface HookCall {
  readonly event: HookEvent;
  /** Id that the agent gave the session. */
  readonly session: string | undefined;
  /** File in which the agent keeps the session; absolute. Copilot CLI names it to some events only. */
  readonly transcript: string | undefined;
  /** Folder that the agent works in; absolute. */
  readonly workspace: string | undefined;
  /** The agent reads answers in the form of Copilot CLI. */
  readonly isCopilotCli: boolean;
}

/** A call that cannot be answered, with the reason for the log. */
export class HookCallError extends Error {
  override readonly name = 'HookCallError';
}

/**
 * Reads what an agent wrote to standard input. Claude Code and Codex name fields `transcript_path`; some versions of
 * Copilot name them `transcriptPath`.
 *
 * @param argument the event that the command line names; the agent's own word counts more
 * @returns undefined for a call of no interest here: of another event, at another start, or from within a sub-agent,
 *   which names the session of the agent that started it
 * @throws {HookCallError} if the input is not a call of a hook
 */
export function readHookCall(input: string, argument: string | undefined): HookCall | undefined {
  const value = objectIn(input);
  const name = value['hook_event_name'] ?? value['hookEventName'] ?? argument;
  const event = hookEvents.find(
    (known) => typeof name === 'string' && known.toLowerCase() === name.toLowerCase(),
  );
  if (event === undefined || (event === 'SessionStart' && value['source'] !== 'compact')) return undefined;
  if (typeof (value['agent_id'] ?? value['agentId']) === 'string') return undefined;
  return {
    event,
    session: textIn(value['session_id'] ?? value['sessionId']),
    transcript: pathIn(value['transcript_path'] ?? value['transcriptPath']),
    workspace: pathIn(value['cwd']),
    // Others name what a tool returned `tool_response`.
    isCopilotCli: 'tool_result' in value || 'toolResult' in value,
  };
}

function objectIn(input: string): Record<string, unknown> {
  let value: unknown;
  try {
    // Some shells put a byte order mark in front of what they pipe.
    value = JSON.parse(input.replace(/^\uFEFF/u, ''));
  } catch {
    throw new HookCallError('standard input is not JSON');
  }
  if (!isRecord(value)) throw new HookCallError('standard input is not a JSON object');
  return value;
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function pathIn(value: unknown): string | undefined {
  return typeof value === 'string' && isAbsolute(value) ? value : undefined;
}

/** The answer that adds text to the context, in the form that these agents share. */
export function contextAnswer(
  { event, isCopilotCli }: Pick<HookCall, 'event' | 'isCopilotCli'>,
  additionalContext: string,
): string {
  const hookSpecificOutput = { hookEventName: event, additionalContext };
  // Copilot CLI reads the field at the top alone. Codex takes no field there that it does not know.
  return JSON.stringify(isCopilotCli ? { additionalContext, hookSpecificOutput } : { hookSpecificOutput });
}
