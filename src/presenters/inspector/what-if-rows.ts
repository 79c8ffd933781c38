import { declaredTitleOf, shownStrategies } from '../../compaction/records/custom-strategy-title.ts';
import { reasonText } from '../../compaction/records/reason.ts';
import type { CompactionRecord, CoverageCount } from '../../compaction/records/record.ts';
import { moneyOfCost } from '../../insights/session-cost.ts';
import type { StrategyOutcome } from '../../insights/what-if.ts';
import { hostSentences } from '../../language/english/host-english.ts';
import type { Wording } from '../../language/translated/wording.ts';
import type { Share, WhatIfMoment, WhatIfRow } from '../../protocol/inspector-what-if.ts';
import type { ModelChoice } from '../models/model-choice.ts';

/** The moment right before a compaction. */
export function momentOf(record: CompactionRecord): WhatIfMoment {
  const { id, createdAt, before, after } = record;
  return {
    recordId: id,
    createdAt,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
  };
}

/** True if the session's current model did not write the summary. */
export function isEstimateFor({ isEstimate, modelCalls }: StrategyOutcome, model: ModelChoice): boolean {
  return isEstimate || (modelCalls > 0 && !model.isOffline);
}

/** The row of a tried strategy, with its size, cost and coverage. */
export function rowOf(outcome: StrategyOutcome, model: ModelChoice, wording: Wording): WhatIfRow {
  const { strategy, record, rules, modelCalls } = outcome;
  return {
    ...rowOfRecord(record, rules, model, wording),
    ...(record.reason?.code === 'no-native-compaction' && { reason: nativeReason(model, wording) }),
    strategy,
    title: strategy === 'custom' ? declaredTitleOf(record.strategyTitle) : undefined,
    modelCalls,
    isEstimate: isEstimateFor(outcome, model),
    durationMs: record.durationMs,
  };
}

/** Reason why a provider's compaction has no result: a comparison calls no provider. */
function nativeReason({ compactsNatively, label: model }: ModelChoice, wording: Wording): string {
  return wording.text(
    compactsNatively === true
      ? hostSentences.say('nativeNotCompared')
      : hostSentences.say('nativeNotOffered', { model }),
  );
}

/** The row of an actual compaction, by the id of its record, because its strategy may also be in the comparison. */
export function rowOfRecord(
  record: CompactionRecord,
  rules: CoverageCount,
  model: ModelChoice,
  wording: Wording,
): WhatIfRow {
  const { id, status, reason, after, cost } = record;
  const { files, commands, errors, identifiers, userMessages } = record.coverage;
  return {
    strategy: id,
    title: shownStrategies(record).actualStrategy,
    status,
    reason: reason && reasonText(reason, wording),
    tokensAfter: after.tokens,
    savedPerCall: cost.savedPerCall,
    cacheMissTokens: cost.cacheMissTokens,
    breakEvenCalls: cost.breakEvenCalls,
    coverage: {
      files: shareOf(files),
      commands: shareOf(commands),
      errors: shareOf(errors),
      identifiers: shareOf(identifiers),
      userMessages: shareOf(userMessages),
      rules: shareOf(rules),
    },
    isEstimate: false,
    money: status === 'applied' ? moneyOfCost(cost, model) : undefined,
  };
}

function shareOf({ kept, total }: CoverageCount): Share {
  return { kept, total };
}
