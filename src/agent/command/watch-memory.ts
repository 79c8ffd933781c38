import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Milliseconds between two measurements. */
const interval = 100;
/** Minimum bytes of a memory page on any Linux that runs an editor. */
const pageSize = 4_096;

/** Watches the memory of a process, on Linux with its descendants. @param most bytes @returns a function to stop it */
export function watchMemory(pid: number | undefined, most: number, exceeded: () => void): () => void {
  if (pid === undefined) return () => {};
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    const held = await residentBytes(pid).catch(() => undefined);
    if (isOver || held === undefined) return;
    if (held > most) exceeded();
    else wait();
  };
  const wait = () => {
    timer = setTimeout(() => void look(), interval);
    timer.unref();
  };
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Returns the memory of a process in bytes; undefined if the system does not report it. */
async function residentBytes(pid: number): Promise<number | undefined> {
  switch (process.platform) {
    case 'linux': {
      const [, pages] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
      // Some systems do not list child processes.
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
      const ofChildren = (children.match(/\d+/g) ?? []).map((child) =>
        residentBytes(Number(child)).catch(() => 0),
      );
      return (await Promise.all(ofChildren)).reduce<number>(
        (sum, bytes = 0) => sum + bytes,
        Number(pages) * pageSize,
      );
    }
    case 'win32': {
      // The row is `"node.exe","4711","Console","1","45.678 K"`, with the separators of the system's language.
      const row = await outputOf(tasklist, ['/fi', `PID eq ${pid}`, '/fo', 'csv', '/nh']);
      const size = /"([^"]*)"\s*$/.exec(row)?.[1]?.replace(/\D/g, '');
      return size === undefined || size === '' ? undefined : Number(size) * 1_024;
    }
    default:
      return Number(await outputOf('/bin/ps', ['-o', 'rss=', '-p', String(pid)])) * 1_024;
  }
}

/** Fixed path, because the PATH or the current folder may have another program of this name. */
const tasklist = path.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'tasklist.exe');

function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const { SystemRoot } = process.env;
    const env = SystemRoot === undefined ? {} : { SystemRoot };
    execFile(program, args, { timeout: 5_000, windowsHide: true, env }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(new Error(error.message));
    });
  });
}
