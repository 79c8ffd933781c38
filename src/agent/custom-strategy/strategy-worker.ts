import fs from 'node:fs';
import { CompactionFailure, englishOf, phraseOf } from '../../compaction/records/reason.ts';
import { customSentences } from '../../language/custom-english.ts';
import { headOf } from '../../compaction/text/clip.ts';
import { SentenceError } from '../../language/sentence.ts';
import type { CustomHit, CustomPorts } from '../../compaction/strategies/contract/custom-strategy.ts';
import { canConfine, confine } from './confinement.ts';
import { deepFreeze } from './authored-strategy.ts';
import { instantiate } from './instantiate.ts';
import { frameOf, framesIn, largestMessage, largestOfHost } from './frames.ts';
import type { PortName, PortReply, WorkerMessage, WorkerStart } from './worker-messages.ts';
import { PendingCalls } from '../pending-calls.ts';

/**
 * The program of a process that runs a custom strategy once. The host ends the process when it has the answer. Messages
 * are read and written by file descriptor: a stream would be a socket, and with it a way to the network.
 */

const { read, writeSync } = fs;
const { reallyExit } = process as unknown as { readonly reallyExit: (code: number) => void };
const input = 0;
const output = 3;

/** Calls that wait for their replies; a strategy that makes more is not reading any. */
const mostWaiting = 1_000;

const calls = new PendingCalls();

function tell(message: WorkerMessage): void {
  const frame = frameOf(message, largestMessage);
  // Blocks while the host has enough to do.
  for (let at = 0; at < frame.length;) at += writeSync(output, frame, at);
}

function ask(port: PortName, ...parameters: readonly unknown[]): Promise<unknown> {
  return calls.begin((id) => {
    if (calls.size >= mostWaiting) {
      throw new SentenceError(customSentences.say('tooManyWaiting', { most: mostWaiting }));
    }
    tell({ kind: 'call', id, port, parameters });
  });
}

async function* bytesOfHost(): AsyncGenerator<Buffer> {
  const chunk = Buffer.alloc(65_536);
  for (;;) {
    const size = await new Promise<number>((resolve) => {
      read(input, chunk, 0, chunk.length, null, (error, count) => resolve(error === null ? count : 0));
    });
    if (size === 0) return;
    yield chunk.subarray(0, size);
  }
}

function portsFor(model: WorkerStart['model']): CustomPorts {
  return {
    meter: { count: (texts) => ask('count', texts) as Promise<readonly number[]> },
    model:
      model === undefined
        ? undefined
        : {
            id: model.id,
            window: model.window,
            summarise: (messageIds, focus) => ask('summarise', messageIds, focus) as Promise<string>,
            prompt: (prompt) => ask('prompt', prompt) as Promise<string>,
          },
    archive: {
      recall: (id) => ask('recall', id) as Promise<string | undefined>,
      search: (query) => ask('search', query) as Promise<readonly CustomHit[]>,
    },
    clock: { now: () => ask('now') as Promise<number> },
  };
}

async function plan({ module, exportName, input: given, model }: WorkerStart): Promise<unknown> {
  if (!canConfine()) {
    const { node: version } = process.versions;
    throw new CompactionFailure('custom-failed', customSentences.say('cannotConfine', { version }));
  }
  confine();
  const ports = portsFor(model);
  const exports = (await import(module)) as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(exports, exportName)) {
    const known = Object.keys(exports).join(', ') || customSentences.say('none');
    throw new CompactionFailure('custom-missing', customSentences.say('noExport', { exports: known }));
  }
  const strategy = await instantiate(exports[exportName], ports);
  // Its time is up when the process ends, so this signal has nothing to add.
  return strategy.plan(deepFreeze(given), ports, new AbortController().signal);
}

/** Sends an answer to the host. One that cannot be sent at all is no plan either. */
function answer(given: unknown): void {
  try {
    tell({ kind: 'answer', answer: given });
  } catch (error) {
    const problem = phraseOf(error);
    throw new CompactionFailure('custom-invalid', customSentences.say('notPlainData', { problem }));
  }
}

function fail(error: unknown): void {
  const code = error instanceof CompactionFailure ? error.code : 'custom-failed';
  const isKnown = code === 'custom-missing' || code === 'custom-failed';
  const phrase = phraseOf(error);
  tell({
    kind: 'failure',
    code: isKnown ? code : 'custom-invalid',
    message: headOf(englishOf(phrase), 1_000),
    sentence: typeof phrase === 'string' ? undefined : phrase,
  });
}

/** Node would wait for the read that is under way; the host does not. */
function exitAtOnce(code: unknown): never {
  const ended = customSentences.say('processExited', { code: String(Number(code)) });
  fail(new CompactionFailure('custom-failed', ended));
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

process.on('uncaughtException', fail);
Reflect.set(process, 'reallyExit', exitAtOnce);

let isStarted = false;
for await (const frame of framesIn(bytesOfHost(), largestOfHost)) {
  const message: unknown = JSON.parse(frame.toString('utf8'));
  if (!isStarted) {
    isStarted = true;
    void plan(message as WorkerStart)
      .then(answer)
      .catch(fail);
    continue;
  }
  calls.settle(message as PortReply);
}
// Its host is gone.
reallyExit.call(process, 0);
