import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { CancelledError, throwIfCancelled, type CancellationSignal } from '../../compaction/cancellation.ts';
import { CompactionFailure, messageOf } from '../../compaction/failure.ts';
import type {
  EnginePorts,
  OutsideInput,
  OutsideStrategy,
} from '../../compaction/outside/outside-strategy.ts';
import { Deadline } from './deadline.ts';
import { completePorts, timeUp } from './ports.ts';
import { isPortCall, servePort } from './serve-ports.ts';
import type { PortReply, WorkerStart } from './worker-messages.ts';

export interface ModuleOptions {
  /** What messages call it. */
  readonly name: string;
  /** Absolute path of the module. */
  readonly file: string;
  readonly exportName: string;
  /** The bundled `strategy-worker.js`. */
  readonly workerScript: URL;
  /** In milliseconds. */
  readonly deadline: number;
}

/** Memory that the thread may take, in megabytes. */
const mostMemory = 512;
/** Calls of ports that one run may make; a strategy has no reason to come near it. */
const mostCalls = 10_000;
/** Characters of a message that a module threw, as far as they are told. */
const longestMessage = 500;

/**
 * A strategy in a module. Each plan loads it anew, on a thread of its own that ends with the plan, at the deadline or
 * with the signal: whatever it does, it cannot hold up or change anything here.
 */
export function moduleStrategy(options: ModuleOptions): OutsideStrategy {
  return { name: options.name, plan: (input, ports, signal) => run(options, input, ports, signal) };
}

async function run(
  { name, file, exportName, workerScript, deadline }: ModuleOptions,
  input: OutsideInput,
  enginePorts: EnginePorts,
  signal: CancellationSignal,
): Promise<unknown> {
  throwIfCancelled(signal);
  const { model } = enginePorts;
  const start: WorkerStart = {
    module: pathToFileURL(file).href,
    exportName,
    input,
    model: model === undefined ? undefined : { id: model.id, window: model.window },
  };
  const worker = new Worker(workerScript, {
    workerData: start,
    execArgv: [],
    // What it prints is read and forgotten, so that it neither reaches our output nor piles up.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: mostMemory },
  });
  worker.stdout.resume();
  worker.stderr.resume();

  let listener: (() => void) | undefined;
  let timer: Deadline | undefined;
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const fail = (code: CompactionFailure['code'], message: string) => {
        reject(new CompactionFailure(code, `${name}: ${message.slice(0, longestMessage)}`));
      };
      const clock = new Deadline(deadline, () => reject(timeUp(name, deadline)));
      timer = clock;
      const ports = completePorts(enginePorts, clock);
      listener = () => reject(new CancelledError());
      signal.addEventListener('abort', listener, { once: true });

      let calls = 0;
      worker.on('message', (message: unknown) => {
        if (isPortCall(message)) {
          if (++calls > mostCalls) fail('custom-invalid', `It called its ports over ${mostCalls} times.`);
          else {
            const reply = (given: PortReply) => worker.postMessage(given);
            const { id } = message;
            Promise.resolve()
              .then(() => servePort(ports, message))
              .then(
                (value) => reply({ id, value }),
                (error: unknown) => reply({ id, error: messageOf(error) }),
              );
          }
        } else if (isAnswer(message)) resolve(message.answer);
        else if (isFailure(message)) fail(message.code, message.message);
        else fail('custom-invalid', 'It sent a message of its own.');
      });
      worker.on('error', (error: unknown) => fail('custom-failed', messageOf(error)));
      worker.on('exit', (code) => {
        fail('custom-failed', `Its thread ended before it had answered (exit code ${code}).`);
      });
    });
  } finally {
    timer?.clear();
    if (listener !== undefined) signal.removeEventListener('abort', listener);
    void worker.terminate();
  }
}

function isAnswer(message: unknown): message is { readonly answer: unknown } {
  return isObject(message) && message['kind'] === 'answer';
}

const failureCodes = ['custom-missing', 'custom-failed', 'custom-invalid'] as const;

function isFailure(
  message: unknown,
): message is { readonly code: (typeof failureCodes)[number]; readonly message: string } {
  return (
    isObject(message) &&
    message['kind'] === 'failure' &&
    failureCodes.some((code) => code === message['code']) &&
    typeof message['message'] === 'string'
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
