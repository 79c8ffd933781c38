import { count, listOf, oneOf, text } from './field-guards.ts';
import type { RecordView } from './inspector-records.ts';
import { type MessageOf, messages } from './messages.ts';

/** Messages about a compaction that the user previews and may edit before it is applied. */

/** Id by which the inspector selects a preview and requests its diff. No record of a transcript has this id. */
export const previewRecordId = 'preview:';

export interface PreviewedSummary {
  readonly text: string;
  /** Tokens of the last accepted text. */
  readonly tokens: number;
}

export interface PreviewView {
  /** Number of the plan; 0 before the first plan. When the number changes, the editors load the new texts. */
  readonly plan: number;
  readonly activity?: 'planning' | 'checking' | 'applying' | undefined;
  readonly strategy: string;
  /** The last accepted plan, or a plan that would change nothing. */
  readonly record?: RecordView | undefined;
  /** Summaries of the plan; empty if the strategy wrote no readable summary. */
  readonly summaries: readonly PreviewedSummary[];
  /** The reason why planning failed. */
  readonly problem?: string | undefined;
  /** The reason why the edited texts cannot be applied. */
  readonly refusal?: string | undefined;
  /** Facts that the plan keeps and the edited text lacks. */
  readonly lost: readonly string[];
  /** True if the conversation has changed, so that the plan no longer applies. */
  readonly isStale: boolean;
}

/** The choice that the user changed before requesting another plan. */
const previewChanges = ['nothing', 'focus', 'strategy'] as const;

/** Maximum summaries of one compaction. */
const mostSummaries = 1_000;
const texts = listOf(text, mostSummaries);

export const previewRequests = messages({
  'preview-check': { plan: count, texts },
  'preview-apply': { plan: count, texts },
  /** Makes another plan. Edited texts are kept if the change is `nothing`. */
  'preview-again': { plan: count, texts, change: oneOf(previewChanges) },
  'preview-stop': {},
  'preview-discard': {},
});

export type PreviewMessage = MessageOf<typeof previewRequests>;
