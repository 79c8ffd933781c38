import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  type CancellationSignal,
  CancelledError,
  throwIfCancelled,
  orCancelled,
} from '../../compaction/signals/cancellation.ts';
import { CompactionFailure, messageOf, phraseOf } from '../../compaction/records/reason.ts';
import { customSentences } from '../../language/custom-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import type { Phrase } from '../../compaction/records/record.ts';
import type {
  CustomInput,
  CustomPorts,
  CustomPrompt,
  CustomStrategy,
  EnginePorts,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import { headOf } from '../../compaction/text/clip.ts';
import { MessageError, readBoundedJson } from './frames.ts';
import { timeUp } from './strategy-reference.ts';
import { completePorts } from './strategy-ports.ts';
import { type PortCall, type PortReply, readWorkerMessage, type WorkerStart } from './worker-messages.ts';
import {
  type Ending,
  mostMemory,
  mostProcessorTime,
  startWorker,
  type WorkerProcess,
} from './worker-process.ts';

export interface ModuleOptions {
  /** Its name in messages. */
  readonly name: string;
  /** Absolute path of the module, without symbolic links. */
  readonly file: string;
  readonly exportName: string;
  /** Absolute paths of the folders that it may read, without symbolic links; its own if none are given. */
  readonly folders?: readonly string[];
  /** The bundled `strategy-worker.js`. */
  readonly workerScript: URL;
  /** In milliseconds, including the time it waits for a model. */
  readonly deadline: number;
}

/** Calls of ports that one plan may make; a strategy has no reason to come near it. */
const mostCalls = 10_000;
/** Calls that are served at the same time; the process waits for the rest. */
const mostAtOnce = 8;
/** Bytes of all messages of one plan, in both directions. */
const mostBytes = 256_000_000;
/** Exit code of Node for an option that it does not know. */
const badOption = 9;
/** Characters of a message that a module threw, as far as they are told. */
const longestMessage = 500;

/**
 * A strategy in a module. Each plan loads it into a process of its own, which ends with the plan, at the deadline or
 * with the signal: whatever it does, it cannot hold up or change anything here.
 */
export function moduleStrategy(options: ModuleOptions): CustomStrategy {
  return { name: options.name, plan: (input, ports, signal) => run(options, input, ports, signal) };
}

async function run(
  { name, file, exportName, folders = [path.dirname(file)], workerScript, deadline }: ModuleOptions,
  input: CustomInput,
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
  let worker: WorkerProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    const started = startWorker(workerScript, folders);
    worker = started;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new CompactionFailure('custom-timeout', timeUp(deadline))), deadline);
    });
    const answer = converse(started, start, completePorts(enginePorts));
    return await orCancelled(Promise.race([answer, late]), signal);
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    const code = error instanceof CompactionFailure ? error.code : 'custom-failed';
    const phrase = phraseOf(error);
    const problem = typeof phrase === 'string' ? headOf(phrase, longestMessage) : phrase;
    throw new CompactionFailure(code, customSentences.say('named', { name, problem }));
  } finally {
    clearTimeout(timer);
    worker?.kill();
  }
}

/**
 * Serves a process until it has answered.
 *
 * @throws {CompactionFailure} with a `custom-` code if it does not
 */
async function converse(worker: WorkerProcess, start: WorkerStart, ports: CustomPorts): Promise<unknown> {
  const serving = new Set<Promise<void>>();
  let calls = 0;
  let bytes = await worker.tell(start);
  // What a port refused comes back as a failure of the strategy, unless the strategy handles it.
  const refusals = new Map<string, Phrase>();
  const serve = async (call: PortCall): Promise<void> => {
    const reply = await replyTo(call, ports, refusals);
    bytes += await worker
      .tell(reply)
      .catch((error: unknown) => worker.tell({ id: call.id, error: messageOf(error) }));
  };
  try {
    for await (const frame of worker.messages) {
      bytes += frame.length;
      if (bytes > mostBytes) throw invalid(customSentences.say('tooManyBytes', { most: mostBytes }));
      const message = readWorkerMessage(readBoundedJson(frame));
      if (message === undefined) throw invalid(customSentences.say('ownMessage'));
      if (message.kind === 'failure') {
        const { code, message: words, sentence = refusals.get(words) ?? words } = message;
        throw new CompactionFailure(code, sentence);
      }
      if (message.kind === 'answer') return message.answer;
      if (++calls > mostCalls) throw invalid(customSentences.say('tooManyCalls', { most: mostCalls }));
      const served = serve(message).finally(() => serving.delete(served));
      serving.add(served);
      // What else runs here comes first, however fast it calls.
      await setImmediate();
      if (serving.size >= mostAtOnce) await Promise.race([...serving, worker.ended]);
    }
  } catch (error) {
    if (error instanceof CompactionFailure) throw error;
    if (error instanceof MessageError || error instanceof SyntaxError) throw invalid(phraseOf(error));
    // The pipe broke, because the process ended.
  }
  throw endingOf(await worker.ended);
}

async function replyTo(
  call: PortCall,
  ports: CustomPorts,
  refusals: Map<string, Phrase>,
): Promise<PortReply> {
  const { id } = call;
  try {
    return { id, value: await servePort(ports, call) };
  } catch (error) {
    refusals.set(messageOf(error), phraseOf(error));
    return { id, error: messageOf(error) };
  }
}

function endingOf(ending: Ending): CompactionFailure {
  switch (ending.kind) {
    case 'memory':
      return failed(customSentences.say('tooMuchMemory', { megabytes: mostMemory }));
    case 'unable':
      return failed(customSentences.say('processNotStarted', { reason: ending.reason }));
    case 'signal':
      return ending.signal === 'SIGXCPU'
        ? new CompactionFailure(
            'custom-timeout',
            customSentences.say('computedTooLong', { seconds: mostProcessorTime }),
          )
        : failed(customSentences.say('processSignalled', { signal: ending.signal }));
    case 'exit':
      return ending.code === badOption
        ? failed(customSentences.say('cannotConfine', { version: process.versions.node }))
        : failed(customSentences.say('processExited', { code: String(ending.code) }));
  }
}

function failed(problem: Sentence): CompactionFailure {
  return new CompactionFailure('custom-failed', problem);
}

function invalid(problem: Phrase): CompactionFailure {
  return new CompactionFailure('custom-invalid', problem);
}

/**
 * Handles a request from a custom strategy.
 *
 * @throws {CompactionFailure} `custom-invalid` if it asked with something else than the contract says
 */
export function servePort(ports: CustomPorts, { port, parameters }: PortCall): Promise<unknown> {
  const [first, second] = parameters;
  switch (port) {
    case 'count':
      return ports.meter.count(textsOf(first, 'meter.count'));
    case 'summarise': {
      if (ports.model === undefined) throw invalid(customSentences.say('noModel'));
      const focus = second == null ? undefined : textOf(second, 'model.summarise');
      return ports.model.summarise(textsOf(first, 'model.summarise'), focus);
    }
    case 'prompt': {
      if (ports.model === undefined) throw invalid(customSentences.say('noModel'));
      // Read where it is answered: nothing else is known of it here.
      return ports.model.prompt(first as CustomPrompt);
    }
    case 'recall':
      return ports.archive.recall(textOf(first, 'archive.recall'));
    case 'search':
      return ports.archive.search(textOf(first, 'archive.search'));
    case 'now':
      return ports.clock.now();
  }
}

function textOf(value: unknown, called: string): string {
  if (typeof value === 'string') return value;
  throw invalid(customSentences.say('takesString', { port: called }));
}

function textsOf(value: unknown, called: string): readonly string[] {
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw invalid(customSentences.say('takesStrings', { port: called }));
}
