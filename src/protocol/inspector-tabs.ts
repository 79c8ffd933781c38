import type { BudgetNotification, BudgetRequest } from './inspector-budget.ts';
import type { LedgerNotification, LedgerRequest } from './inspector-ledger.ts';
import type { TimelineNotification, TimelineRequest } from './inspector-timeline.ts';

/** What the Budget, the Timeline and the Ledger tab ask, and what they are told: one host answers all three. */
export type TabsRequest = BudgetRequest | TimelineRequest | LedgerRequest;
export type TabsNotification = BudgetNotification | TimelineNotification | LedgerNotification;

const tabsRequests: ReadonlySet<string> = new Set<TabsRequest['type']>([
  'budget',
  'set-trigger',
  'open-setting',
  'show-in-chat',
  'timeline',
  'facts',
  'archive-search',
  'archive-text',
  'open-message',
]);

/** Whether a request is one of the Budget, the Timeline or the Ledger tab. */
export function isTabsRequest(request: { readonly type: string }): request is TabsRequest {
  return tabsRequests.has(request.type);
}
