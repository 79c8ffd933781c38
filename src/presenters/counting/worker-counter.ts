import { hostSentences } from '../../language/host-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { Worker } from 'node:worker_threads';
import type { EncodingName } from '../../compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { CountReply, CountRequest } from './counter-worker.ts';
import { PendingCalls } from '../../agent/pending-calls.ts';

/** Counts texts on another thread. The thread starts with the first text and ends with `dispose`. */
export class WorkerCounter {
  private readonly script: URL;
  private worker: Worker | undefined;
  private readonly calls = new PendingCalls<readonly number[]>();
  private readonly meters = new Map<EncodingName, UsageMeter>();

  /** @param script the bundled `counter-worker.js` */
  constructor(script: URL) {
    this.script = script;
  }

  /** The meter of an encoding; always the same one, so that what it counted once is not counted again. */
  meterOf(encoding: EncodingName): UsageMeter {
    const meter =
      this.meters.get(encoding) ??
      new UsageMeter({ count: (texts) => this.count(encoding, texts) }, { countsReasoning: false });
    this.meters.set(encoding, meter);
    return meter;
  }

  async dispose(): Promise<void> {
    await this.worker?.terminate();
  }

  private count(encoding: EncodingName, texts: readonly string[]): Promise<readonly number[]> {
    const worker = this.start();
    return this.calls.begin((id) => {
      const request: CountRequest = { id, encoding, texts };
      worker.postMessage(request);
    });
  }

  private start(): Worker {
    if (this.worker !== undefined) return this.worker;
    const worker = new Worker(this.script);
    worker.unref();
    worker.on('message', (reply: CountReply) => this.calls.settle(reply));
    // A thread that died is replaced by the next count; those that waited for it are told.
    const fail = (error: Error) => {
      if (this.worker === worker) this.worker = undefined;
      this.calls.rejectAll(error);
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new SentenceError(hostSentences.say('countingEnded'))));
    this.worker = worker;
    return worker;
  }
}
