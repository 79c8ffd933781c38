import { loadEncoding, type EncodingName } from '../compaction/tokens/encoding.ts';
import { UsageMeter } from '../compaction/tokens/usage.ts';

/** A meter that counts on this thread: a command has nothing else to do meanwhile. */
export async function createMeter(encoding: EncodingName): Promise<UsageMeter> {
  const count = await loadEncoding(encoding);
  return new UsageMeter({ count: (texts) => Promise.resolve(texts.map(count)) }, { countsReasoning: true });
}
