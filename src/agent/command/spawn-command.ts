import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { BoundedOutput, CommandOutput } from './command-output.ts';
import { commandEnvironment } from './command-environment.ts';
import { type Enclosure, shellFor } from './sandbox.ts';
import { endTree, killGroup, type ProcessTree } from './command-processes.ts';
import { sendFilter } from './system-call-filter.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { SentenceError } from '../../language/sentence.ts';

export interface CommandRun {
  readonly command: string;
  readonly directory: string;
  /** Environment of this process. The command gets only a part of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of further variables for the command, which the user has added. */
  readonly added?: readonly string[] | undefined;
  readonly timeoutMs: number;
  readonly onOutput: (text: string) => void;
  /** Everything needed to start the command in the sandbox; undefined to run it outside. */
  readonly enclosure?: Enclosure | undefined;
}

export type CommandEnding =
  | { readonly how: 'exited'; readonly exitCode: number }
  | { readonly how: 'signalled'; readonly signal: string }
  | { readonly how: 'timed-out' }
  | { readonly how: 'stopped' };

export interface CommandOutcome {
  readonly ending: CommandEnding;
  /** Standard output and error in order of arrival, without secrets, escape sequences or overwritten lines. */
  readonly output: string;
  readonly lines: number;
  readonly isShortened: boolean;
  readonly durationMs: number;
  /** True if background processes were still running when the command exited, and were then ended. */
  readonly hasLeftProcesses: boolean;
}

/** Milliseconds to wait for late output after a command has ended, because another process may keep the pipe open. */
const lastOutputMs = 500;

/** Name of the variable that marks all processes of a command. */
const markName = 'CONTEXT_BUDGET_COMMAND';

/** Runs a command line without standard input, and ends its processes before it returns. @throws if it cannot start */
export async function spawnCommand(run: CommandRun, signal: AbortSignal): Promise<CommandOutcome> {
  const startedAt = performance.now();
  const kept = new BoundedOutput();
  const since = () => Math.round(performance.now() - startedAt);
  const outcome = (ending: CommandEnding, hasLeftProcesses = false): CommandOutcome => ({
    ending,
    output: kept.toString(),
    lines: kept.lines,
    isShortened: kept.isShortened,
    durationMs: since(),
    hasLeftProcesses,
  });
  if (signal.aborted) return outcome({ how: 'stopped' });

  const mark = randomUUID();
  const child = start(run, mark);
  const output = new CommandOutput(run.environment, kept, run.onOutput);
  child.stdout?.setEncoding('utf8').on('data', (text: string) => output.push('stdout', text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => output.push('stderr', text));
  const notes = new SandboxNotes(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const interruption = new Interruption(signal, run.timeoutMs);
  let tree: ProcessTree | undefined;
  const killAtExit = () => {
    if (tree !== undefined) killGroup(tree);
  };
  process.once('exit', killAtExit);
  try {
    const exit = endingOf(child);
    if (child.pid !== undefined)
      tree = { leader: child.pid, mark, isKeeper: run.enclosure?.isKeeper ?? false };
    const ending = await Promise.race([exit, interruption.happened]);
    let hasLeftProcesses = false;
    if (tree !== undefined && (ending.how === 'timed-out' || ending.how === 'stopped')) {
      await endTree(tree, 'everything');
      await orLater(closed, lastOutputMs);
    } else if (tree !== undefined) {
      await orLater(closed, lastOutputMs);
      // The descendants of the supervisor, including services, end with it.
      hasLeftProcesses = await endTree(tree, tree.isKeeper === true ? 'everything' : 'group');
      if (hasLeftProcesses) await orLater(closed, lastOutputMs);
    }
    output.end();
    if (run.enclosure !== undefined && ending.how !== 'stopped' && !notes.hasBegun) {
      throw new SentenceError(agentSentences.say('sandboxNotStarted', { reason: kept.toString().trim() }));
    }
    return outcome(ending, hasLeftProcesses || notes.hasLeftProcesses);
  } finally {
    interruption.dispose();
    process.removeListener('exit', killAtExit);
    // A service that the command started may keep the other end open for ever.
    child.stdout?.destroy();
    child.stderr?.destroy();
    notes.end();
  }
}

function start(
  { command, directory, environment, added, enclosure }: CommandRun,
  mark: string,
): ChildProcess {
  const shell = enclosure?.shell ?? shellFor(command);
  const isWindows = process.platform === 'win32';
  const child = spawn(shell.file, shell.arguments, {
    cwd: directory,
    env: { ...commandEnvironment(environment, added), ...enclosure?.environment, [markName]: mark },
    stdio: [
      ...(['ignore', 'pipe', 'pipe'] as const),
      ...(enclosure === undefined ? [] : ['pipe' as const]),
      ...(enclosure?.filter === undefined ? [] : ['pipe' as const]),
    ],
    // A separate process group, so that all its processes can be ended together.
    detached: !isWindows,
    windowsHide: true,
    windowsVerbatimArguments: isWindows,
  });
  sendFilter(child, enclosure?.filter);
  return child;
}

class SandboxNotes {
  private readonly pipe: Readable | undefined;
  private said = '';

  constructor({ stdio }: ChildProcess) {
    this.pipe = (stdio[3] ?? undefined) as Readable | undefined;
    this.pipe?.setEncoding('latin1').on('data', (text: string) => {
      if (this.said.length < 2) this.said += text.replaceAll('\n', '');
    });
  }

  get hasBegun(): boolean {
    return this.said.includes('s');
  }

  get hasLeftProcesses(): boolean {
    return this.said.includes('b');
  }

  end(): void {
    this.pipe?.destroy();
  }
}

function endingOf(child: ChildProcess): Promise<CommandEnding> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) =>
      resolve(
        exitCode === null ? { how: 'signalled', signal: signal ?? 'unknown' } : { how: 'exited', exitCode },
      ),
    );
  });
}

class Interruption {
  readonly happened: Promise<CommandEnding>;
  private readonly over = new AbortController();

  constructor(signal: AbortSignal, timeoutMs: number) {
    this.happened = new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ how: 'timed-out' }), timeoutMs);
      this.over.signal.addEventListener('abort', () => clearTimeout(timer));
      signal.addEventListener('abort', () => resolve({ how: 'stopped' }), { signal: this.over.signal });
    });
  }

  dispose(): void {
    this.over.abort();
  }
}

/** Waits for a promise, but no longer than the given milliseconds. */
async function orLater(event: Promise<void>, milliseconds: number): Promise<void> {
  const patience = new AbortController();
  const later = delay(milliseconds, undefined, { signal: patience.signal }).catch(() => {});
  await Promise.race([event, later]);
  patience.abort();
}
