import type { CancellationSignal } from '../cancellation.ts';
import type { Message, ReportedUsage } from '../message.ts';

/** What a model is asked to summarise. */
export interface SummaryRequest {
  readonly instructions: string;
  /** The conversation as one escaped text, with the task behind it. */
  readonly prompt: string;
  /** The same conversation as messages, for a summariser that does not read prompts. */
  readonly sources: readonly Message[];
  readonly focus: string | undefined;
  /** Tokens the reply may take; a reply that reaches it counts as cut off. */
  readonly maxOutputTokens: number;
}

export interface SummaryReply {
  readonly content: string;
  readonly finishReason: 'stop' | 'length' | 'other';
  readonly usage?: ReportedUsage;
}

/** Port: whatever can write a summary. */
export interface SummaryModel {
  readonly id: string;
  /** Tokens of prompt and reply together; undefined where nobody knows. */
  readonly window: number | undefined;
  /** Reads `sources` and not the prompt, which is empty then: no window limits what it can read. */
  readonly readsSources?: boolean;
  summarise(request: SummaryRequest, signal: CancellationSignal): Promise<SummaryReply>;
}
