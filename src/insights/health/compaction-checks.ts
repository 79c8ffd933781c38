import type { CompactionRecord, CoverageCount } from '../../compaction/records/record.ts';
import type { HealthItem } from './health-item.ts';
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
  const total = all.reduce((sum, kept) => sum + kept.total, 0);
  const keptShare = total === 0 ? 1 : all.reduce((sum, { kept }) => sum + kept, 0) / total;
  const state = keptShare >= complete ? 'good' : keptShare >= incomplete ? 'warning' : 'bad';
  return {
    id: 'completeness',
    state,
    finding: insightsSentences.say('completenessKept', {
      keptShare,
      files: files.kept,
      filesTotal: files.total,
      commands: commands.kept,
      commandsTotal: commands.total,
      errors: errors.kept,
      errorsTotal: errors.total,
      identifiers: identifiers.kept,
      identifiersTotal: identifiers.total,
      userMessages: userMessages.kept,
      userMessagesTotal: userMessages.total,
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
 * @param strategy id of the current strategy
 */
export function checkStrategy(
  records: readonly CompactionRecord[],
  { calls, events }: Timeline,
  strategy: string,
): HealthItem {
  const last = records.at(-1);
  if (last === undefined) {
    const finding = insightsSentences.say('strategyNone', { strategy: strategyTitle(strategy) });
    return { id: 'strategy', state: 'good', finding };
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
  const paid = outcomes.filter((outcome) => outcome.hasPaid).length;
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
  if (breakEvenCalls === null) {
    const finding = insightsSentences.say('strategyNever', { paid, earlier });
    return { id: 'strategy', state: 'warning', finding, advice, setting, recordIds };
  }
  const values = { breakEven: breakEvenCalls, since, paid, earlier, compactions: records.length };
  const mostDid = earlier === 0 || paid >= earlier / 2;
  return {
    id: 'strategy',
    state: mostDid ? 'good' : 'warning',
    finding: insightsSentences.say(hasPaid ? 'strategyPaid' : 'strategyOpen', values),
    ...(mostDid ? {} : { advice, setting }),
    recordIds,
  };
}
