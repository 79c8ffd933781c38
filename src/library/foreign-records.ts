import { type TextCounter, UsageMeter } from '../compaction/tokens/usage.ts';
import type { TranscriptEntry } from '../compaction/transcript/transcript-entry.ts';
import { withForeignCompactions as withRecords } from '../transcripts/foreign-compactions.ts';
import type { Imported } from '../transcripts/reading/transcript-format.ts';
import { textCounter } from './token-counting.ts';

/**
 * The entries of a transcript with the compactions of the other agent as records among them, so that they can be
 * compared and undone like our own.
 *
 * ```ts
 * const transcript = readTranscript(text);
 * const entries = await withForeignCompactions(transcript);
 * ```
 *
 * @param counter counts in o200k_base, on this thread, unless given
 */
export function withForeignCompactions(
  transcript: Imported,
  counter: TextCounter = textCounter(),
): Promise<readonly TranscriptEntry[]> {
  return withRecords(transcript, new UsageMeter(counter, { countsReasoning: true }));
}
