import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Result of a hook's process. */
export interface HookRun {
  readonly code: number | null;
  readonly out: string;
  readonly notes: string;
}

/**
 * Runs a hook as agents do: a process of its own, the call as JSON on its standard input.
 *
 * @param folder in which the hook keeps its notes
 * @param input written as it is
 */
export async function runHookProcess(folder: string, event: string, input: string): Promise<HookRun> {
  const child = spawn(process.execPath, [program, 'hook', event], {
    env: { ...process.env, CONTEXT_BUDGET_STATE: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.end(input);
  const [out, notes] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, notes };
}

/** Fields that an agent's hooks are called with, as its documentation has them. */
export type HookFields = (event: string, transcript: string, more?: object) => object;

/** Claude Code, and Codex, which took over its fields. */
export const claudeCodeFields: HookFields = (event, transcript, more = {}) => ({
  session_id: 's1',
  transcript_path: transcript,
  cwd: '/projects/printer',
  permission_mode: 'default',
  hook_event_name: event,
  ...more,
});

/** Copilot in VS Code: every start is a new one. */
export const copilotFields: HookFields = (event, transcript, more = {}) => ({
  timestamp: '2026-02-03T04:05:06.000Z',
  cwd: '/projects/printer',
  sessionId: 's1',
  hookEventName: event,
  transcript_path: transcript,
  ...more,
});

/** The text that a hook's answer adds to the context; undefined if it gave none. */
export function contextIn(answer: string | undefined): string | undefined {
  if (answer === undefined || answer === '') return undefined;
  const { hookSpecificOutput } = JSON.parse(answer) as {
    hookSpecificOutput: { hookEventName: string; additionalContext: string };
  };
  return hookSpecificOutput.additionalContext;
}
