import { parentPort } from 'node:worker_threads';
import { loadEncoding, type EncodingName } from '../../compaction/tokens/token-counter.ts';
import type { CallReply } from '../../agent/pending-calls.ts';

/** Counts on a thread of its own: building the table of ranks and counting a long text would hold up the editor. */

export interface CountRequest {
  readonly id: number;
  readonly encoding: EncodingName;
  readonly texts: readonly string[];
}

export type CountReply = CallReply<readonly number[]>;

parentPort?.on('message', ({ id, encoding, texts }: CountRequest) => {
  const reply = (message: CountReply) => parentPort?.postMessage(message);
  loadEncoding(encoding).then(
    (count) => reply({ id, value: texts.map(count) }),
    (error: unknown) => reply({ id, error: String(error) }),
  );
});
