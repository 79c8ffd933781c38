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

/** Maximum megabytes for JavaScript objects. A plan that needs more ends its process. */
const mostHeap = 512;
/** Maximum megabytes of memory for the whole process. */
export const mostMemory = 1_024;
/** Maximum seconds of processor time. This ends an endless loop before the deadline. */
export const mostProcessorTime = 30;

/** Reason why a process ended. */
export type Ending =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'memory' }
  | { readonly kind: 'unable'; readonly reason: string };

/** A process that runs a custom strategy. */
export interface WorkerProcess {
  /** Messages of the process as JSON. They are read on demand, so that the process waits for a busy host. */
  readonly messages: AsyncIterable<Buffer>;
  /** Sends a message. Resolves when the process can take more. @returns the number of bytes sent */
  tell(message: unknown): Promise<number>;
  readonly ended: Promise<Ending>;
  kill(): void;
}

/** Starts `strategy-worker.js`, confined as far as the system can. @param readable absolute @throws {SentenceError} */
export async function startWorker(script: URL, readable: readonly string[]): Promise<WorkerProcess> {
  const program = fileURLToPath(script);
  // Unbundled sources also import from the folders of other layers.
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
  // A process that ends in the middle of a message breaks the pipe. Its exit is reported as the reason.
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
        // The pipe breaks if the process ends.
        drained ??= Promise.race([once(stdin, 'drain').catch(() => {}), ended]).then(() => {
          drained = undefined;
        });
        await drained;
      }
      return frame.length;
    },
  };
}

function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
}

/** Returns Node's option for a readable folder. A `*` in the path would match any name. */
function readFlag(folder: string): string {
  if (folder.includes('*')) throw new SentenceError(customSentences.say('starInFolder', { folder }));
  return `--allow-fs-read=${folder.endsWith(path.sep) ? folder : folder + path.sep}`;
}

/** Returns a nearly empty environment. VS Code needs the first variable to run as Node, Windows the second. */
function environment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot === undefined ? {} : { SystemRoot }) };
}

/** Adds the limits that this system supports to a command. On Linux they include memory outside V8's heap. */
function withLimits(command: readonly string[]): readonly string[] {
  const limits = [`ulimit -c 0`, `ulimit -St ${mostProcessorTime}`, `ulimit -d ${mostMemory * 1_024}`];
  return ['/bin/sh', '-c', `${limits.join(' 2>/dev/null; ')} 2>/dev/null; exec "$@"`, 'sh', ...command];
}
