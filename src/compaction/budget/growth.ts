import { isTyped } from '../message.ts';
import type { TranscriptEntry } from '../transcript-entry.ts';

/** What was added to a transcript. */
export interface Growth {
  readonly messages: number;
  /** Messages that a person typed: each begins a turn. */
  readonly turns: number;
}

/**
 * Counts what was added to a transcript since the last attempt at a compaction. An attempt counts whatever it left:
 * a compaction that kept more messages than a limit allows does not set off the next one at once.
 */
export class GrowthCounter {
  private read = 0;
  private messages = 0;
  private turns = 0;

  /** Reads on from where the last call stopped. */
  since(entries: readonly TranscriptEntry[]): Growth {
    for (; this.read < entries.length; this.read++) {
      const entry = entries[this.read];
      if (entry?.type === 'compaction') this.startAnew();
      if (entry?.type !== 'message') continue;
      this.messages++;
      if (isTyped(entry.message)) this.turns++;
    }
    return { messages: this.messages, turns: this.turns };
  }

  /** For an attempt that left no record. */
  attempted(entries: readonly TranscriptEntry[]): void {
    this.startAnew();
    this.read = entries.length;
  }

  private startAnew(): void {
    this.messages = 0;
    this.turns = 0;
  }
}
