import { Worker } from 'node:worker_threads';
import { CancelledError } from '../../compaction/cancellation.ts';
import type { Message } from '../../compaction/message.ts';
import type {
  CustomInput,
  CustomModel,
  CustomStrategy,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import type { Transcript } from '../../compaction/transcript.ts';
import { setImmediate as pause } from 'node:timers/promises';
import { WhatIfChannel, type ChannelMessage } from './what-if-channel.ts';
import type { TellProgress, Trial } from './what-if-trial.ts';

/** Entries that are copied to the thread before other work of the host has its turn. */
const entriesAtOnce = 100;

/**
 * Tries strategies on a thread of its own, which ends with the last of them or with the signal. Only a strategy of
 * somebody else is run where its host always runs it.
 *
 * @param script absolute path of the bundled `what-if-worker.js`
 * @param outside what `custom` stands for; undefined where nothing is named
 * @throws {CancelledError} where the signal was aborted
 * @throws {Error} where the thread failed
 */
export async function tryOnThread(
  script: string,
  trial: Trial,
  { entries }: Pick<Transcript, 'entries'>,
  outside: (() => Promise<CustomStrategy>) | undefined,
  tellProgress: TellProgress,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) throw new CancelledError();
  const worker = new Worker(script);
  const found: { strategy: CustomStrategy | undefined } = { strategy: undefined };
  const channel: WhatIfChannel = new WhatIfChannel((message) => worker.postMessage(message), {
    progress: tellProgress,
    find: async () => {
      found.strategy = await outside?.();
      return found.strategy?.name;
    },
    plan: (
      input: CustomInput,
      originals: readonly Message[],
      model: Pick<CustomModel, 'id' | 'window'> | undefined,
    ) =>
      found.strategy?.plan(
        input,
        {
          originals,
          meter: { count: (texts) => channel.call('count', texts) as Promise<readonly number[]> },
          model: model && {
            ...model,
            summarise: (ids, focus) => channel.call('summarise', ids, focus) as Promise<string>,
            prompt: (prompt) => channel.call('prompt', prompt) as Promise<string>,
          },
        },
        signal,
      ),
  });
  worker.on('message', (message: ChannelMessage) => void channel.receive(message));
  worker.on('error', (error: Error) => channel.fail(error));
  worker.on('exit', () => channel.fail(new Error('The thread that tries strategies ended.')));
  const stop = () => channel.fail(new CancelledError());
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (let start = 0; start < entries.length; start += entriesAtOnce) {
      await channel.call('entries', entries.slice(start, start + entriesAtOnce));
      await pause();
    }
    await channel.call('run', trial);
  } finally {
    signal.removeEventListener('abort', stop);
    void worker.terminate();
  }
}
