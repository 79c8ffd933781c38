import type { CompactionRecord, CoverageCount } from '../../compaction/records/record.ts';
import type { Sentence } from '../../language/sentence.ts';
import { countSentences, type HealthItem } from './health-item.ts';
import { insightsSentences } from '../../language/english/insights-english.ts';
import { strategyTitle } from '../../language/english/strategy-titles-english.ts';
import type { Timeline } from '../session-timeline.ts';

/** Minimum shares of kept facts for the states `good` and `warning`. */
const complete = 0.95;
const incomplete = 0.8;
/** Minimum number of requests per rewrite. A rewrite needs about five requests to pay for itself. */
const fewestCallsPerRewrite = 5;
/** Minimum number of rewrites for a finding about their frequency. */
const fewestRewrites = 3;

/**
 * Checks the share of facts that the last compaction kept.
 *
 * @param records compactions in force, oldest first
 */
export function checkCompleteness(records: readonly CompactionRecord[]): HealthItem {
  const last = records.at(-1);
  if (last === undefined) {
    return { id: 'completeness', state: 'unknown', finding: insightsSentences.say('completenessNone') };
  }
  const { files, commands, errors, identifiers, userMessages } = last.coverage;
  const all: readonly CoverageCount[] = [files, commands, errors, identifiers, userMessages];
  const lostOf = (kept: CoverageCount) => kept.total - kept.kept;
  const total = all.reduce((sum, kept) => sum + kept.total, 0);
  const keptShare = total === 0 ? 1 : all.reduce((sum, { kept }) => sum + kept, 0) / total;
  const state = keptShare >= complete ? 'good' : keptShare >= incomplete ? 'warning' : 'bad';
  return {
    id: 'completeness',
    state,
    finding:
      keptShare === 1
        ? insightsSentences.say('completenessAll')
        : insightsSentences.say('completenessLost', {
            lost: countSentences({
              lostFiles: lostOf(files),
              lostCommands: lostOf(commands),
              lostErrors: lostOf(errors),
              lostIdentifiers: lostOf(identifiers),
              lostUserMessages: lostOf(userMessages),
            }),
          }),
    ...(state === 'good'
      ? {}
      : { advice: insightsSentences.say('completenessAdvice'), setting: 'contextBudget.strategy' }),
    recordIds: [last.id],
  };
}

/**
 * Checks that compactions pay back their cache misses through the calls that follow them.
 *
 * @param records compactions in force, oldest first
 */
export function checkStrategy(records: readonly CompactionRecord[], { calls, events }: Timeline): HealthItem {
  const last = records.at(-1);
  if (last === undefined) {
    return { id: 'strategy', state: 'unknown', finding: insightsSentences.say('strategyNone') };
  }
  const callAt = new Map(
    events.flatMap((event) => (event.type === 'compaction' ? [[event.recordId, event.atCall] as const] : [])),
  );
  const outcomes = records.map((record, index) => {
    const next = records[index + 1];
    const until = next === undefined ? calls.length : (callAt.get(next.id) ?? calls.length);
    const since = until - (callAt.get(record.id) ?? until);
    const { breakEvenCalls } = record.cost;
    return { since, breakEvenCalls, hasPaid: breakEvenCalls !== null && breakEvenCalls <= since };
  });
  const { since, breakEvenCalls, hasPaid } = outcomes.at(-1)!;
  const paid = outcomes.slice(0, -1).filter((outcome) => outcome.hasPaid).length;
  const earlier = records.length - 1;
  const recordIds = records.map(({ id }) => id).reverse();
  const setting = 'contextBudget.strategy';
  const advice = insightsSentences.say('strategyAdvice', { ladder: strategyTitle('ladder') });
  if (records.length >= fewestRewrites && calls.length < fewestCallsPerRewrite * records.length) {
    const finding = insightsSentences.say('strategyOften', {
      compactions: records.length,
      calls: calls.length,
    });
    return { id: 'strategy', state: 'bad', finding, advice, setting, recordIds };
  }
  const withEarlier = (sentence: Sentence) =>
    earlier === 0 ? sentence : insightsSentences.say('strategyEarlier', { last: sentence, earlier, paid });
  if (breakEvenCalls === null) {
    const finding = withEarlier(insightsSentences.say('strategyNever'));
    return { id: 'strategy', state: 'warning', finding, advice, setting, recordIds };
  }
  const mostDid = earlier === 0 || paid >= earlier / 2;
  return {
    id: 'strategy',
    state: mostDid ? 'good' : 'warning',
    finding: withEarlier(
      hasPaid
        ? insightsSentences.say('strategyPaid', { breakEven: breakEvenCalls })
        : insightsSentences.say('strategyOpen', { breakEven: breakEvenCalls, since }),
    ),
    ...(mostDid ? {} : { advice, setting }),
    recordIds,
  };
}
