import { textOf } from '../compaction/message.ts';
import type { Fields } from './fields.ts';
import { geminiParts } from './gemini-cli-parts.ts';

/** A turn of a Gemini CLI session, as its file has it. */
export interface GeminiTurn {
  /** The model's, not the person's. Results of tools are turns of the person. */
  readonly isReply: boolean;
  /** A part list. */
  readonly content: unknown;
  /** Everything else that the file has of it: `timestamp`, `toolCalls`, `thoughts`, `tokens`. */
  readonly fields: Fields;
  /** Told of what cannot be read, a sentence. */
  readonly skip: (objection: string) => void;
}

/** A compaction that the file shows beside its turns. */
export interface GeminiCompaction {
  /** Turns before it. */
  readonly position: number;
  /** Turns from this index on stayed; where left out, none did. */
  readonly keptFrom?: number;
  readonly summary: string;
  /** ISO 8601, or whatever the file has for it. */
  readonly timestamp: unknown;
}

/** What the program puts in the model's mouth behind a summary. */
const acknowledgement = 'Got it. Thanks for the additional context!';

export function textOfTurn(turn: Pick<GeminiTurn, 'content'>): string {
  return textOf(geminiParts(turn.content)?.content ?? '');
}

/** Whether a turn is the program's answer to its own summary. */
export function isAcknowledgement(turn: GeminiTurn | undefined): boolean {
  return turn?.isReply === true && textOfTurn(turn) === acknowledgement;
}

/** Whether a turn is the summary of a compaction: the program writes it in the person's name, and answers it. */
export function isSummaryTurn(turn: GeminiTurn, next: GeminiTurn | undefined): boolean {
  if (turn.isReply) return false;
  return isAcknowledgement(next) || /^\s*<state_snapshot>/.test(textOfTurn(turn));
}
