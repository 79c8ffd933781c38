import { inPortions } from '../../agent/node-slices.ts';
import type { Usage, UsageMeter } from '../../compaction/tokens/usage.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';

/** Entries copied to another thread in one message, with their counts. */
interface EntryPortion {
  readonly some: readonly TranscriptEntry[];
  /** Usage of each message in `some`; undefined for messages that are not counted yet. */
  readonly usages: readonly (Usage | undefined)[];
}

/** Divides entries into portions small enough not to block a thread. */
export function* entryPortions(
  entries: readonly TranscriptEntry[],
  meter: UsageMeter,
): Generator<EntryPortion, void, undefined> {
  for (const some of inPortions(entries, lengthOf)) {
    const usages = some.map((entry) =>
      entry.type === 'message' ? meter.knownUsage(entry.message) : undefined,
    );
    yield { some, usages };
  }
}

/** Adds the counts of another meter to a meter. */
export function learnUsages(meter: UsageMeter, { some, usages }: EntryPortion): void {
  some.forEach((entry, index) => {
    const usage = usages[index];
    if (entry.type === 'message' && usage !== undefined) meter.learn(entry.message, usage);
  });
}

/** Approximate number of characters of an entry. */
function lengthOf(entry: TranscriptEntry): number {
  if (entry.type === 'compaction') {
    return entry.record.outputs.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  }
  if (entry.type !== 'message') return 0;
  const { content, tool_calls: calls = [] } = entry.message;
  const said = typeof content === 'string' ? content.length : JSON.stringify(content).length;
  return calls.reduce((sum, call) => sum + call.function.arguments.length, said);
}
