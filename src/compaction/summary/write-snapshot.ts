import type { CancellationSignal } from '../cancellation.ts';
import { CompactionFailure } from '../failure.ts';
import { extractLedger } from '../ledger/extract.ts';
import { mentionsIn } from '../ledger/mentions.ts';
import type { Message } from '../message.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { addReports } from './add-reports.ts';
import type { SummaryForm } from './form.ts';
import { revisionForm } from './snapshot.ts';
import { writeSummary, type SummaryTask, type WrittenSummary } from './summarise.ts';

/** Facts that a second request names. */
const mostNamed = 60;

/**
 * Has a model write the snapshot, and once more where facts are missing from it that the work depends on.
 *
 * @param beside what stands beside the snapshot and need not be in it
 * @throws {CompactionFailure} where the first request fails
 * @throws {CancelledError} where the signal was aborted
 */
export async function writeSnapshot(
  task: SummaryTask & { readonly form: SummaryForm },
  verify: 'when-needed' | 'never',
  beside: string,
  meter: UsageMeter,
  signal: CancellationSignal,
): Promise<WrittenSummary> {
  const first = await writeSummary(task, meter, signal);
  const missing = gapsIn(`${first.body}\n${beside}`, task.sources);
  const { form, model } = task;
  // A model that reads no prompt cannot be told what it left out.
  if (verify === 'never' || missing.length === 0 || model?.readsSources === true) return first;
  try {
    const revision = revisionForm(form, first.body, missing.slice(0, mostNamed));
    const second = await writeSummary({ ...task, form: revision }, meter, signal);
    const isBetter = gapsIn(`${second.body}\n${beside}`, task.sources).length < missing.length;
    return {
      body: isBetter ? second.body : first.body,
      report: addReports([first.report, second.report]) ?? first.report,
      warnings: [...new Set([...first.warnings, ...second.warnings])],
    };
  } catch (error) {
    if (!(error instanceof CompactionFailure)) throw error;
    return { ...first, warnings: [...first.warnings, `The second request failed: ${error.message}`] };
  }
}

/** Facts that the work depends on and a text does not name. Those of earlier snapshots are copied in any case. */
function gapsIn(text: string, sources: readonly Message[]): readonly string[] {
  const { filesModified, constraints, errors } = extractLedger(
    sources.filter(({ kind }) => kind !== 'summary'),
  );
  const named = mentionsIn([text]);
  return [...filesModified, ...constraints, ...errors].filter((fact) => !named.has(fact));
}
