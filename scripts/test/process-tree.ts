import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** Milliseconds in which a process must end after it was asked to end. */
const patience = 5000;

const running = new Set<ChildProcess>();
let isGuarding = false;

/**
 * Ensures that a child process ends with this process, and that its own children end with it. The child must lead a
 * separate process group (`detached`), except on Windows.
 *
 * @returns a promise that settles if the child ends without having been stopped
 */
export function guardTree(child: ChildProcess): Promise<void> {
  guardThisProcess();
  running.add(child);
  child.once('error', () => running.delete(child));
  return new Promise((resolve) => {
    child.once('exit', () => {
      killTree(child, 'SIGKILL');
      if (running.delete(child)) resolve();
    });
  });
}

/** Stops the guarded children when this process ends or is asked to end. */
function guardThisProcess(): void {
  if (isGuarding) return;
  isGuarding = true;
  process.on('exit', () => {
    for (const each of running) killTree(each, 'SIGKILL');
  });
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void Promise.allSettled([...running].map(stopTree)).then(() =>
        process.exit(128 + constants.signals[signal]),
      );
    });
  }
}

/** Asks a guarded child to end, and kills it if it does not end in time. */
export async function stopTree(child: ChildProcess): Promise<void> {
  if (!running.delete(child)) return;
  const ended = once(child, 'exit');
  killTree(child, 'SIGTERM');
  const impatience = setTimeout(() => killTree(child, 'SIGKILL'), patience);
  await ended;
  clearTimeout(impatience);
}

function killTree(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The process group no longer exists.
  }
}
