import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  type CancellationSignal,
  CancelledError,
  throwIfCancelled,
} from '../../compaction/signals/cancellation.ts';
import { CompactionFailure, phraseOf } from '../../compaction/records/reason.ts';
import { customSentences } from '../../language/english/custom-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import type { Phrase } from '../../compaction/records/record.ts';
import type {
  CustomInput,
  CustomPorts,
  CustomStrategy,
  EnginePorts,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import { headOf } from '../../compaction/text/clip.ts';
import { MessageError, readBoundedJson } from './frames.ts';
import {
  type CallHandlers,
  type ChannelMessage,
  type ErrorReply,
  type ReplyMessage,
  WorkerChannel,
} from '../worker-channel.ts';
import { completePorts, timeUp } from './strategy-ports.ts';
import {
  type PlanOrder,
  type PortFunctions,
  readProcessMessage,
  type StrategyProcess,
} from './worker-messages.ts';
import {
  type Ending,
  mostMemory,
  mostProcessorTime,
  startWorker,
  type WorkerProcess,
} from './worker-process.ts';

interface ModuleOptions {
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
  const order: PlanOrder = {
    module: pathToFileURL(file).href,
    exportName,
    input,
    model: model === undefined ? undefined : { id: model.id, window: model.window },
  };
  const late = {
    milliseconds: deadline,
    error: () => new CompactionFailure('custom-timeout', timeUp(deadline)),
  };
  let worker: WorkerProcess | undefined;
  try {
    worker = await startWorker(workerScript, folders);
    const channel = serve(worker, completePorts(enginePorts));
    return await channel.call('plan', [order], { signal, deadline: late });
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    const code = error instanceof CompactionFailure ? error.code : 'custom-failed';
    const phrase = phraseOf(error);
    const problem = typeof phrase === 'string' ? headOf(phrase, longestMessage) : phrase;
    throw new CompactionFailure(code, customSentences.say('named', { name, problem }));
  } finally {
    worker?.kill();
  }
}

/** Opens a channel to a process and serves it until it has answered, breaks a rule, or ends. */
function serve(worker: WorkerProcess, ports: CustomPorts): WorkerChannel<StrategyProcess, PortFunctions> {
  // What a port refused comes back as a failure of the strategy, unless the strategy handles it.
  const refusals = new Map<string, Sentence | undefined>();
  const refused = ({ id, error: { message, sentence } }: ErrorReply): ErrorReply => {
    refusals.set(message, sentence);
    // A strategy is told the words only.
    return { id, error: { message } };
  };
  let calls = 0;
  let bytes = 0;
  const tell = async (message: ChannelMessage): Promise<void> => {
    bytes += await worker.tell('error' in message ? refused(message) : message);
  };
  const channel = new WorkerChannel<StrategyProcess, PortFunctions>(tell, portHandlers(ports));
  const receiveReply = (reply: ReplyMessage): Promise<void> => {
    if (!('error' in reply)) return channel.receive(reply);
    const { message, sentence = refusals.get(message) } = reply.error;
    return channel.receive({ id: reply.id, error: { ...reply.error, sentence } });
  };

  const serving = new Set<Promise<void>>();
  const listen = async (): Promise<void> => {
    for await (const frame of worker.messages) {
      bytes += frame.length;
      if (bytes > mostBytes) throw invalid(customSentences.say('tooManyBytes', { most: mostBytes }));
      const message = readProcessMessage(readBoundedJson(frame));
      if (message === undefined) throw invalid(customSentences.say('ownMessage'));
      if (!('call' in message)) {
        // It has one reply to give.
        await receiveReply(message);
        throw invalid(customSentences.say('ownMessage'));
      }
      if (++calls > mostCalls) throw invalid(customSentences.say('tooManyCalls', { most: mostCalls }));
      const served = channel.receive(message).finally(() => serving.delete(served));
      serving.add(served);
      // What else runs here comes first, however fast it calls.
      await setImmediate();
      if (serving.size >= mostAtOnce) await Promise.race([...serving, worker.ended]);
    }
  };
  const end = async (): Promise<Error> => {
    try {
      await listen();
    } catch (error) {
      if (error instanceof CompactionFailure) return error;
      if (error instanceof MessageError || error instanceof SyntaxError) return invalid(phraseOf(error));
      // The pipe broke, because the process ended.
    }
    return endingOf(await worker.ended);
  };
  void end().then((error) => channel.fail(error));
  return channel;
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
 * Functions that a custom strategy can call. What it calls them with is read here.
 *
 * @throws {CompactionFailure} `custom-invalid` if it asked with something else than the contract says
 */
function portHandlers({ meter, model, archive, clock }: CustomPorts): CallHandlers<PortFunctions> {
  const knownModel = () => {
    if (model === undefined) throw invalid(customSentences.say('noModel'));
    return model;
  };
  return {
    count: (texts: unknown) => meter.count(textsOf(texts, 'meter.count')),
    summarise(ids: unknown, focus?: unknown) {
      const asked = knownModel();
      const onlyOn = focus == null ? undefined : textOf(focus, 'model.summarise');
      return asked.summarise(textsOf(ids, 'model.summarise'), onlyOn);
    },
    // Read where it is answered: nothing else is known of it here.
    prompt: (prompt) => knownModel().prompt(prompt),
    recall: (id: unknown) => archive.recall(textOf(id, 'archive.recall')),
    search: (query: unknown) => archive.search(textOf(query, 'archive.search')),
    now: () => clock.now(),
  };
}

function textOf(value: unknown, called: string): string {
  if (typeof value === 'string') return value;
  throw invalid(customSentences.say('takesString', { port: called }));
}

function textsOf(value: unknown, called: string): readonly string[] {
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw invalid(customSentences.say('takesStrings', { port: called }));
}
