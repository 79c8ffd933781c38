import { orCancelled, throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { isSystem, type Message, type ToolSchema } from '../../compaction/messages/message.ts';
import { markFrom } from '../../compaction/quoting/mark.ts';
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

/** A conversation with another agent, as a chat that our agent can continue. */
export interface ImportedChat {
  readonly title: string;
  readonly entries: readonly TranscriptEntry[];
  /** Tools in the other agent's requests; our agent sends its own from the next turn on. */
  readonly tools: readonly ToolSchema[];
  /** Unreadable parts that were left out, one sentence each. */
  readonly problems: readonly string[];
}

interface ImportPorts {
  readonly meter: UsageMeter;
  /** System prompt for a conversation without one. */
  readonly systemPrompt: () => string;
}

/** Importers number messages from `m1`. */
const systemMessageId = 'm0';

/**
 * Reads a session of any agent.
 *
 * @param name title if no message was typed
 * @throws {ImportError} if the text is in no known format, is broken, or holds no messages
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
  const entries = await orCancelled(addForeignCompactions(imported, meter, markFrom(text)), signal);
  const { tools, problems } = imported;
  return { title: sessionName(messagesOf(imported), name), entries, tools, problems };
}

/** Adds our system message first, which providers require there, unless the conversation has one of its own. */
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
