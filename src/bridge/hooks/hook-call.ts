import { isAbsolute } from 'node:path';
import { isRecord } from '../../language/is-record.ts';

/** Handled events. Other events, and a session start that follows no compaction, get no answer. */
export const hookEvents = ['PreCompact', 'SessionStart', 'PostToolUse', 'UserPromptSubmit', 'Stop'] as const;
/** Adds `Read`, which no agent sends. A hook makes this call in a separate process to read a long session. */
const knownEvents = [...hookEvents, 'Read'] as const;
type HookEvent = (typeof knownEvents)[number];

/** A hook call, reduced to the fields needed here. */
export interface HookCall {
  readonly event: HookEvent;
  /** Id that the agent gave the session. */
  readonly session: string | undefined;
  /** Absolute path of the session's file. Copilot CLI sends it with some events only. */
  readonly transcript: string | undefined;
  /** Absolute path of the agent's working folder. */
  readonly workspace: string | undefined;
  /** True if the agent expects Copilot CLI's form of an answer. */
  readonly isCopilotCli: boolean;
}

/** Error for a call that cannot be answered, with the reason for the log. */
export class HookCallError extends Error {
  override readonly name = 'HookCallError';
}

/**
 * Reads an agent's call from standard input. Some versions of Copilot write `transcriptPath` instead of
 * `transcript_path`.
 * @param argument the event named on the command line; the event in the input takes precedence
 * @returns undefined for a call to ignore: another event, another kind of start, or a call from a sub-agent,
 * which sends its parent's session
 * @throws {HookCallError} if the input is not a call of a hook
 */
export function readHookCall(input: string, argument: string | undefined): HookCall | undefined {
  const value = objectIn(input);
  const name = value['hook_event_name'] ?? value['hookEventName'] ?? argument;
  const event = knownEvents.find(
    (known) => typeof name === 'string' && known.toLowerCase() === name.toLowerCase(),
  );
  if (event === undefined || (event === 'SessionStart' && value['source'] !== 'compact')) return undefined;
  if (typeof (value['agent_id'] ?? value['agentId']) === 'string') return undefined;
  return {
    event,
    session: textIn(value['session_id'] ?? value['sessionId']),
    transcript: pathIn(value['transcript_path'] ?? value['transcriptPath']),
    workspace: pathIn(value['cwd']),
    // Other agents name the tool's output `tool_response`.
    isCopilotCli: 'tool_result' in value || 'toolResult' in value,
  };
}

function objectIn(input: string): Record<string, unknown> {
  let value: unknown;
  try {
    // Some shells prefix piped data with a byte order mark.
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

/** Returns the answer that adds text to the context, in the format that these agents share. */
export function contextAnswer(
  { event, isCopilotCli }: Pick<HookCall, 'event' | 'isCopilotCli'>,
  additionalContext: string,
): string {
  const hookSpecificOutput = { hookEventName: event, additionalContext };
  // Copilot CLI reads only the field at the top level. Codex rejects unknown fields there.
  return JSON.stringify(isCopilotCli ? { additionalContext, hookSpecificOutput } : { hookSpecificOutput });
}
