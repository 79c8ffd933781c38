import { agentTitles } from '../agent-titles.ts';
import { catalogue, type Sentence } from '../sentence.ts';

/**
 * Titles of all strategies named in records, by id. Users read titles and type ids. Titles of strategies that can be
 * chosen are their ids in words, so that users who know one find the other.
 */
export const strategyTitles = catalogue('strategyTitles', {
  none: 'None',
  'llm-summary': 'LLM Summary',
  'tool-result-hiding': 'Tool Result Hiding',
  'hiding-then-summary': 'Hiding Then Summary',
  selective: 'Selective',
  'whole-history': 'Whole History',
  'last-n-messages': 'Last N Messages',
  chunked: 'Chunked',
  'retrieve-facts': 'Retrieve Facts',
  'layered-truncation': 'Layered Truncation',
  'recent-window': 'Recent Window',
  'dialogue-retrieval': 'Dialogue Retrieval',
  'middle-truncation': 'Middle Truncation',
  'sliding-window': 'Sliding Window',
  'state-snapshot': 'State Snapshot',
  'observation-masking': 'Observation Masking',
  'anchored-summary': 'Anchored Summary',
  'provider-native': 'Provider Native',
  budgeted: 'Budgeted',
  custom: 'Custom',
  ladder: 'Ladder',

  // Steps of strategies, and the last resort.
  'stale-results': 'Stale Results',
  'argument-clipping': 'Argument Clipping',
  fold: 'Fold',

  // Manual changes.
  hide: 'Hide',
  rewind: 'Rewind',

  // Changes that a client made in messages that it had sent before.
  rewritten: 'Rewritten by the client',

  // Compactions in imported sessions.
  ...agentTitles,
});

export type TitledId = keyof (typeof strategyTitles)['english'];

/** The title of a strategy, or the id if this version does not know it. */
export function strategyTitle(id: string): Sentence {
  return { key: `${strategyTitles.area}.${id}`, values: {}, english: titleIn(strategyTitles.english, id) };
}

/** The title of an id in the table of one language, or the id. */
export function titleIn(table: Readonly<Record<string, string>>, id: string): string {
  return Object.hasOwn(table, id) ? table[id]! : id;
}
