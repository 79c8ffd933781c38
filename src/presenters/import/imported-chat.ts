import { orCancelled, throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { isSystem, type Message, type ToolSchema } from '../../compaction/messages/message.ts';
import { tagSuffixFrom } from '../../compaction/quoting/session-tags.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import {
  ImportError,
  type ForeignCompaction,
  type Imported,
} from '../../transcripts/reading/transcript-format.ts';
import { importTranscript } from '../../transcripts/import-transcript.ts';
import { openedLimits } from '../../transcripts/reading/read-limits.ts';
import { addForeignCompactions } from '../../transcripts/foreign-compactions.ts';
import { importsSentences } from '../../language/english/imports-english.ts';
import { sessionName } from '../../transcripts/reading/typed-title.ts';

/** A conversation with another agent, converted to a chat that our agent can continue. */
export interface ImportedChat {
  readonly title: string;
  readonly entries: readonly TranscriptEntry[];
  /** Tools in the other agent's requests. From the next turn on, our agent sends its own tools. */
  readonly tools: readonly ToolSchema[];
  /** A sentence for each unreadable part that was left out. */
  readonly problems: readonly string[];
}

interface ImportPorts {
  readonly meter: UsageMeter;
  /** Returns the system prompt for a conversation that has none. */
  readonly systemPrompt: () => string;
}

/** Id of the added system message. Importers number messages from `m1`. */
const systemMessageId = 'm0';

/**
 * Reads a session of any agent.
 *
 * @param name title if no message was typed
 * @throws {ImportError} if the text has an unknown format, is damaged, or contains no messages
 * @throws {CancelledError} if the signal was aborted
 */
export async function readImportedChat(
  text: string,
  name: string,
  { meter, systemPrompt }: ImportPorts,
  signal: AbortSignal,
): Promise<ImportedChat> {
  throwIfCancelled(signal);
  const imported = withSystemMessage(importTranscript(text, 'auto', undefined, openedLimits), systemPrompt);
  const entries = await orCancelled(addForeignCompactions(imported, meter, tagSuffixFrom(text)), signal);
  const { tools, problems } = imported;
  return { title: sessionName(messagesOf(imported), name), entries, tools, problems };
}

/** Adds our system message at the beginning, where providers require it, unless the conversation has its own. */
function withSystemMessage(imported: Imported, systemPrompt: () => string): Imported {
  const messages = messagesOf(imported);
  const [first] = messages;
  if (first === undefined) throw new ImportError(importsSentences.say('noMessages'));
  if (messages.some(isSystem)) return imported;
  const message: Message = {
    role: 'system',
    content: systemPrompt(),
    id: systemMessageId,
    origin: 'harness',
    createdAt: first.createdAt,
  };
  return {
    ...imported,
    entries: [{ type: 'message', message }, ...imported.entries],
    compactions: imported.compactions.map(oneLater),
  };
}

function oneLater(compaction: ForeignCompaction): ForeignCompaction {
  const { beforeMessageIndex, keptFromIndex, alsoKept, instructionsLeft } = compaction;
  return {
    ...compaction,
    beforeMessageIndex: beforeMessageIndex + 1,
    ...(keptFromIndex !== undefined && { keptFromIndex: keptFromIndex + 1 }),
    ...(alsoKept !== undefined && { alsoKept: alsoKept.map((index) => index + 1) }),
    ...(instructionsLeft !== undefined && { instructionsLeft: instructionsLeft.map((index) => index + 1) }),
  };
}
