import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import type { InspectorState } from '../../../src/protocol/inspector.ts';
import { isByHand, strategyName } from '../../shared/compaction-words.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const spoken = inspectorTexts.announced;

/**
 * Returns what screen readers should say about a new state: an event of the session, which is announced once, on any
 * tab. Undefined if nothing happened.
 */
export function announcementOf(
  state: InspectorState,
  before: InspectorState | undefined,
): string | undefined {
  // Earlier outcomes of the newly shown session are not news.
  if (before?.sessionId !== state.sessionId) return '';
  if (newestId(before) !== newestId(state)) return outcomeOf(state.records[0]);
  if (undoneOf(before) < undoneOf(state)) return spoken.undone;
  return state.isCompacting && !before.isCompacting ? inspectorTexts.compacting : undefined;
}

function newestId({ records }: InspectorState): string | undefined {
  return records[0]?.id;
}

function undoneOf({ records }: InspectorState): number {
  return records.filter(({ isUndone }) => isUndone).length;
}

function outcomeOf(record: RecordView | undefined): string {
  if (record === undefined) return '';
  const { status, actualStrategy, requestedStrategy, tokensBefore, tokensAfter } = record;
  if (status !== 'applied')
    return inspectorTexts.sentence({
      what: inspectorTexts.outcomes[status]({ strategy: strategyName(requestedStrategy) }),
    });
  const say = isByHand(actualStrategy) ? spoken.byHand : spoken.applied;
  return say({
    strategy: strategyName(actualStrategy),
    before: tokensBefore,
    after: tokensAfter,
  });
}
