import type { Budget } from '../compaction/budget/budget.ts';
import type { CompactionMode } from '../compaction/service-ports.ts';
import { messagesOf, type Transcript } from '../compaction/transcript.ts';
import type { UsageMeter } from '../compaction/tokens/usage.ts';
import { recordsInForce } from '../compaction/view.ts';
import { checkCache, checkPrefix, checkStaticFirst, checkTask } from './health-cache.ts';
import { checkCompleteness, checkStrategy } from './health-compactions.ts';
import type { HealthItem } from './health-item.ts';
import {
  checkAllocation,
  checkIngest,
  checkProtected,
  checkToolOutput,
  checkTrigger,
} from './health-room.ts';
import type { Holdings } from './holdings.ts';
import type { Timeline } from './timeline.ts';

/** What is checked. */
export interface CheckedSession {
  readonly transcript: Pick<Transcript, 'entries' | 'view'>;
  readonly timeline: Timeline;
  readonly holdings: Holdings;
  readonly budget: Budget;
  readonly mode: CompactionMode;
  /** Id of the strategy that is chosen. */
  readonly strategy: string;
}

/** Holds a session against the checklist of the guide to context engineering, point by point. */
export async function healthOf(
  { transcript, timeline, holdings, budget, mode, strategy }: CheckedSession,
  meter: UsageMeter,
): Promise<readonly HealthItem[]> {
  const { view, entries } = transcript;
  const messages = messagesOf(transcript);
  const usages = await meter.measureEach(view);
  const inForce = recordsInForce(entries);
  return [
    checkPrefix(timeline),
    checkStaticFirst(view, usages),
    checkCache(timeline),
    checkToolOutput(holdings, budget),
    checkIngest(messages, view, usages),
    checkTrigger(budget, mode),
    checkAllocation(holdings.usage, budget),
    checkProtected(holdings.floor, budget),
    checkCompleteness(inForce),
    checkStrategy(inForce, timeline, strategy),
    checkTask(timeline, messages, budget),
  ];
}
