import type { Sentence } from '../../language/sentence.ts';

export type HealthState = 'good' | 'warning' | 'bad' | 'unknown';

/** What the check of one point of the guide found in a session. */
export interface HealthItem {
  readonly id: HealthId;
  readonly state: HealthState;
  readonly finding: Sentence;
  /** What to do about it. */
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
