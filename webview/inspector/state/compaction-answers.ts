import type {
  BringBackPlan,
  CoverageNotification,
  FlowView,
} from '../../../src/protocol/inspector-compactions.ts';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';

/** Answers of the host about the compactions of the displayed session. */
export interface CompactionAnswers {
  /** Record id and kind → names of all facts of the kind that the compaction lost. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly plans: Readonly<Record<string, BringBackPlan>>;
  readonly flows: Readonly<Record<string, FlowView>>;
  /** Changes whenever the diff has to be requested again. */
  readonly diffVersion: number;
  /** Number of coming snapshots that change the diff. */
  readonly expected: number;
}

export const noAnswers: CompactionAnswers = { names: {}, plans: {}, flows: {}, diffVersion: 0, expected: 0 };

export function namesKey(recordId: string, kind: string): string {
  return `${recordId} ${kind}`;
}

export function receiveCoverage(
  answers: CompactionAnswers,
  notification: CoverageNotification,
): CompactionAnswers {
  const { recordId } = notification;
  switch (notification.type) {
    case 'missing': {
      const key = namesKey(recordId, notification.kind);
      return { ...answers, names: { ...answers.names, [key]: notification.names } };
    }
    case 'bring-back-plan':
      return { ...answers, plans: { ...answers.plans, [recordId]: notification.plan } };
    case 'flow':
      return { ...answers, flows: { ...answers.flows, [recordId]: notification.flow } };
  }
}

/** Expects the snapshots that show what a request changed in messages of the diff. */
export function expectChange(answers: CompactionAnswers, request: InspectorRequest): CompactionAnswers {
  switch (request.type) {
    case 'bring-back':
    case 'restore':
      return { ...answers, expected: 1 };
    case 'show':
      // Messages may come back one at a time.
      return { ...answers, expected: request.messageIds.length };
    case 'pin':
      // Pinning may also restore the message, and the host may report this separately.
      return { ...answers, expected: 2 };
    default:
      return answers;
  }
}

/** Forgets the answers about another session, whose records can have the same ids. */
export function receiveSession(
  answers: CompactionAnswers,
  session: InspectorState,
  before: InspectorState | undefined,
): CompactionAnswers {
  if (before?.sessionId !== session.sessionId) return noAnswers;
  const isStale = answers.expected > 0 || stateOf(session) !== stateOf(before);
  if (!isStale) return answers;
  return {
    ...answers,
    // Restored facts are no longer missing.
    plans: {},
    diffVersion: answers.diffVersion + 1,
    expected: Math.max(0, answers.expected - 1),
  };
}

/** Hiding messages is a compaction, and an undo changes a record. */
function stateOf({ records }: InspectorState): string {
  return JSON.stringify(records.map(({ id, isUndone }) => [id, isUndone]));
}
