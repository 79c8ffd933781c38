import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A process that is running. */
export interface RunningProcess {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
  /** When it was started, in whatever unit the system has. Tells processes with the same id apart. */
  readonly startedAt: string;
  /** Whether its environment has the text that was asked for. */
  readonly isMarked: boolean;
}

/**
 * All processes, except those that have ended and only wait to be collected. Not for Windows.
 *
 * @param mark looked for in the environments of processes, where the system shows them
 */
export function listProcesses(mark: string): Promise<readonly RunningProcess[]> {
  return process.platform === 'linux' ? fromProc(mark) : fromPs(mark);
}

async function fromProc(mark: string): Promise<readonly RunningProcess[]> {
  const names = await readdir('/proc');
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((id) => readOne(id, mark)));
  return found.filter((one) => one !== undefined);
}

/** @returns undefined where the process has ended */
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
