import { isTyped } from '../message.ts';
import type { Transcript } from '../transcript.ts';

/** How many messages there are, and how many an attempt at a compaction left. */
export interface Growth {
  /** Messages in the prompt. */
  readonly messages: number;
  /** Of these, how many there were after the last attempt; 0 where there was none. */
  readonly left?: number;
  /** Messages that a person typed since the last attempt: each begins a turn. */
  readonly turns: number;
}

/** Counts messages of a transcript. An attempt counts whatever became of it. */
export class GrowthCounter {
  private read = 0;
  private left = 0;
  private turns = 0;

  /** Reads on from where the last call stopped. */
  since({ entries, view }: Pick<Transcript, 'entries' | 'view'>): Growth {
    for (; this.read < entries.length; this.read++) {
      const entry = entries[this.read];
      if (entry?.type === 'compaction') {
        const { status, before, after } = entry.record;
        this.left = (status === 'applied' ? after : before).messages;
        this.turns = 0;
      }
      // What a person brought back is not to leave again at once.
      if (entry?.type === 'undo' || entry?.type === 'restore') this.left = Math.max(this.left, view.length);
      if (entry?.type === 'message' && isTyped(entry.message)) this.turns++;
    }
    return { messages: view.length, left: this.left, turns: this.turns };
  }

  /** For an attempt that left no record. */
  attempted({ entries, view }: Pick<Transcript, 'entries' | 'view'>): void {
    this.left = view.length;
    this.turns = 0;
    this.read = entries.length;
  }
}
