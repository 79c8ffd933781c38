import { parentPort } from 'node:worker_threads';
import { channelOfPort } from '../../agent/worker-channel.ts';
import { loadEncoding, type EncodingName } from '../../compaction/tokens/token-counter.ts';

/** Counts on a thread of its own: building the table of ranks and counting a long text would hold up the editor. */

/** Functions that the thread offers. */
export interface CountingThread {
  count(encoding: EncodingName, texts: readonly string[]): readonly number[];
}

if (parentPort !== null) {
  channelOfPort<object, CountingThread>(parentPort, {
    count: async (encoding, texts) => texts.map(await loadEncoding(encoding)),
  });
}
