import type { StrategyId } from '../../compaction/strategies/index.ts';

/** Groups of strategies in the order of the picker. */
const groups = ['recommended', 'withoutModel', 'withModel', 'fromLiterature', 'own', 'off'] as const;

type StrategyGroup = (typeof groups)[number];

/** The group of each strategy. In a group, strategies are in the order in which users should try them. */
const groupOf: Readonly<Record<StrategyId, StrategyGroup>> = {
  ladder: 'recommended',
  'observation-masking': 'recommended',
  'anchored-summary': 'recommended',
  'tool-result-hiding': 'withoutModel',
  budgeted: 'withoutModel',
  'recent-window': 'withoutModel',
  'sliding-window': 'withoutModel',
  'middle-truncation': 'withoutModel',
  'llm-summary': 'withModel',
  'hiding-then-summary': 'withModel',
  'state-snapshot': 'withModel',
  selective: 'withModel',
  'provider-native': 'withModel',
  'whole-history': 'fromLiterature',
  'last-n-messages': 'fromLiterature',
  chunked: 'fromLiterature',
  'retrieve-facts': 'fromLiterature',
  'layered-truncation': 'fromLiterature',
  'dialogue-retrieval': 'fromLiterature',
  custom: 'own',
  none: 'off',
};

/** All strategies by group. */
export const strategyGroups: readonly {
  readonly group: StrategyGroup;
  readonly ids: readonly StrategyId[];
}[] = groups.map((group) => ({
  group,
  ids: (Object.keys(groupOf) as StrategyId[]).filter((id) => groupOf[id] === group),
}));

/** All strategies in the order of their groups, which is the order in which users should try them. */
export const recommendedOrder: readonly StrategyId[] = strategyGroups.flatMap(({ ids }) => ids);
