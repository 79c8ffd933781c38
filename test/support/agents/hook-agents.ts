import { spawn } from 'node:child_process';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runHook } from '../../../src/bridge/hooks/run-hook.ts';

const program = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

/** Result of a hook's process. */
export interface HookRun {
  readonly code: number | null;
  readonly out: string;
  readonly notes: string;
}

/** Circumstances of a hook's process. */
export interface HookCircumstances {
  /** True if standard input stays open. */
  readonly isLeftOpen?: boolean;
  /** True if no byte can be written to a file. */
  readonly isDiskFull?: boolean;
}

/**
 * Runs a hook as an agent does: in a separate process, with the call as JSON on standard input.
 *
 * @param folder folder in which the hook keeps its notes
 * @param input written unchanged
 */
export async function runHookProcess(
  folder: string,
  event: string,
  input: string,
  { isLeftOpen = false, isDiskFull = false }: HookCircumstances = {},
): Promise<HookRun> {
  const args = [process.execPath, program, 'hook', event];
  const child = spawn('sh', ['-c', `${isDiskFull ? 'ulimit -f 0; ' : ''}exec "$@"`, 'sh', ...args], {
    env: { ...process.env, CONTEXT_BUDGET_STATE: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (isLeftOpen) child.stdin.write(input);
  else child.stdin.end(input);
  const [out, notes] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, notes };
}

/** Fields of an agent's calls to hooks, as in its documentation. */
export type HookFields = (event: string, transcript: string, more?: object) => object;

/** Fields of Claude Code and of Codex. */
export const claudeCodeFields: HookFields = (event, transcript, more = {}) => ({
  session_id: 's1',
  transcript_path: transcript,
  cwd: '/projects/printer',
  permission_mode: 'default',
  hook_event_name: event,
  ...more,
});

/** Fields of Copilot in VS Code, which reports every start as new. */
export const copilotFields: HookFields = (event, transcript, more = {}) => ({
  timestamp: '2026-02-03T04:05:06.000Z',
  cwd: '/projects/printer',
  sessionId: 's1',
  hookEventName: event,
  transcript_path: transcript,
  ...more,
});

/** Fields of Copilot CLI, which names the session's file only before a compaction and at the end of a turn. */
export const copilotCliFields: HookFields = (event, transcript, more = {}) => ({
  hook_event_name: event,
  session_id: 's1',
  timestamp: '2026-02-03T04:05:06.000Z',
  cwd: '/projects/printer',
  ...(event === 'PostToolUse'
    ? { tool_name: 'view', tool_input: {}, tool_result: { result_type: 'success', text_result_for_llm: '' } }
    : { transcript_path: transcript }),
  ...more,
});

/** The text that a hook's answer adds to the context; undefined if the hook gave no answer. */
export function contextIn(answer: string | undefined): string | undefined {
  if (answer === undefined || answer === '') return undefined;
  const { hookSpecificOutput } = JSON.parse(answer) as {
    hookSpecificOutput: { hookEventName: string; additionalContext: string };
  };
  return hookSpecificOutput.additionalContext;
}

/**
 * Calls a hook in this process. What the hook leaves to a separate process is read before this returns.
 * @returns the hook's answer
 */
export function callHook(
  input: string,
  event: string | undefined,
  folder: string,
): Promise<string | undefined> {
  return runHook(Promise.resolve(input), event, folder, async (later) => {
    await callHook(later, 'Read', folder);
  });
}

/** A session file of an agent, and the hooks that the agent calls about the session. */
export class HookedSession {
  /** Folder for all files; removed at the end. */
  readonly folder: string;
  /** Path of the session's file. */
  readonly path: string;
  /** Folder in which the hooks keep their notes. */
  readonly notes: string;
  private readonly fields: HookFields;

  private constructor(folder: string, fields: HookFields) {
    this.folder = folder;
    this.path = join(folder, 's1.jsonl');
    this.notes = join(folder, 'notes');
    this.fields = fields;
  }

  /** @param text text of the session's file; if undefined, no file is written */
  static async hold(text: string | undefined, fields: HookFields = claudeCodeFields): Promise<HookedSession> {
    const session = new HookedSession(await mkdtemp(join(tmpdir(), 'hooks-')), fields);
    if (text !== undefined) await writeFile(session.path, text);
    return session;
  }

  /** Calls a hook in this process. @returns the text that the hook adds to the context */
  async call(event: string, more: object = {}): Promise<string | undefined> {
    const input = JSON.stringify(this.fields(event, this.path, more));
    return contextIn(await callHook(input, event, this.notes));
  }

  append(text: string): Promise<void> {
    return appendFile(this.path, text);
  }

  /** Lines of the log. */
  async log(): Promise<readonly string[]> {
    const text = await readFile(join(this.notes, 'hooks.log'), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }

  /** Path of the only file with the recorded facts. */
  async notesFile(): Promise<string> {
    const names = (await readdir(this.notes)).filter((name) => name.endsWith('.notes.json'));
    return join(this.notes, names[0] ?? '');
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

interface HookGroup {
  readonly hooks: readonly { readonly command: string }[];
}

/**
 * Runs the hooks in an agent's configuration, as Claude Code does.
 *
 * @param settings path of the configuration
 * @returns their standard output
 */
export async function runConfiguredHooks(
  settings: string,
  environment: Readonly<Record<string, string>>,
  event: string,
  input: object,
): Promise<string> {
  const json = (await readFile(settings, 'utf8')).replace(/^\s*\/\/.*$/gmu, '');
  const { hooks } = JSON.parse(json) as { readonly hooks: Readonly<Record<string, readonly HookGroup[]>> };
  const env = { ...process.env, ...environment };
  const answers = (hooks[event] ?? [])
    .flatMap((group) => group.hooks)
    .map(({ command }) => {
      const child = spawn('sh', ['-c', command], { env, stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.end(JSON.stringify(input));
      return text(child.stdout);
    });
  return (await Promise.all(answers)).join('');
}
