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
  readonly name: string;
  /** Absolute path of the module, without symbolic links. */
  readonly file: string;
  readonly exportName: string;
  /** Absolute paths of readable folders, without symbolic links. The default is the module's own folder. */
  readonly folders?: readonly string[];
  /** URL of the bundled `strategy-worker.js`. */
  readonly workerScript: URL;
  /** Maximum milliseconds for a plan, including the time it waits for a model. */
  readonly deadline: number;
}

/** Maximum number of port calls in one plan, far above any real need. */
const mostCalls = 10_000;
/** Maximum number of calls served at once. The process must wait before it can make more calls. */
const mostAtOnce = 8;
/** Maximum bytes of all messages of one plan, in both directions. */
const mostBytes = 256_000_000;
/** Exit code of Node for an unknown option. */
const badOption = 9;
const longestMessage = 500;

/** Creates a strategy from a module. Each plan has its own process, until the plan, deadline or signal ends it. */
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

/** Opens a channel to a process. Serves its calls until it answers, breaks a rule or ends. */
function serve(worker: WorkerProcess, ports: CustomPorts): WorkerChannel<StrategyProcess, PortFunctions> {
  // The error of a refused call becomes the failure of the strategy, unless the strategy handles it.
  const refusals = new Map<string, Sentence | undefined>();
  const refused = ({ id, error: { message, sentence } }: ErrorReply): ErrorReply => {
    refusals.set(message, sentence);
    // The strategy gets only the message of the error.
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
        // The process may send only one reply.
        await receiveReply(message);
        throw invalid(customSentences.say('ownMessage'));
      }
      if (++calls > mostCalls) throw invalid(customSentences.say('tooManyCalls', { most: mostCalls }));
      const served = channel.receive(message).finally(() => serving.delete(served));
      serving.add(served);
      // Lets other work run first, even if the process makes many calls.
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

/** Functions that a custom strategy can call. They check arguments. @throws {CompactionFailure} `custom-invalid` */
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
    // Not checked here, because the model's port checks the prompt.
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
