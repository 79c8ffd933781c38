import { type CancellationSignal, throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { CompactionFailure, phraseOf } from '../../compaction/records/reason.ts';
import type { Phrase, ReasonCode } from '../../compaction/records/record.ts';
import type {
  CustomInput,
  CustomStrategy,
  EnginePorts,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import { customSentences } from '../../language/english/custom-english.ts';
import { deepFreeze, titledAnswer } from './strategy-implementation.ts';
import type { RegisteredStrategies, RegisteredStrategy } from './registered-strategies.ts';
import { completePorts, timeUp } from './strategy-ports.ts';
import { within } from '../worker-channel.ts';

/** Prepares a registered strategy. @param deadline milliseconds @throws {CompactionFailure} `custom-missing` */
export function registeredStrategy(
  registered: RegisteredStrategies,
  id: string,
  deadline: number,
): CustomStrategy {
  const strategy = registered.get(id);
  if (strategy === undefined) {
    const ids = registered.ids.join(', ') || customSentences.say('none');
    const problem = customSentences.say('notRegistered', { ids });
    throw new CompactionFailure('custom-missing', customSentences.say('named', { name: id, problem }));
  }
  return {
    name: id,
    plan: (input, ports, signal) => run(strategy, input, ports, deadline, signal),
  };
}

/** Runs the strategy with a copy of the input. It runs in the host's thread, so an endless loop cannot be stopped. */
async function run(
  strategy: RegisteredStrategy,
  input: CustomInput,
  enginePorts: EnginePorts,
  deadline: number,
  signal: CancellationSignal,
): Promise<unknown> {
  throwIfCancelled(signal);
  const failure = (code: ReasonCode, problem: Phrase, cause?: unknown) =>
    new CompactionFailure(code, customSentences.say('named', { name: strategy.id, problem }), { cause });
  const stopper = new AbortController();
  const late = {
    milliseconds: deadline,
    error: () => failure('custom-timeout', timeUp(deadline)),
  };
  const plan = async (): Promise<unknown> => {
    try {
      const copy = deepFreeze(structuredClone(input));
      return titledAnswer(strategy, await strategy.plan(copy, completePorts(enginePorts), stopper.signal));
    } catch (error) {
      throw error instanceof CompactionFailure ? error : failure('custom-failed', phraseOf(error), error);
    }
  };
  try {
    return await within(plan(), { signal, deadline: late });
  } finally {
    stopper.abort();
  }
}
