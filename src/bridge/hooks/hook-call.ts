import { isAbsolute } from 'node:path';
import { isRecord } from '../../language/is-record.ts';

/** Events that something is done at. Agents have more; they pass without an answer. */
export const hookEvents = ['PreCompact', 'SessionStart', 'PostToolUse', 'UserPromptSubmit', 'Stop'] as const;
export type HookEvent = (typeof hookEvents)[number];

/** A call of a hook, as far as it matters here. */
export interface HookCall {
  readonly event: HookEvent;
  /** File in which the agent keeps the session; absolute. */
  readonly transcript: string;
  /** Folder that the agent works in; absolute. */
  readonly workspace: string | undefined;
  /** `SessionStart` only: the start follows a compaction. */
  readonly followsCompaction: boolean;
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
 * @returns undefined for an event of no interest here
 * @throws {HookCallError} if the input is not a call of a hook
 */
export function readHookCall(input: string, argument: string | undefined): HookCall | undefined {
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    throw new HookCallError('standard input is not JSON');
  }
  if (!isRecord(value)) throw new HookCallError('standard input is not a JSON object');
  const name = value['hook_event_name'] ?? value['hookEventName'] ?? argument;
  const event = hookEvents.find(
    (known) => typeof name === 'string' && known.toLowerCase() === name.toLowerCase(),
  );
  if (event === undefined) return undefined;
  const transcript = value['transcript_path'] ?? value['transcriptPath'];
  if (typeof transcript !== 'string' || !isAbsolute(transcript)) {
    throw new HookCallError(`${event} names no transcript`);
  }
  const { cwd, source } = value;
  const workspace = typeof cwd === 'string' && isAbsolute(cwd) ? cwd : undefined;
  return {
    event,
    transcript,
    workspace,
    followsCompaction: event === 'SessionStart' && source === 'compact',
  };
}

/** The answer that adds text to the context, in the form that these agents share. */
export function contextAnswer(event: HookEvent, additionalContext: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext } });
}
