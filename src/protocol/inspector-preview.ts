import { count, listOf, oneOf, text } from './field-guards.ts';
import type { RecordView } from './inspector-records.ts';
import { type MessageOf, messages } from './messages.ts';

/** Messages about a compaction that a person looks at, and may edit, before it counts. */

/** Id by which the inspector selects a preview and asks for its diff. No record of a transcript has such a one. */
export const previewRecordId = 'preview:';

/** A summary as its editor shows it. */
export interface PreviewedSummary {
  readonly text: string;
  /** Of the text that was accepted last. */
  readonly tokens: number;
}

export interface PreviewView {
  /** Number of the plan, 0 if there is none yet. With a new number, the editors take over the texts. */
  readonly plan: number;
  readonly activity?: 'planning' | 'checking' | 'applying' | undefined;
  /** Id of the strategy. */
  readonly strategy: string;
  /** The newest plan that was accepted, or one that would change nothing. */
  readonly record?: RecordView | undefined;
  /** None if the strategy wrote nothing that a person can read. */
  readonly summaries: readonly PreviewedSummary[];
  /** The reason why planning failed. */
  readonly problem?: string | undefined;
  /** The reason why the edited texts cannot be applied. */
  readonly refusal?: string | undefined;
  /** Facts that the edit leaves out and the plan had. */
  readonly lost: readonly string[];
  /** The conversation has become another one: the plan no longer fits. */
  readonly isStale: boolean;
}

/** The part of a choice that is different when a plan is made again. */
const previewChanges = ['nothing', 'focus', 'strategy'] as const;

/** Most summaries of one compaction. */
const mostSummaries = 1_000;
const texts = listOf(text, mostSummaries);

export const previewRequests = messages({
  /** Checks edited summaries, all of them in their order. */
  'preview-check': { plan: count, texts },
  'preview-apply': { plan: count, texts },
  /** Plans again; with nothing changed, the edited texts stay. */
  'preview-again': { plan: count, texts, change: oneOf(previewChanges) },
  'preview-stop': {},
  'preview-discard': {},
});

export type PreviewMessage = MessageOf<typeof previewRequests>;
