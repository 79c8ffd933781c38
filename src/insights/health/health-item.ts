import { insightsSentences } from '../../language/english/insights-english.ts';
import type { Sentence } from '../../language/sentence.ts';

export type HealthState = 'good' | 'warning' | 'bad' | 'unknown';

/** The finding of one check. */
export interface HealthItem {
  readonly id: HealthId;
  readonly state: HealthState;
  readonly finding: Sentence;
  readonly advice?: Sentence;
  /** Id of the setting to change. */
  readonly setting?: string;
  /** Ids of messages and of compactions that the finding concerns, the most significant first. */
  readonly messageIds?: readonly string[];
  readonly recordIds?: readonly string[];
}

/** Sentences with a single number, `count`. */
type Counting = {
  [
    Key in keyof typeof insightsSentences.english
  ]: (typeof insightsSentences.english)[Key] extends `${string}{count${string}` ? Key : never;
}[keyof typeof insightsSentences.english];

/** A sentence for each number that is not zero. */
export function countSentences(counts: Partial<Readonly<Record<Counting, number>>>): readonly Sentence[] {
  const all = Object.entries(counts) as [Counting, number][];
  return all.flatMap(([key, count]) => (count === 0 ? [] : [insightsSentences.say(key, { count } as never)]));
}

/** The checks, in display order. */
export const healthIds = [
  'prefix',
  'staticFirst',
  'cache',
  'toolOutput',
  'ingest',
  'trigger',
  'allocation',
  'protected',
  'completeness',
  'strategy',
  'task',
] as const;
export type HealthId = (typeof healthIds)[number];
