import type { Budget } from '../../compaction/budget/budget.ts';
import type { CompactionForecast } from '../../compaction/service/compaction-forecast.ts';
import type { CompactionMode } from '../../compaction/service/service-ports.ts';
import { messagesOf, type Transcript } from '../../compaction/transcript/transcript.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { recordsInForce } from '../../compaction/transcript/view.ts';
import { checkCache, checkPrefix, checkStaticFirst, checkTask } from './cache-checks.ts';
import { checkCompleteness, checkStrategy } from './compaction-checks.ts';
import type { HealthItem } from './health-item.ts';
import {
  checkAllocation,
  checkIngest,
  checkProtected,
  checkToolOutput,
  checkTrigger,
} from './room-checks.ts';
import type { TokenBreakdown } from '../token-breakdown.ts';
import type { Timeline } from '../session-timeline.ts';

/** The session and the settings to check. */
export interface CheckedSession {
  readonly transcript: Pick<Transcript, 'entries' | 'view'>;
  readonly timeline: Timeline;
  readonly breakdown: TokenBreakdown;
  readonly budget: Budget;
  /** Undefined for a read-only session, which never compacts automatically. */
  readonly outlook?: CompactionForecast | undefined;
  readonly mode: CompactionMode;
  /** True if tools come from servers, which can be turned off. */
  readonly hasServers: boolean;
}

/** Checks a session against every point of the guide to context engineering. */
export async function healthOf(
  { transcript, timeline, breakdown, budget, outlook, mode, hasServers }: CheckedSession,
  meter: UsageMeter,
): Promise<readonly HealthItem[]> {
  const { view, entries } = transcript;
  const messages = messagesOf(transcript);
  const usages = await meter.measureEach(view);
  const inForce = recordsInForce(entries);
  return [
    checkPrefix(timeline),
    checkStaticFirst(view, usages, breakdown.protected.byReason.notInFile),
    checkCache(timeline),
    checkToolOutput(breakdown, budget),
    checkIngest(messages, view, usages),
    checkTrigger(budget, mode, outlook),
    checkAllocation(breakdown.usage, budget, hasServers),
    checkProtected(breakdown.protected, budget),
    checkCompleteness(inForce),
    checkStrategy(inForce, timeline),
    checkTask(timeline, messages, budget),
  ];
}
