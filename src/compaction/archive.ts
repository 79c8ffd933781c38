import type { Message } from './message.ts';
import { messagesOf, type Transcript } from './transcript.ts';

/**
 * Originals of everything that compactions took out of the view. The transcript is never rewritten, so it is the
 * archive; a summary is found under the id its record gave it.
 */
export function originalOf(transcript: Pick<Transcript, 'entries'>, id: string): Message | undefined {
  for (const entry of transcript.entries) {
    if (entry.type !== 'compaction') continue;
    const summary = entry.record.outputs.find((output) => output.id === id && output.kind === 'summary');
    if (summary !== undefined) return summary;
  }
  return messagesOf(transcript).find((message) => message.id === id);
}
