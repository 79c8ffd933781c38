import { parentPort, workerData } from 'node:worker_threads';
import { CompactionFailure, messageOf } from '../../compaction/failure.ts';
import type { OutsideHit, OutsidePorts } from '../../compaction/outside/outside-strategy.ts';
import { deepFreeze } from './deep-freeze.ts';
import { instantiate } from './instantiate.ts';
import type { PortName, PortReply, WorkerMessage, WorkerStart } from './worker-messages.ts';

/** Runs a custom strategy on a thread of its own, once. The host ends the thread when it has the answer. */

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

const { module, exportName, input, model } = workerData as WorkerStart;
const waiting = new Map<number, Waiting>();
let lastId = 0;

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

function ask(port: PortName, ...parameters: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const id = ++lastId;
    tell({ kind: 'call', id, port, parameters });
    waiting.set(id, { resolve, reject });
  });
}

parentPort?.on('message', (reply: PortReply) => {
  const caller = waiting.get(reply.id);
  waiting.delete(reply.id);
  if ('error' in reply) caller?.reject(new Error(reply.error));
  else caller?.resolve(reply.value);
});

const ports: OutsidePorts = {
  meter: { count: (texts) => ask('count', texts) as Promise<readonly number[]> },
  model:
    model === undefined
      ? undefined
      : {
          ...model,
          summarise: (messageIds, focus) => ask('summarise', messageIds, focus) as Promise<string>,
          prompt: (prompt) => ask('prompt', prompt) as Promise<string>,
        },
  archive: {
    recall: (id) => ask('recall', id) as Promise<string | undefined>,
    search: (query) => ask('search', query) as Promise<readonly OutsideHit[]>,
  },
  clock: { now: () => ask('now') as Promise<number> },
};

async function run(): Promise<unknown> {
  const exports = (await import(module)) as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(exports, exportName)) {
    const known = Object.keys(exports).join(', ') || 'nothing';
    throw new CompactionFailure('custom-missing', `The module does not export it; it exports ${known}.`);
  }
  const strategy = await instantiate(exports[exportName], ports);
  // Its time is up when the thread ends, so this signal has nothing to add.
  return strategy.plan(deepFreeze(input), ports, new AbortController().signal);
}

/** What cannot be sent to the host at all is no plan either. */
function answer(given: unknown): void {
  try {
    tell({ kind: 'answer', answer: given });
  } catch (error) {
    throw new CompactionFailure('custom-invalid', `The answer is not plain data. ${messageOf(error)}`);
  }
}

run()
  .then(answer)
  .catch((error: unknown) => {
    const isOurs = error instanceof CompactionFailure;
    const code =
      isOurs && error.code === 'custom-missing' ? error.code : isOurs ? 'custom-invalid' : 'custom-failed';
    tell({ kind: 'failure', code, message: messageOf(error) });
  });
