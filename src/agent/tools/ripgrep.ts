import { spawn } from 'node:child_process';
import { throwIfAborted } from './define-tool.ts';

export interface RipgrepRun {
  readonly executable: string;
  /** Flags, without the pattern and the path. */
  readonly flags: readonly string[];
  /** What comes behind `--`: the pattern where there is one, and a path. */
  readonly operands: readonly string[];
  readonly directory: string;
  /** What ends an item of the output. */
  readonly separator: '\n' | '\0';
  /** Gets each item; `false` means that no more are wanted. */
  readonly onItem: (item: string) => boolean;
}

/** How a run went wrong, in ripgrep's words. Files that it could not read are none of it. */
export interface RipgrepOutcome {
  readonly problem?: string;
}

/**
 * Flags of every run. Hidden files count, `.git` never does, and ignore files hold also where there is no
 * repository. Results are sorted, so that the first ones are the same every time.
 */
const commonFlags = [
  '--no-config',
  '--hidden',
  '--no-require-git',
  '--glob=!.git',
  '--sort=path',
  '--no-messages',
  '--color=never',
];
/** Characters kept of what ripgrep complains about. */
const longestComplaint = 4_000;

/**
 * Runs ripgrep, without a shell, until it has finished or enough was found.
 *
 * @throws {DOMException} `AbortError` where the signal was aborted; the process has ended by then
 */
export async function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<RipgrepOutcome> {
  throwIfAborted(signal);
  const child = spawn(run.executable, [...run.flags, ...commonFlags, '--', ...run.operands], {
    cwd: run.directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const kill = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });

  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < longestComplaint) complaint += text;
  });
  let pending = '';
  let isEnough = false;
  const take = (item: string) => {
    if (isEnough || item === '') return;
    if (run.onItem(item)) return;
    isEnough = true;
    kill();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const items = (pending + text).split(run.separator);
    pending = items.pop() ?? '';
    items.forEach(take);
  });

  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    throwIfAborted(signal);
    take(pending);
    const hasFailed = exitCode === 2 && complaint !== '' && !isEnough;
    return hasFailed ? { problem: complaint.slice(0, longestComplaint).trim() } : {};
  } catch (error) {
    throwIfAborted(signal);
    return { problem: `ripgrep could not be started: ${error instanceof Error ? error.message : ''}` };
  } finally {
    signal.removeEventListener('abort', kill);
  }
}
