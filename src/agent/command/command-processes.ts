import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A process that was started in a group of its own, and everything it started. */
export interface ProcessTree {
  /** Id of the process, and of its group. */
  readonly leader: number;
  /** Stands in the environment of the leader, so that what has left both the group and its parent is found too. */
  readonly mark: string;
  /** The leader only keeps the others, and all of them are killed when it ends: it is not asked to. */
  readonly isKeeper?: boolean;
}

/** Milliseconds that processes have to end by themselves. */
const grace = 2_000;
/** Milliseconds between checks for remaining processes: short at first, since most end at once. */
const pauses = [20, 40, 80, 160, 300, 600, 800] as const;
/** A process started while its parent is being killed is found in the next round. */
const mostRounds = 10;

/**
 * Ends processes: asks them to exit, and kills those left after two seconds.
 *
 * @param extent `group` leaves those alone that made themselves independent, as services do
 * @returns whether there was anything to end
 */
export async function endTree(tree: ProcessTree, extent: 'group' | 'everything'): Promise<boolean> {
  if (process.platform === 'win32') return killOnWindows(tree.leader);
  const known = new Map<number, string>();
  const members = () => membersOf(tree, extent, known);
  // Found before the first signal: children of a parent that has ended can no longer be traced to it.
  let left = await members();
  if (left.length === 0) return false;
  signalAll(tree, left, 'SIGTERM');
  const deadline = performance.now() + grace;
  for (const pause of pauses) {
    await delay(Math.max(0, Math.min(pause, deadline - performance.now())));
    left = await members();
    if (left.length === 0) return true;
  }
  for (let round = 0; round < mostRounds && left.length > 0; round++) {
    signalAll(tree, left, 'SIGKILL');
    await delay(pauses[0]);
    left = await members();
  }
  return true;
}

function signalAll(
  { leader, isKeeper = false }: ProcessTree,
  members: readonly RunningProcess[],
  signal: NodeJS.Signals,
): void {
  if (!isKeeper || signal === 'SIGKILL') send(-leader, signal);
  for (const { id, group } of members) if (group !== leader) send(id, signal);
}

/** Ends processes now, without waiting for anything; for when this process is about to end. */
export function killGroup({ leader }: ProcessTree): void {
  if (process.platform !== 'win32') send(-leader, 'SIGKILL');
}

/**
 * The running processes of a tree.
 *
 * @param known when processes were started that belong to it; grows, since who has lost its parent cannot be found again
 */
async function membersOf(
  { leader, mark }: ProcessTree,
  extent: 'group' | 'everything',
  known: Map<number, string>,
): Promise<readonly RunningProcess[]> {
  const all = (await listProcesses(mark)).filter(({ id }) => id !== process.pid);
  if (extent === 'group') return all.filter(({ group }) => group === leader);
  const childrenOf = new Map<number, RunningProcess[]>();
  for (const each of all) childrenOf.set(each.parent, [...(childrenOf.get(each.parent) ?? []), each]);
  const members = new Set(
    all.filter(
      ({ id, group, startedAt, isMarked }) =>
        id === leader || group === leader || isMarked || known.get(id) === startedAt,
    ),
  );
  // A set that grows while it is walked is walked to its end.
  for (const { id } of members) for (const child of childrenOf.get(id) ?? []) members.add(child);
  for (const { id, startedAt } of members) known.set(id, startedAt);
  return [...members];
}

function send(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch {
    // It has ended meanwhile, or is someone else's.
  }
}

async function killOnWindows(leader: number): Promise<boolean> {
  const taskkill = path.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  // It fails if the process has ended already.
  const killed = promisify(execFile)(taskkill, ['/pid', String(leader), '/t', '/f']);
  return killed.then(
    () => true,
    () => false,
  );
}

/** A process that is running. */
interface RunningProcess {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
  /** When it was started, in whatever unit the system has. Tells processes with the same id apart. */
  readonly startedAt: string;
  /** True if its environment contains the given text. */
  readonly isMarked: boolean;
}

/**
 * All processes, except those that have ended and only wait to be collected. Not for Windows.
 *
 * @param mark looked for in the environments of processes, if the system shows them
 */
function listProcesses(mark: string): Promise<readonly RunningProcess[]> {
  return process.platform === 'linux' ? fromProc(mark) : fromPs(mark);
}

async function fromProc(mark: string): Promise<readonly RunningProcess[]> {
  const names = await readdir('/proc');
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((id) => readOne(id, mark)));
  return found.filter((one) => one !== undefined);
}

/** @returns undefined if the process has ended */
async function readOne(id: string, mark: string): Promise<RunningProcess | undefined> {
  try {
    const stat = await readFile(`/proc/${id}/stat`, 'latin1');
    // The name of the program, in parentheses, can have anything in it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    // Other people's environments cannot be read.
    const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '');
    return {
      id: Number(id),
      parent: Number(parent),
      group: Number(group),
      startedAt: fields[19] ?? '',
      isMarked: environment.includes(mark),
    };
  } catch {
    return undefined;
  }
}

async function fromPs(mark: string): Promise<readonly RunningProcess[]> {
  const columns = 'pid=,ppid=,pgid=,stat=,lstart=,command=';
  const { stdout } = await promisify(execFile)('/bin/ps', ['-A', '-E', '-ww', '-o', columns], {
    env: { LC_ALL: 'C' },
    maxBuffer: 64_000_000,
  });
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+((?:\S+\s+){4}\S+)\s/.exec(line);
    if (match === null || match[4]!.startsWith('Z')) return [];
    const [, id, parent, group, , startedAt] = match;
    return [
      {
        id: Number(id),
        parent: Number(parent),
        group: Number(group),
        startedAt: startedAt!,
        isMarked: line.includes(mark),
      },
    ];
  });
}
