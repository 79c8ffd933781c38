import {
  type CancellationSignal,
  orCancelled,
  throwIfCancelled,
} from '../../compaction/signals/cancellation.ts';
import { CompactionFailure, phraseOf } from '../../compaction/records/reason.ts';
import type { Phrase, ReasonCode } from '../../compaction/records/record.ts';
import type {
  CustomInput,
  CustomStrategy,
  EnginePorts,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import { customSentences } from '../../language/custom-english.ts';
import { deepFreeze } from './authored-strategy.ts';
import type { RegisteredStrategies, RegisteredStrategy } from './registered-strategies.ts';
import { completePorts } from './strategy-ports.ts';
import { timeUp } from './strategy-reference.ts';

/**
 * A registered strategy, ready to plan.
 *
 * @param deadline in milliseconds
 * @throws {CompactionFailure} `custom-missing` if no extension has it registered now
 */
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

/** Gives it a copy of the input. It runs on our thread, so an endless loop cannot be stopped. */
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
  let timer: NodeJS.Timeout | undefined;
  try {
    const planned = new Promise<unknown>((resolve, reject) => {
      timer = setTimeout(() => {
        reject(failure('custom-timeout', timeUp(deadline)));
      }, deadline);
      const copy = deepFreeze(structuredClone(input));
      const answer = new Promise((done) =>
        done(strategy.plan(copy, completePorts(enginePorts), stopper.signal)),
      );
      answer.then(resolve, (error: unknown) => {
        reject(error instanceof CompactionFailure ? error : failure('custom-failed', phraseOf(error), error));
      });
    });
    return await orCancelled(planned, signal);
  } finally {
    clearTimeout(timer);
    stopper.abort();
  }
}
