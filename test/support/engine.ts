import { createBudget, defaultTargetRatio, defaultTriggerRatio } from '../../src/compaction/budget/budget.ts';
import {
  compact,
  type CompactionPorts,
  type CompactionRequest,
} from '../../src/compaction/service/compact.ts';
import type { FileAllowance, ReadPresentFile } from '../../src/compaction/files/restored-files.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import type { CompactionRecord, Requirement, TriggerSource } from '../../src/compaction/records/record.ts';
import { resolveOptions } from '../../src/compaction/strategies/contract/options.ts';
import type { Strategy } from '../../src/compaction/strategies/contract/strategy.ts';
import type {
  SummaryModel,
  SummaryReply,
  SummaryRequest,
} from '../../src/compaction/summary/summary-model.ts';
import { encodingCounter } from '../../src/compaction/tokens/token-counter.ts';
import { loadEncoding } from '../../src/compaction/tokens/token-counter.ts';
import { sum, UsageMeter } from '../../src/compaction/tokens/usage.ts';

/**
 * Returns a meter with the real counter, on this thread. All meters share the counts, because strategies leave most
 * texts unchanged.
 */
export async function createMeter(): Promise<UsageMeter> {
  const count = await loadEncoding('o200k_base');
  const countOnce = (text: string): number => {
    const known = counted.get(text) ?? count(text);
    if (counted.size >= mostCounted) counted.clear();
    counted.set(text, known);
    return known;
  };
  const counter = encodingCounter('o200k_base');
  return new UsageMeter(
    { ...counter, count: (texts) => Promise.resolve(texts.map(countOnce)) },
    { countsReasoning: true },
  );
}

/** Text → its tokens. */
const counted = new Map<string, number>();
const mostCounted = 20_000;

/** A summarising model with scripted replies that records its requests. */
export class SummaryModelDouble implements SummaryModel {
  readonly id = 'double';
  readonly window: number | undefined;
  readonly requests: SummaryRequest[] = [];
  private readonly answer: (request: SummaryRequest) => SummaryReply | Error;

  constructor(
    answer: string | SummaryReply | ((request: SummaryRequest) => SummaryReply | Error),
    window = 128_000,
  ) {
    this.window = window;
    this.answer =
      typeof answer === 'function'
        ? answer
        : () => (typeof answer === 'string' ? { content: answer, finishReason: 'stop' } : answer);
  }

  summarise(request: SummaryRequest): Promise<SummaryReply> {
    this.requests.push(request);
    const reply = this.answer(request);
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
  }
}

export interface Run {
  readonly view: readonly Message[];
  readonly strategy: Strategy;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly pins?: ReadonlySet<string>;
  readonly protectFirst?: boolean;
  readonly requirement?: Requirement;
  /** Source of the trigger; by default, the user's request. */
  readonly source?: TriggerSource;
  readonly window?: number;
  readonly target?: number;
  readonly focus?: string;
  readonly model?: SummaryModel;
  readonly signal?: AbortSignal;
  readonly history?: readonly Message[];
  readonly restoreFiles?: FileAllowance;
  readonly readFile?: ReadPresentFile;
}

/** Runs one compaction as a host does. Returns the records of all tiers; the last record decides. */
export async function runCompaction(run: Run, meter: UsageMeter): Promise<readonly CompactionRecord[]> {
  const budget = createBudget({
    window: run.window ?? 128_000,
    triggerRatio: defaultTriggerRatio,
    targetRatio: defaultTargetRatio,
  });
  const { total } = sum(await meter.measureEach(run.view));
  const request: CompactionRequest = {
    view: run.view,
    tools: [],
    pins: run.pins ?? new Set(),
    protectFirst: run.protectFirst ?? false,
    trigger: { source: run.source ?? 'manual', requirement: run.requirement ?? 'soft', tokens: total },
    budget,
    target: run.target ?? budget.target,
    strategy: run.strategy,
    options: resolveOptions(run.strategy.options, run.options ?? {}).options,
    focus: run.focus,
    restoreFiles: run.restoreFiles,
    ...(run.history === undefined ? {} : { history: run.history }),
  };
  // As in a session, no new record gets the id of a record whose summary is in the view.
  let records = Math.max(0, ...run.view.map(({ id }) => Number(/^c(\d+)\./u.exec(id)?.[1] ?? 0)));
  const ports: CompactionPorts = {
    meter,
    model: () => run.model,
    clock: { now: () => 0 },
    nextRecordId: () => `c${++records}`,
    readFile: run.readFile,
  };
  return compact(request, ports, run.signal ?? new AbortController().signal);
}
