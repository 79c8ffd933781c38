import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A process that leads its own group, with all its descendants. */
export interface ProcessTree {
  /** Id of the process, and of its group. */
  readonly leader: number;
  /** A value in the leader's environment. It identifies descendants that left both the group and their parent. */
  readonly mark: string;
  /** True if the leader is a supervisor, so that killing it immediately kills all other processes. */
  readonly isKeeper?: boolean;
}

/** Milliseconds that processes have to exit before they are killed. */
const grace = 2_000;
/** Milliseconds between checks for remaining processes. The first are short because most processes exit at once. */
const pauses = [20, 40, 80, 160, 300, 600, 800] as const;
/** Maximum number of rounds of killing. A round finds processes that started while their parent was being killed. */
const mostRounds = 10;

/** Ends processes, after two seconds by force. @param extent `group` spares services @returns true if any ran */
export async function endTree(tree: ProcessTree, extent: 'group' | 'everything'): Promise<boolean> {
  if (process.platform === 'win32') return killOnWindows(tree.leader);
  const known = new Map<number, string>();
  const members = () => membersOf(tree, extent, known);
  // Collected before the first signal, because children of an ended process cannot be traced to it.
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

/** Kills the group without waiting, for use when this process is about to end. */
export function killGroup({ leader }: ProcessTree): void {
  if (process.platform !== 'win32') send(-leader, 'SIGKILL');
}

/** Finds the running processes of a tree. `known` keeps each of them, because an orphan could not be found again. */
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
  // The loop also visits the members that it adds.
  for (const { id } of members) for (const child of childrenOf.get(id) ?? []) members.add(child);
  for (const { id, startedAt } of members) known.set(id, startedAt);
  return [...members];
}

function send(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch {
    // The process has ended in the meantime, or belongs to another user.
  }
}

async function killOnWindows(leader: number): Promise<boolean> {
  const taskkill = path.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  // Fails if the process has already ended.
  const killed = promisify(execFile)(taskkill, ['/pid', String(leader), '/t', '/f']);
  return killed.then(
    () => true,
    () => false,
  );
}

interface RunningProcess {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
  /** Start time in the system's unit. Together with the id it identifies a process. */
  readonly startedAt: string;
  readonly isMarked: boolean;
}

/** Lists all running processes, except on Windows. @param mark text to find in their environments */
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
    // The program's name, in parentheses, may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    // Environments of other users' processes cannot be read.
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
