import { isTyped } from '../messages/message.ts';
import type { Trigger, TriggerSource, TriggerStart } from '../records/record.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { Budget } from './budget.ts';

/**
 * The trigger of a request of this size, after this much was added, if it calls for a compaction. If several measures
 * do, the most urgent one is named.
 *
 * The requirement is hard once the request would no longer leave the room reserved for a reply.
 *
 * @param tokens estimated size of the next request
 * @param added messages in the prompt, and what was added since the last attempt at a compaction
 */
export function triggerFor(tokens: number, added: Growth, budget: Budget): Trigger | undefined {
  const { window, thresholds } = budget;
  const { reserve, ratio, tokens: size, messages, turns } = thresholds;
  const isFull = reserve !== undefined && tokens > reserve;
  const source = firstOf([
    ['overflow', window !== undefined && tokens > window],
    ['reserve', isReached(tokens, reserve)],
    ['ratio', isReached(tokens, ratio)],
    ['tokens', isReached(tokens, size)],
    ['messages', messages !== undefined && added.messages > messageLimit(messages, added)],
    ['turns', turns !== undefined && added.turns > turns],
  ]);
  return source === undefined ? undefined : { source, requirement: isFull ? 'hard' : 'soft', tokens };
}

/** Share of the limit on messages that has to come on top of what an attempt left before the next one. */
const messageStep = 1 / 4;

/**
 * Messages in the prompt above which the next compaction starts: the limit that is set, or more if the last attempt
 * freed hardly anything, so that a compaction that cannot get below the limit does not start at every message.
 */
export function messageLimit(limit: number, { left = 0 }: Growth): number {
  return Math.max(limit, left + Math.ceil(limit * messageStep));
}

/**
 * A trigger with how it began and what was reached, for its record.
 *
 * @param start when it began
 */
export function startedBy(trigger: Trigger, start: TriggerStart, budget: Budget): Trigger {
  const threshold = start === 'background' ? budget.background?.from : thresholdOf(trigger, budget);
  return { ...trigger, start, ...(threshold === undefined ? {} : { threshold }) };
}

function thresholdOf({ source }: Trigger, { window, thresholds }: Budget): number | undefined {
  switch (source) {
    case 'overflow':
      return window;
    case 'reserve':
    case 'ratio':
    case 'tokens':
    case 'messages':
    case 'turns':
      return thresholds[source];
    default:
      return undefined;
  }
}

function isReached(tokens: number, threshold: number | undefined): boolean {
  return threshold !== undefined && tokens >= threshold;
}

/** Sources from the most urgent to the least, and whether each one fires. */
function firstOf(sources: readonly (readonly [TriggerSource, fires: boolean])[]): TriggerSource | undefined {
  return sources.find(([, fires]) => fires)?.[0];
}

/** Share of the window that is worth another attempt. */
const growthShare = 1 / 50;
/** The same if no window is known, in tokens. */
const growthWithoutWindow = 1_000;

/** Growth that makes another attempt, or another question, worth while, in tokens. */
export function growthStep({ window }: Budget): number {
  return window === undefined ? growthWithoutWindow : Math.max(1, Math.floor(window * growthShare));
}

/** The number of messages now, and the number that the last attempt at a compaction left. */
export interface Growth {
  /** Messages in the prompt. */
  readonly messages: number;
  /** Of these, how many there were after the last attempt; 0 if there was none. */
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
