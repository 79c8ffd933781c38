import { Worker } from 'node:worker_threads';
import { channelToThread, type WorkerChannel } from '../../agent/worker-channel.ts';
import { defaultImageRule } from '../../compaction/images/image-tokens.ts';
import type { EncodingName } from '../../compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../compaction/tokens/usage.ts';
import { hostSentences } from '../../language/host-english.ts';
import type { CountingThread } from './counter-worker.ts';

interface Counting {
  readonly worker: Worker;
  readonly channel: WorkerChannel<CountingThread, object>;
}

/** Counts texts on another thread. The thread starts with the first text and ends with `dispose`. */
export class WorkerCounter {
  private readonly script: URL;
  private counting: Counting | undefined;
  private readonly meters = new Map<string, UsageMeter>();

  /** @param script the bundled `counter-worker.js` */
  constructor(script: URL) {
    this.script = script;
  }

  /**
   * The meter of an encoding and a rule for images; always the same one, so that what it counted once is not counted
   * again.
   */
  meterOf(encoding: EncodingName, imageRule = defaultImageRule): UsageMeter {
    const key = JSON.stringify([encoding, imageRule]);
    const meter =
      this.meters.get(key) ??
      new UsageMeter(
        { count: (texts) => this.count(encoding, texts) },
        { countsReasoning: false, imageRule },
      );
    this.meters.set(key, meter);
    return meter;
  }

  async dispose(): Promise<void> {
    await this.counting?.worker.terminate();
  }

  private count(encoding: EncodingName, texts: readonly string[]): Promise<readonly number[]> {
    // A thread that died is replaced by the next count; those that waited for it are told.
    if (this.counting?.channel.isOpen !== true) this.counting = start(this.script);
    return this.counting.channel.call('count', [encoding, texts]);
  }
}

function start(script: URL): Counting {
  const worker = new Worker(script);
  worker.unref();
  return { worker, channel: channelToThread(worker, {}, hostSentences.say('countingEnded')) };
}
