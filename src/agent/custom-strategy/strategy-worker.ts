import fs from 'node:fs';
import { CompactionFailure, phraseOf } from '../../compaction/records/reason.ts';
import { customSentences } from '../../language/english/custom-english.ts';
import { headOf } from '../../compaction/text/clip.ts';
import { type Sentence, SentenceError } from '../../language/sentence.ts';
import type { CustomPorts } from '../../compaction/strategies/contract/custom-strategy.ts';
import { canConfine, confine } from './confinement.ts';
import {
  deepFreeze,
  isStrategy,
  type StrategyImplementation,
  titledAnswer,
} from './strategy-implementation.ts';
import { frameOf, framesIn, largestMessage, largestOfHost } from './frames.ts';
import type { PlanOrder, PortFunctions, StrategyProcess } from './worker-messages.ts';
import { type ChannelMessage, WorkerChannel } from '../worker-channel.ts';

/** The process that runs a custom strategy once. It uses file descriptors, because a stream would be a socket. */

const { read, writeSync } = fs;
const { reallyExit } = process as unknown as { readonly reallyExit: (code: number) => void };
const input = 0;
const output = 3;

/** Maximum number of pending calls. A strategy with more of them does not read the replies. */
const mostWaiting = 1_000;

const channel = new WorkerChannel<PortFunctions, StrategyProcess>(tell, { plan });

function tell(message: ChannelMessage): void {
  if ('call' in message && channel.pending > mostWaiting) {
    throw new SentenceError(customSentences.say('tooManyWaiting', { most: mostWaiting }));
  }
  const frame = frameFor(message);
  // Writing blocks while the host is busy.
  for (let at = 0; at < frame.length;) at += writeSync(output, frame, at);
}

/** Encodes a message. A plan that is not plain JSON becomes a failure. */
function frameFor(message: ChannelMessage): Buffer {
  try {
    return frameOf(message, largestMessage);
  } catch (error) {
    if ('call' in message) throw error;
    const problem = phraseOf(error);
    throw new CompactionFailure('custom-invalid', customSentences.say('notPlainData', { problem }));
  }
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

function portsFor(model: PlanOrder['model']): CustomPorts {
  return {
    meter: { count: (texts) => channel.call('count', [texts]) },
    model:
      model === undefined
        ? undefined
        : {
            id: model.id,
            window: model.window,
            summarise: (messageIds, focus) => channel.call('summarise', [messageIds, focus]),
            prompt: (prompt) => channel.call('prompt', [prompt]),
          },
    archive: {
      recall: (id) => channel.call('recall', [id]),
      search: (query) => channel.call('search', [query]),
    },
    clock: { now: () => channel.call('now', []) },
  };
}

async function plan(order: PlanOrder): Promise<unknown> {
  try {
    return await planConfined(order);
  } catch (error) {
    throw failureOf(error);
  }
}

async function planConfined({ module, exportName, input: given, model }: PlanOrder): Promise<unknown> {
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
  // This signal is never aborted, because the host kills the process at the deadline.
  const answer = await strategy.plan(deepFreeze(given), ports, new AbortController().signal);
  return titledAnswer(strategy, answer);
}

/** Returns the failure to report, with a permitted code. Messages of other errors are shortened. */
function failureOf(error: unknown): CompactionFailure {
  const code = error instanceof CompactionFailure ? error.code : 'custom-failed';
  const isKnown = code === 'custom-missing' || code === 'custom-failed';
  const phrase = phraseOf(error);
  return new CompactionFailure(
    isKnown ? code : 'custom-invalid',
    typeof phrase === 'string' ? headOf(phrase, 1_000) : phrase,
  );
}

/** Reports the exit to the host and then blocks for ever. Node itself would wait for the read in progress. */
function exitAtOnce(code: unknown): never {
  const ended = customSentences.say('processExited', { code: String(Number(code)) });
  channel.giveUp(new CompactionFailure('custom-failed', ended));
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

process.on('uncaughtException', (error) => channel.giveUp(failureOf(error)));
Reflect.set(process, 'reallyExit', exitAtOnce);

for await (const frame of framesIn(bytesOfHost(), largestOfHost)) {
  void channel.receive(JSON.parse(frame.toString('utf8')) as ChannelMessage);
}
reallyExit.call(process, 0);

/** Creates a strategy from an exported class or function. @throws {CompactionFailure} `custom-invalid`, or its error */
async function instantiate(exported: unknown, ports: CustomPorts): Promise<StrategyImplementation> {
  if (typeof exported !== 'function') throw invalid(customSentences.say('noFunction'));
  const inject: unknown = Reflect.get(exported, 'inject') ?? [];
  if (!Array.isArray(inject)) throw invalid(customSentences.say('injectNoList', { ports: names(ports) }));
  const dependencies = inject.map((name: unknown): unknown => {
    if (typeof name !== 'string' || !Object.hasOwn(ports, name)) {
      throw invalid(
        customSentences.say('injectUnknown', { name: JSON.stringify(name), ports: names(ports) }),
      );
    }
    return ports[name as keyof CustomPorts];
  });
  const isClass = /^class\b/.test(Function.prototype.toString.call(exported));
  const made: unknown = isClass
    ? Reflect.construct(exported, dependencies)
    : await (exported as (...given: readonly unknown[]) => unknown)(...dependencies);
  if (!isStrategy(made)) throw invalid(customSentences.say('noPlanMethod'));
  return made;
}

function names(ports: CustomPorts): string {
  return Object.keys(ports).join(', ');
}

function invalid(problem: Sentence): CompactionFailure {
  return new CompactionFailure('custom-invalid', problem);
}
