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
