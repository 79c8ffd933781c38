import { spawn } from 'node:child_process';
import { tailOf } from '../../compaction/clip.ts';
import { throwIfAborted } from './define-tool.ts';

export interface RipgrepRun {
  readonly executable: string;
  /** Flags, without the pattern and the path. */
  readonly flags: readonly string[];
  /** What comes behind `--`: the pattern where there is one, and a path. */
  readonly operands: readonly string[];
  readonly directory: string;
  /** An open file that it reads where the path is `-`. */
  readonly input?: number;
  /** What ends an item of the output. */
  readonly separator: '\n' | '\0';
  /** Gets each item; `false` means that no more are wanted. */
  readonly onItem: (item: string) => boolean;
  /** When it has to be done, on the clock of `performance.now()`. */
  readonly deadline: number;
}

/** How a run went. */
export interface RipgrepOutcome {
  /** What went wrong, in ripgrep's words. Files that it could not read are none of it. */
  readonly problem?: string;
  /** The limit at which it was ended. What it had found until then counts. */
  readonly limit?: 'time' | 'output';
}

/** Seconds that a search may take, with everything it looks up first. */
const mostSeconds = 15;
/** Said where a limit was reached. */
export const limitNote = `The search was ended at its limit of ${mostSeconds} s, so there may be more. Use a narrower pattern, path or glob.`;

/** The end of the time for a search that begins now. */
export function searchDeadline(): number {
  return performance.now() + mostSeconds * 1000;
}

/**
 * Flags of every run. Hidden files count, `.git` never does, and ignore files hold also where there is no
 * repository. Results are sorted, so that the first ones are the same every time. A pattern that would need more
 * memory is refused.
 */
const commonFlags = [
  '--no-config',
  '--hidden',
  '--no-require-git',
  '--glob=!.git',
  '--sort=path',
  '--no-messages',
  '--color=never',
  '--regex-size-limit=10M',
  '--dfa-size-limit=10M',
];
/** Characters kept of what ripgrep complains about, from the end: before it stands the pattern. */
const longestComplaint = 4_000;
/** Characters of an item. No path is longer. */
const longestItem = 64_000;
/** Characters of all that it puts out: the names of a million files. */
const mostOutput = 64_000_000;

/**
 * Runs ripgrep, without a shell, until it has finished, enough was found, or a limit is reached.
 *
 * @throws {DOMException} `AbortError` where the signal was aborted; the process has ended by then
 */
export async function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<RipgrepOutcome> {
  throwIfAborted(signal);
  const remaining = run.deadline - performance.now();
  if (remaining <= 0) return { limit: 'time' };
  const child = spawn(run.executable, [...run.flags, ...commonFlags, '--', ...run.operands], {
    cwd: run.directory,
    stdio: [run.input ?? 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let limit: RipgrepOutcome['limit'];
  let isEnough = false;
  const kill = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const timer = setTimeout(() => {
    limit = 'time';
    kill();
  }, remaining);

  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = tailOf(complaint + text, longestComplaint);
  });
  const items = new Items(run.separator, (item) => {
    if (isEnough || limit !== undefined || run.onItem(item)) return;
    isEnough = true;
    kill();
  });
  let read = 0;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    items.push(text);
    read += text.length;
    if (read <= mostOutput || isEnough) return;
    limit ??= 'output';
    kill();
  });

  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    throwIfAborted(signal);
    if (limit !== undefined) return { limit };
    items.end();
    const hasFailed = exitCode === 2 && complaint !== '' && !isEnough;
    return hasFailed ? { problem: complaint.trim() } : {};
  } catch (error) {
    throwIfAborted(signal);
    return { problem: `ripgrep could not be started: ${error instanceof Error ? error.message : ''}` };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}

/** Puts a stream together again, piece by piece, each character once. Of an item that is too long nothing counts. */
class Items {
  private readonly separator: string;
  private readonly take: (item: string) => void;
  private pieces: string[] = [];
  private length = 0;

  constructor(separator: string, take: (item: string) => void) {
    this.separator = separator;
    this.take = take;
  }

  push(text: string): void {
    let from = 0;
    for (let at = text.indexOf(this.separator); at >= 0; at = text.indexOf(this.separator, from)) {
      this.add(text.slice(from, at));
      this.end();
      from = at + 1;
    }
    this.add(text.slice(from));
  }

  end(): void {
    const isItem = this.length > 0 && this.length <= longestItem;
    if (isItem) this.take(this.pieces.join(''));
    this.pieces = [];
    this.length = 0;
  }

  private add(piece: string): void {
    this.length += piece.length;
    if (this.length <= longestItem) this.pieces.push(piece);
    else this.pieces = [];
  }
}
