import { isTyped } from '../messages/message.ts';
import type { Trigger, TriggerSource, TriggerStart } from '../records/record.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { Budget } from './budget.ts';

/** Finds the most urgent trigger of a request, if any. It is hard if too little room is left for a reply. */
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

/** Growth in messages that the next attempt requires, as a share of the message limit. */
const messageStep = 1 / 4;

/** Returns the number of messages above which a compaction starts. It is higher if the last one left many. */
export function messageLimit(limit: number, { left = 0 }: Growth): number {
  return Math.max(limit, left + Math.ceil(limit * messageStep));
}

/** Returns a trigger with its start and the limit that was reached, for the record of the compaction. */
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

function firstOf(sources: readonly (readonly [TriggerSource, fires: boolean])[]): TriggerSource | undefined {
  return sources.find(([, fires]) => fires)?.[0];
}

const growthShare = 1 / 50;
const growthWithoutWindow = 1_000;

/** Returns the growth, in tokens, after which it is worthwhile to try, check or ask again. */
export function growthStep({ window }: Budget): number {
  return window === undefined ? growthWithoutWindow : Math.max(1, Math.floor(window * growthShare));
}

/** Current number of messages, and the number after the last attempt at a compaction. */
export interface Growth {
  readonly messages: number;
  readonly left?: number;
  /** Messages that the user typed since the last attempt. Each begins a turn. */
  readonly turns: number;
}

/** Counts messages and turns since the last attempt at a compaction, even if it was unsuccessful. */
export class GrowthCounter {
  private read = 0;
  private left = 0;
  private turns = 0;

  since({ entries, view }: Pick<Transcript, 'entries' | 'view'>): Growth {
    for (; this.read < entries.length; this.read++) {
      const entry = entries[this.read];
      if (entry?.type === 'compaction') {
        const { status, before, after } = entry.record;
        this.left = (status === 'applied' ? after : before).messages;
        this.turns = 0;
      }
      // Restored messages must not be removed again at once.
      if (entry?.type === 'undo' || entry?.type === 'restore') this.left = Math.max(this.left, view.length);
      if (entry?.type === 'message' && isTyped(entry.message)) this.turns++;
    }
    return { messages: view.length, left: this.left, turns: this.turns };
  }

  attempted({ entries, view }: Pick<Transcript, 'entries' | 'view'>): void {
    this.left = view.length;
    this.turns = 0;
    this.read = entries.length;
  }
}
