import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import { type ImportedChat, readImportedChat } from '../import/imported-chat.ts';
import { readSessionText } from '../import/session-text.ts';
import { openedLimits } from '../../transcripts/reading/read-limits.ts';
import type { HostChannel, ImportRun } from './engine-calls.ts';
import { entryPortions } from './entry-portions.ts';

/**
 * Reads and counts a session of another agent in the engine: a document is parsed in one piece, whatever its size.
 *
 * @returns the chat without its entries, which are sent before
 * @throws {SentenceError} if it is no file, empty or too large, or holds no session that can be read
 * @throws {CancelledError} if the signal was aborted
 */
export async function importFor(
  task: number,
  { path, name, systemPrompt }: Omit<ImportRun, 'counting'>,
  { meter, host }: { readonly meter: UsageMeter; readonly host: HostChannel },
  signal: AbortSignal,
): Promise<Omit<ImportedChat, 'entries'>> {
  const text = await readSessionText(path, signal, openedLimits);
  const ports = { meter, systemPrompt: () => systemPrompt };
  const { entries, ...chat } = await readImportedChat(text, name, ports, signal);
  await meter.measureEach(messagesOf({ entries }));
  for (const { some, usages } of entryPortions(entries, meter)) {
    throwIfCancelled(signal);
    await host.call('entriesRead', [task, some, usages]);
  }
  return chat;
}
