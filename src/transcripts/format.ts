import type { ToolSchema } from '../compaction/message.ts';
import type { TranscriptEntry } from '../compaction/transcript-entry.ts';

/** A compaction that another agent made of its own history, as that agent wrote it down. */
export interface ForeignCompaction {
  /** The agent, by the id of its format. */
  readonly agent?: string;
  /** It was made before the message of this index was said. */
  readonly beforeMessageIndex: number;
  /** Messages from this index on stayed in the agent's view; where left out, none did. */
  readonly keptFromIndex?: number;
  readonly summary: string;
  /** Who set it off, where the file says so. */
  readonly trigger?: 'automatic' | 'manual';
  /** Tokens of the agent's view before it, as the agent knew them, where the file says so. */
  readonly tokensBefore?: number;
  /** ISO 8601. */
  readonly createdAt?: string;
}

/** What a file holds, in our terms. */
export interface Imported {
  readonly entries: readonly TranscriptEntry[];
  readonly tools: readonly ToolSchema[];
  readonly compactions: readonly ForeignCompaction[];
  /** What could not be read and was left out, a sentence each. */
  readonly problems: readonly string[];
  /** Tokens that a request may have, where the file states it. */
  readonly window?: number;
  /** Conversations in the file beside the one that is in force. */
  readonly others?: readonly OtherConversation[];
}

/** A conversation of the same file that is not the one in force. */
export interface OtherConversation {
  /** `branch`: what was said before the person went back, or tried again; `sub-agent`: what one was told and did. */
  readonly kind: 'branch' | 'sub-agent';
  /** Unique in the file, and the same whenever it is read. */
  readonly id: string;
  /** The first thing that was said in it and nowhere else; undefined where that is no text. */
  readonly opening: string | undefined;
  /** Reads it, without the others. */
  read(): Imported;
}

/** A file format that transcripts are kept in. */
export interface TranscriptFormat {
  readonly id: string;
  readonly title: string;
  /** Cheap test on the text of a file. */
  recognises(text: string): boolean;
  /** @throws {ImportError} if the text is not in this format */
  parse(text: string): Imported;
}

/** A file that is not in the expected format, with what was expected and where it was missed. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** A file whose outermost shape is not that of the format: of another program, or of no program at all. */
export class OtherFileError extends ImportError {}
