import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { customSentences } from '../../language/english/custom-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { sendFilter } from '../command/system-call-filter.ts';
import { watchMemory } from '../command/watch-memory.ts';
import { encloseWorker } from './worker-sandbox.ts';
import { frameOf, framesIn, largestMessage, largestOfHost } from './frames.ts';

/** Memory of JavaScript objects, in megabytes; a plan that fills it ends itself. */
const mostHeap = 512;
/** All memory of the process, in megabytes. */
export const mostMemory = 1_024;
/** Time that the process may compute, in seconds: an endless loop ends before its deadline. */
export const mostProcessorTime = 30;

/** Reason that a process ended before it was told to. */
export type Ending =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'memory' }
  | { readonly kind: 'unable'; readonly reason: string };

/** A process that runs a custom strategy. */
export interface WorkerProcess {
  /** Its messages, each as its JSON. Nothing is read that is not asked for, so that it waits if the host is busy. */
  readonly messages: AsyncIterable<Buffer>;
  /** Resolves when the process has room for more. @returns the bytes it took */
  tell(message: unknown): Promise<number>;
  readonly ended: Promise<Ending>;
  kill(): void;
}

/**
 * Starts the bundled `strategy-worker.js` in a process of its own: without environment, with Node's permission model,
 * with limits that the operating system keeps where it can, and in the system's sandbox, if there is one, without
 * network.
 *
 * @param readable absolute paths of folders that it may read
 * @throws {SentenceError} for a folder that the permission model could not name
 */
export async function startWorker(script: URL, readable: readonly string[]): Promise<WorkerProcess> {
  const program = fileURLToPath(script);
  // Sources import from the folders of other layers, too.
  const own = path.resolve(program, program.endsWith('.ts') ? '../../..' : '..');
  const node = [
    process.execPath,
    '--permission',
    ...[own, ...readable].map(readFlag),
    `--max-old-space-size=${mostHeap}`,
    '--no-addons',
    '--no-warnings',
    program,
  ];
  const limited = process.platform === 'win32' ? node : withLimits(node);
  const enclosed = await encloseWorker(limited, [own, ...readable]);
  const [command = '', ...args] = enclosed?.command ?? limited;
  const child = spawn(command, args, {
    cwd: own,
    env: environment(),
    stdio: ['pipe', 'ignore', 'ignore', 'pipe', enclosed === undefined ? 'ignore' : 'pipe'],
    windowsHide: true,
  });
  sendFilter(child, enclosed?.filter);
  const kill = () => void child.kill('SIGKILL');

  const ended = new Promise<Ending>((resolve) => {
    child.once('error', (error) => {
      enclosed?.[Symbol.dispose]();
      resolve({ kind: 'unable', reason: error.message });
    });
    const stopWatching = watchMemory(child.pid, mostMemory * 1_048_576, () => {
      resolve({ kind: 'memory' });
      kill();
    });
    child.once('exit', (code, signal) => {
      stopWatching();
      enclosed?.[Symbol.dispose]();
      const ended = signal ?? (enclosed?.isKeeper === true ? signalOf(code ?? 0) : undefined);
      resolve(ended === undefined ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', signal: ended });
    });
  });
  const { stdin } = child;
  let drained: Promise<unknown> | undefined;
  // A process that ends in the middle of a message breaks the pipe; its exit says why.
  stdin?.on('error', () => {});
  const output = child.stdio[3] as Readable;
  output.on('error', () => {});
  return {
    messages: framesIn(output, largestMessage),
    ended,
    kill,
    async tell(message) {
      const frame = frameOf(message, largestOfHost);
      if (stdin?.write(frame) === false) {
        // It breaks if the process ends.
        drained ??= Promise.race([once(stdin, 'drain').catch(() => {}), ended]).then(() => {
          drained = undefined;
        });
        await drained;
      }
      return frame.length;
    },
  };
}

/** The signal that a keeper tells by its exit code. */
function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
}

/** `*` would mean any name. */
function readFlag(folder: string): string {
  if (folder.includes('*')) throw new SentenceError(customSentences.say('starInFolder', { folder }));
  return `--allow-fs-read=${folder.endsWith(path.sep) ? folder : folder + path.sep}`;
}

/** Nothing of the host's; VS Code's own program runs as Node with the one variable, and Windows needs the other. */
function environment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot === undefined ? {} : { SystemRoot }) };
}

/** A limit that a system does not know is left out. On Linux, memory that is not of V8's heap is limited, too. */
function withLimits(command: readonly string[]): readonly string[] {
  const limits = [`ulimit -c 0`, `ulimit -St ${mostProcessorTime}`, `ulimit -d ${mostMemory * 1_024}`];
  return ['/bin/sh', '-c', `${limits.join(' 2>/dev/null; ')} 2>/dev/null; exec "$@"`, 'sh', ...command];
}
