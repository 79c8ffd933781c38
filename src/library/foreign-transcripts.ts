import type { TextCounter } from '../compaction/tokens/token-counter.ts';
import { UsageMeter } from '../compaction/tokens/usage.ts';
import type { TranscriptEntry } from '../compaction/transcript/transcript-entry.ts';
import { allFormats } from '../transcripts/all-formats.ts';
import { followTranscript as follow, type FollowedTranscript } from '../transcripts/followed-transcript.ts';
import { noLimits } from '../transcripts/reading/read-limits.ts';
import { addForeignCompactions as withRecords } from '../transcripts/foreign-compactions.ts';
import { importTranscript, type ImportedTranscript } from '../transcripts/import-transcript.ts';
import type { Imported } from '../transcripts/reading/transcript-format.ts';
import { textCounter } from './token-counting.ts';

/**
 * Reads a transcript.
 *
 * ```ts
 * const { format, entries, problems } = readTranscript(await readFile(path, 'utf8'));
 * ```
 *
 * @param text text of the whole file
 * @param format one of `formatIds`, or `auto`
 * @param conversation id of a conversation in the file; by default the active conversation
 * @throws {ImportError} if no format matches, the given format does not match, or the conversation is missing
 * @throws {TypeError} if the text is not a string
 */
export function readTranscript(text: string, format = 'auto', conversation?: string): ImportedTranscript {
  const given: unknown = text;
  if (typeof given !== 'string') throw new TypeError('The text of a transcript must be a string.');
  return importTranscript(given, format, conversation, noLimits, allFormats);
}

/**
 * Follows a file that grows. Each JSON line is parsed once, when it is complete.
 *
 * @param format one of `formatIds`, or `auto`
 */
export function followTranscriptFile(format = 'auto'): FollowedTranscript {
  return follow(format, noLimits, allFormats);
}

/**
 * Returns the entries of a transcript with the other agent's compactions as records. They can be compared and undone
 * like our own.
 *
 * ```ts
 * const transcript = readTranscript(text);
 * const entries = await withForeignCompactions(transcript);
 * ```
 *
 * @param counter counter of tokens; by default o200k_base, on this thread
 */
export function withForeignCompactions(
  transcript: Imported,
  counter: TextCounter = textCounter(),
): Promise<readonly TranscriptEntry[]> {
  return withRecords(transcript, new UsageMeter(counter, { countsReasoning: true }));
}
