import type { TitledId } from '../../language/english/strategy-titles-english.ts';
import { anchoredSummary } from './anchored-summary.ts';
import { budgeted } from './budgeted.ts';
import { chunked } from './chunked.ts';
import { custom } from './custom.ts';
import { dialogueRetrieval } from './dialogue-retrieval.ts';
import { hidingThenSummary } from './hiding-then-summary.ts';
import { lastNMessages } from './last-n-messages.ts';
import { layeredTruncation } from './layered-truncation.ts';
import { llmSummary } from './llm-summary.ts';
import { ladder } from './ladder.ts';
import { middleTruncation } from './middle-truncation.ts';
import { none } from './none.ts';
import { observationMasking } from './observation-masking.ts';
import { providerNative } from './provider-native.ts';
import { recentWindow } from './recent-window.ts';
import { retrieveFacts } from './retrieve-facts.ts';
import { selective } from './selective.ts';
import { slidingWindow } from './sliding-window.ts';
import { stateSnapshot } from './state-snapshot.ts';
import type { Strategy } from './contract/strategy.ts';
import { toolResultHiding } from './tool-result-hiding.ts';
import { wholeHistory } from './whole-history.ts';

/** All strategies with their titles. Settings, help texts and the command line are generated from this table. */
export const strategyCatalogue = {
  none,
  'llm-summary': llmSummary,
  'tool-result-hiding': toolResultHiding,
  'hiding-then-summary': hidingThenSummary,
  selective,
  'whole-history': wholeHistory,
  'last-n-messages': lastNMessages,
  chunked,
  'retrieve-facts': retrieveFacts,
  'layered-truncation': layeredTruncation,
  'recent-window': recentWindow,
  'dialogue-retrieval': dialogueRetrieval,
  'middle-truncation': middleTruncation,
  'sliding-window': slidingWindow,
  'state-snapshot': stateSnapshot,
  'observation-masking': observationMasking,
  'anchored-summary': anchoredSummary,
  'provider-native': providerNative,
  budgeted,
  custom,
  ladder,
} as const satisfies Readonly<Partial<Record<TitledId, Strategy>>>;

export type StrategyId = keyof typeof strategyCatalogue;

/** Default of the engine, after KLIP-13: a model summarises the history. */
export const defaultStrategyId: StrategyId = 'llm-summary';

export const strategyIds = Object.keys(strategyCatalogue) as StrategyId[];

export function isStrategyId(id: string): id is StrategyId {
  return Object.hasOwn(strategyCatalogue, id);
}

export function strategyOf(id: StrategyId): Strategy {
  return strategyCatalogue[id];
}
