import type { Sentence } from '../../language/sentence.ts';

export type HealthState = 'good' | 'warning' | 'bad' | 'unknown';

/** The finding of one check. */
export interface HealthItem {
  readonly id: HealthId;
  readonly state: HealthState;
  readonly finding: Sentence;
  /** Advice for the finding. */
  readonly advice?: Sentence;
  /** Id of the setting that changes it. */
  readonly setting?: string;
  /** Messages or compactions that the finding is about, the most telling ones first. */
  readonly messageIds?: readonly string[];
  readonly recordIds?: readonly string[];
}

/** The points, in the order in which they are shown. */
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
