import { targetFor, type Budget } from '../compaction/budget/budget.ts';
import { extractLedger } from '../compaction/ledger/extract.ts';
import { keptIn } from '../compaction/ledger/kept-facts.ts';
import type { CancellationSignal } from '../compaction/signals/cancellation.ts';
import { compact, type CompactionPorts, type CompactionRequest } from '../compaction/service/compact.ts';
import type { Message, ToolSchema } from '../compaction/messages/message.ts';
import type { CompactionRecord, CoverageCount, Trigger } from '../compaction/records/record.ts';
import {
  type Base,
  folderNamedIn,
  messagesOf,
  type Transcript,
  unlessStale,
} from '../compaction/transcript/transcript.ts';
import { applyRecord } from '../compaction/transcript/view.ts';
import type { Strategy } from '../compaction/strategies/contract/strategy.ts';
import { type SummaryModel, wrappedModel } from '../compaction/summary/summary-model.ts';
import { measureView } from '../compaction/service/outcome.ts';

/** A strategy to try. */
interface Candidate {
  readonly strategy: Strategy;
  /** Options that fit the strategy's schema. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The session on which strategies are tried. It is not changed. */
export interface WhatIf {
  readonly transcript: Pick<Transcript, 'entries' | 'view' | 'pins'>;
  readonly tools: readonly ToolSchema[];
  readonly budget: Budget;
  readonly protectFirst: boolean;
  readonly focus?: string | undefined;
  /** Absolute folder against which file names are resolved; by default the folder of the newest record. */
  readonly folder?: string | undefined;
  readonly candidates: readonly Candidate[];
}

interface WhatIfPorts extends CompactionPorts {
  /** True if stand-in models answer instead of providers. */
  readonly hasStandInModels: boolean;
  /** Lets other work run. */
  readonly pause: () => Promise<void>;
}

/** Result of trying one strategy. */
export interface StrategyOutcome {
  readonly strategy: string;
  /**
   * The full record: sizes, coverage with lost facts, cost and time. It is not part of a transcript; `applicable`
   * returns a record that can be added.
   */
  readonly record: CompactionRecord;
  /** Rules and preferences of the user that stay in context. */
  readonly rules: CoverageCount;
  /** Number of requests to a model for summaries. */
  readonly modelCalls: number;
  /** True if a stand-in model wrote the summary, so that only the size of the summary is about right. */
  readonly isEstimate: boolean;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Strategy that is being tried; undefined after the last. */
  readonly running: string | undefined;
  /** Outcomes of finished strategies, in the order of the candidates. */
  readonly outcomes: readonly StrategyOutcome[];
}

/**
 * Tries strategies on the current view, one after the other, as if the user had started each.
 *
 * @param onProgress called before each strategy and after the last
 * @returns the outcomes; only the finished ones if the signal was aborted
 */
export async function whatIf(
  run: WhatIf,
  ports: WhatIfPorts,
  onProgress: (progress: Progress) => void,
  signal: CancellationSignal,
): Promise<readonly StrategyOutcome[]> {
  const { candidates, transcript, tools } = run;
  const history = messagesOf(transcript);
  const outcomes: StrategyOutcome[] = [];
  const tell = () =>
    onProgress({
      done: outcomes.length,
      total: candidates.length,
      running: candidates[outcomes.length]?.strategy.id,
      outcomes: [...outcomes],
    });
  tell();
  // Fills the cache of counts, so that the time of the first strategy does not include the counting.
  const { size } = await measureView({ view: transcript.view, tools }, ports.meter);
  const trigger: Trigger = { source: 'manual', requirement: 'soft', tokens: size.tokens };
  const request: Omit<CompactionRequest, 'strategy' | 'options'> = {
    view: transcript.view,
    history,
    tools,
    pins: transcript.pins,
    protectFirst: run.protectFirst,
    trigger,
    budget: run.budget,
    target: targetFor(trigger, run.budget),
    focus: run.focus,
    folder: run.folder ?? folderNamedIn(transcript),
  };
  for (const candidate of candidates) {
    await ports.pause();
    if (signal.aborted) break;
    const outcome = await outcomeOf({ ...request, ...candidate }, ports, signal);
    if (outcome.record.status === 'cancelled') break;
    outcomes.push(outcome);
    tell();
  }
  return outcomes;
}

/**
 * Returns the record to add to the transcript, if messages were only appended to the view since the trial.
 * Returns undefined if the view has changed, or if the strategy did nothing.
 *
 * @param base the transcript on which the strategies were tried
 */
export function applicable({ record }: StrategyOutcome, base: Base, now: Base): CompactionRecord | undefined {
  const fresh = unlessStale(record, base, now);
  return fresh.status === 'applied' ? fresh : undefined;
}

async function outcomeOf(
  request: CompactionRequest,
  ports: WhatIfPorts,
  signal: CancellationSignal,
): Promise<StrategyOutcome> {
  let modelCalls = 0;
  const counted: CompactionPorts = {
    ...ports,
    model: (name) => {
      const model = ports.model(name);
      return model === undefined ? undefined : countingCalls(model, () => modelCalls++);
    },
  };
  // If another strategy replaced a failed strategy, the replacement's result is not an outcome of the failed
  // strategy.
  const [made] = await compact(request, counted, signal);
  const record = withoutStandIn(made, request.strategy.id);
  if (record !== made) modelCalls = 0;
  return {
    strategy: request.strategy.id,
    record,
    rules: keptRules(request.view, record),
    modelCalls,
    isEstimate: ports.hasStandInModels && modelCalls > 0,
  };
}

/** Counts the user's rules and preferences in a view, and those that a compaction of the view keeps. */
export function keptRules(view: readonly Message[], record: CompactionRecord): CoverageCount {
  const { constraints, preferences } = extractLedger(view);
  const rules = [...constraints, ...preferences];
  const isKept = keptIn(record.status === 'applied' ? applyRecord(view, record) : view, record.folder);
  const missing = rules.filter((rule) => !isKept('constraints', rule));
  return { kept: rules.length - missing.length, total: rules.length, missing };
}

/** Returns the record. For a strategy that could not run, states its failure, and no results of a replacement. */
function withoutStandIn(record: CompactionRecord, strategy: string): CompactionRecord {
  const failed = record.tiers.find((tier) => tier.strategy === strategy && tier.status === 'failed');
  if (failed === undefined || record.status === 'failed') return record;
  const { summary: _summary, modelUse: _modelUse, ...rest } = record;
  return {
    ...rest,
    actualStrategy: strategy,
    status: 'failed',
    ...(failed.reason === undefined ? {} : { reason: failed.reason }),
    tiers: [failed],
    after: record.before,
    actions: [],
    cost: { cacheMissTokens: 0, savedPerCall: 0, breakEvenCalls: null },
  };
}

function countingCalls(model: SummaryModel, count: () => void): SummaryModel {
  return wrappedModel(
    model,
    (request, signal) => {
      count();
      return model.summarise(request, signal);
    },
    (native) => (messages, signal) => {
      count();
      return native(messages, signal);
    },
  );
}
