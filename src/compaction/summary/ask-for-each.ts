import type { CancellationSignal } from '../cancellation.ts';
import type { ConceptFacts } from '../carried.ts';
import { CompactionFailure } from '../failure.ts';
import type { Phrase, SummaryReport } from '../record.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { factsForm, parseFacts } from './facts.ts';
import type { FactConcept, SummaryModel } from './model.ts';
import { writeSummary, type SummaryTask } from './summarise.ts';

/** What a model answered about concepts. */
export interface Answers {
  /** Of the concepts whose answer could be read. */
  readonly found: readonly ConceptFacts[];
  readonly failures: readonly CompactionFailure[];
  readonly reports: readonly SummaryReport[];
  readonly warnings: readonly Phrase[];
}

/**
 * Asks a model about one concept after the other; one that fails does not take the others with it.
 *
 * @throws {CompactionFailure} `no-model` where there is none
 * @throws {CancelledError} where the signal was aborted
 */
export async function askForEach(
  concepts: readonly FactConcept[],
  task: SummaryTask,
  meter: UsageMeter,
  signal: CancellationSignal,
): Promise<Answers> {
  const found: ConceptFacts[] = [];
  const failures: CompactionFailure[] = [];
  const reports: SummaryReport[] = [];
  const warnings = new Set<Phrase>();
  for (const concept of concepts) {
    try {
      const model = task.model === undefined ? undefined : askingAbout(concept, task.model);
      const reply = await writeSummary({ ...task, model, form: factsForm(concept) }, meter, signal);
      reports.push(reply.report);
      for (const warning of reply.warnings) warnings.add(warning);
      const facts = parseFacts(reply.body, concept);
      if (facts === undefined) {
        throw new CompactionFailure('summary-empty', 'The reply holds no facts that can be read.');
      }
      found.push({ concept, facts });
    } catch (error) {
      if (!(error instanceof CompactionFailure) || error.code === 'no-model') throw error;
      failures.push(error);
      warnings.add(`Nothing was found out about ${JSON.stringify(concept.keyword)}: ${error.message}`);
    }
  }
  return { found, failures, reports, warnings: [...warnings] };
}

/** The model, told the concept apart from the prompt as well, for one that does not read prompts. */
function askingAbout(concept: FactConcept, model: SummaryModel): SummaryModel {
  const { id, window, readsSources, continuesRequests } = model;
  return {
    id,
    window,
    ...(readsSources === undefined ? {} : { readsSources }),
    ...(continuesRequests === undefined ? {} : { continuesRequests }),
    summarise: (request, signal) => model.summarise({ ...request, concept }, signal),
  };
}
