import type { CancellationSignal } from '../cancellation.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { renderLedger } from '../ledger/render.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { noteRules, type SummaryForm } from './form.ts';
import { writeSummary, type Summary, type SummaryTask } from './summarise.ts';
import { summaryText } from './summary-message.ts';

/** What a model is asked for where facts are copied anyway. */
function discussionForm(tokens: number): SummaryForm {
  return {
    instructions: `${noteRules('You write down what was discussed, for a coding assistant that will go on working after the messages below have left its context. Files, commands and errors are written down elsewhere; do not list them.')}

Answer with nothing but:
<discussion>
## Goal
what the person wants, in their words
## Decided
choices made and why, rules the person set
## State
what is done, what is half done, what was tried and did not work
## Next
the steps that are left
</discussion>`,
    task: `Write it now, inside <discussion> tags, in at most ${Math.floor(tokens * 0.7)} words.`,
    tag: 'discussion',
    needsTag: false,
    // A model does not count its tokens; what is a little longer than asked for is still of use.
    largest: tokens * 2,
  };
}

export interface AnchoredTask extends Omit<SummaryTask, 'form'> {
  /** Tokens that the discussion should take. */
  readonly discussionTokens: number;
  /** Facts to copy: those that would otherwise be gone. */
  readonly ledger: Ledger;
  /** Tokens that they may take. */
  readonly ledgerTokens: number;
}

/**
 * Notes in which a model wrote down the discussion only: facts are copied, those of earlier ledgers among them, so
 * that however often it is done none of them is lost or reworded.
 *
 * @throws {CompactionFailure} where there is no model, the model failed, or what it wrote cannot be used
 * @throws {CancelledError} where the signal was aborted
 */
export async function summariseAnchored(
  task: AnchoredTask,
  meter: UsageMeter,
  signal: CancellationSignal,
): Promise<Summary> {
  const form = discussionForm(task.discussionTokens);
  const { body, report, warnings } = await writeSummary({ ...task, form }, meter, signal);
  const { mark } = task;
  const { text, ledger } = await renderLedger(task.ledger, task.ledgerTokens, mark, (texts) =>
    meter.countTexts(texts),
  );
  return {
    text: summaryText([body, text].filter((part) => part !== '').join('\n'), mark),
    carried: { ledger },
    report,
    warnings,
  };
}
