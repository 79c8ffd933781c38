import type { CancellationSignal } from '../../compaction/signals/cancellation.ts';
import type {
  CustomInput,
  CustomModel,
  CustomStrategy,
  EnginePorts,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import { type Trial, tryStrategies } from '../inspector/what-if-trial.ts';
import type { HostChannel } from './engine-calls.ts';

/** A trial of strategies in the engine. Custom strategies run where the host runs them. */
export class TrialTask {
  private readonly task: number;
  private readonly host: HostChannel;
  /** Ports of the custom strategy that is planning now, or undefined. */
  private planning: EnginePorts | undefined;

  constructor(task: number, host: HostChannel) {
    this.task = task;
    this.host = host;
  }

  async run(
    trial: Trial,
    transcript: Transcript,
    meter: UsageMeter,
    signal: CancellationSignal,
  ): Promise<void> {
    const { host, task } = this;
    const told: Promise<unknown>[] = [];
    await tryStrategies(
      trial,
      transcript,
      { meter, customStrategy: () => this.customStrategy(), now: () => Date.now() },
      (running, done) => void told.push(host.call('progress', [task, running, done]).catch(() => {})),
      signal,
    );
    await Promise.all(told);
  }

  /** @throws {Error} if no custom strategy is planning */
  get ports(): EnginePorts {
    if (this.planning === undefined) throw new Error('No custom strategy is planning.');
    return this.planning;
  }

  /** @throws {Error} if no custom strategy is planning, or if it has no model */
  get model(): CustomModel {
    const { model } = this.ports;
    if (model === undefined) throw new Error('There is no model.');
    return model;
  }

  private async customStrategy(): Promise<CustomStrategy> {
    const name = await this.host.call('find', [this.task]);
    return { name: name ?? '', plan: (input, ports) => this.plan(input, ports) };
  }

  private async plan(input: CustomInput, ports: EnginePorts): Promise<unknown> {
    const { model, originals } = ports;
    this.planning = ports;
    try {
      const known = model === undefined ? undefined : { id: model.id, window: model.window };
      return await this.host.call('plan', [this.task, input, originals, known]);
    } finally {
      this.planning = undefined;
    }
  }
}
