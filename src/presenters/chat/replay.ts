import { nodeSlices } from '../../agent/node-slices.ts';
import { isPrompt, type Message } from '../../compaction/messages/message.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import type { EditsEvent } from '../../transcripts/session/session-event.ts';
import type { ChatRowBuilder } from './chat-row-builder.ts';

/** The earlier conversation, with the details that its rows show. */
interface Said {
  readonly entries: readonly TranscriptEntry[];
  readonly edits: readonly EditsEvent[];
  /** Tokens of a message; undefined if they are not known yet. */
  readonly tokensOf: (message: Message) => number | undefined;
}

/** Makes the rows of the earlier conversation, and lets other work run in between. */
export async function replayRows(rows: ChatRowBuilder, { entries, edits, tokensOf }: Said): Promise<void> {
  const showEdits = (turnId: string | undefined) => {
    const made = edits.find((candidate) => candidate.turnId === turnId);
    if (made !== undefined) rows.setEdits(made);
  };
  const slices = nodeSlices();
  let turnId: string | undefined;
  let previous: Message | undefined;
  for (const entry of entries) {
    if (entry.type === 'message') {
      const { message } = entry;
      // Messages typed while the agent works belong to the running turn.
      if (isPrompt(message) && previous?.role !== 'tool') {
        showEdits(turnId);
        turnId = message.id;
      }
      previous = message;
    }
    rows.addEntry(entry, entry.type === 'message' ? tokensOf(entry.message) : undefined);
    if (slices.isOver) await slices.next();
  }
  showEdits(turnId);
}
