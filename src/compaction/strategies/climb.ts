import type { CancellationSignal } from '../cancellation.ts';
import { CompactionFailure } from '../failure.ts';
import { foldId, leastTarget, planFold } from '../fold.ts';
import { factsToCopy } from '../ledger/facts-to-copy.ts';
import type { Plan } from '../plan.ts';
import { isAsked, type Reason, type Tier } from '../record.ts';
import { continuationOf } from '../summary/continuation.ts';
import { summariseAnchored } from '../summary/anchored.ts';
import { focusOf } from '../summary/focus.ts';
import { hasNews } from '../summary/summarise.ts';
import { anchoredSources, ledgerRoom } from './anchored-split.ts';
import { anchoredSummary } from './anchored-summary.ts';
import { clipOldArguments } from './argument-clipping.ts';
import { maskOldResults, paybackOf, protectedTokens } from './masking.ts';
import { memoryRead, stayingBesideSummary } from './memory-option.ts';
import { startOfNewestTokens } from './newest.ts';
import type { LadderInput } from './ladder-options.ts';
import { observationMasking } from './observation-masking.ts';
import { framingTokens } from '../tokens/usage.ts';
import { hideStale } from './stale-hiding.ts';
import { planned, unchanged, type PlanResult, type StrategyPorts } from './strategy.ts';
import { WorkingView } from './working-view.ts';
import type { Phrase } from '../record.ts';

/** Calls within which shortening has to pay where the window is full and a summary is the other choice. */
const patienceUnderPressure = 8;

/**
 * Share of the view that shortening may leave where the size calls for a compaction: what is behind the first change
 * has to be written to the cache anew, so that leaving more costs more now and at every call. It is what a snapshot of
 * the newest part leaves, too.
 */
const enoughShare = 0.25;
/** Share of the target that shortening and summaries may leave beside what has to stay. */
const restShare = 0.05;
/** A summary aims at that share, too, and stays well below the target, so that it is long until the next. */
const summaryTargetShare = 0.6;

const noRoomForSummary = 'What has to stay leaves no room for a summary.';

/** A view after a fold. */
interface Folded {
  readonly working: WorkingView;
  /** Tokens. */
  readonly freed: number;
  readonly warnings: readonly Phrase[];
}

function isSmaller(one: Folded, other: Folded | CompactionFailure): boolean {
  return other instanceof CompactionFailure || one.working.tokens < other.working.tokens;
}

/** One use of the ladder, from rung to rung. */
export class Climb {
  private readonly input: LadderInput;
  private readonly ports: StrategyPorts;
  private working: WorkingView;
  /** Size that has to be reached. */
  private readonly target: number;
  /** Size at which there is no need to climb further. */
  private readonly goal: number;
  /** Newest output that stays whole, in tokens. */
  private readonly protectedTokens: number;
  private readonly tiers: Tier[] = [];
  /** How the view stood before a model's summary. */
  private unsummarised: WorkingView | undefined;
  private report: Pick<Plan, 'summary' | 'warnings' | 'isLastTier'> = {};
  /** The size calls for a compaction. */
  private readonly isForced: boolean;
  /** Smallest size that shortening and summaries aim at. */
  private readonly least: number;

  /** @param staying tokens of what has to stay, tool schemas included */
  constructor(input: LadderInput, ports: StrategyPorts, staying: number) {
    this.input = input;
    this.ports = ports;
    this.working = new WorkingView(input, ports.meter);
    const target = input.target ?? Math.floor(input.tokens / 2);
    this.isForced = input.tokens > target;
    this.target = Math.max(target, leastTarget(input, target, staying));
    this.least = Math.min(this.target, staying + Math.floor(target * restShare));
    this.goal = this.isForced
      ? Math.min(this.target, Math.max(this.least, Math.floor(input.tokens * enoughShare)))
      : this.target;
    this.protectedTokens = protectedTokens(input.options.protectTokens, input.budget.window);
  }

  /** True if there is reason to climb further. */
  isOver(): boolean {
    return this.working.tokens > this.goal;
  }

  isOverTarget(): boolean {
    return this.working.tokens > this.target;
  }

  /** A person who asks for a compaction gets one, although the size does not call for it. */
  isAskedForMore(): boolean {
    return isAsked(this.input.trigger) && !this.working.isChanged;
  }

  /**
   * Whether shortening that is enough also pays soon enough. Where it does not, a summary does: it leaves less to be
   * written to the cache and saves more at every call.
   */
  async isWorthIt(): Promise<boolean> {
    const { input, working } = this;
    if (!this.isForced) return true;
    if (isAsked(input.trigger)) return true;
    return (await paybackOf(input, working, this.ports.meter)).calls <= patienceUnderPressure;
  }

  /** The rungs that only shorten what is old. */
  async shorten(): Promise<void> {
    const { input, working } = this;
    const { meter } = this.ports;
    const isEarly = input.trigger.source === 'savings';
    const wasOver = this.isOver() && !isEarly;
    const protectTokens = this.protectedTokens;
    this.begin('stale-results');
    this.note('stale-results', await hideStale(input, working, meter));
    if (wasOver && !this.isOver()) return;
    const masking = { ...input.options, protectTokens };
    this.begin(observationMasking.id);
    this.note(observationMasking.id, await maskOldResults(input, working, masking, meter));
    if (!this.isOver() && !isEarly) return;
    const old = startOfNewestTokens(working.messages, protectTokens, await working.sizes());
    this.begin('argument-clipping');
    this.note('argument-clipping', await clipOldArguments(input, working, old));
  }

  /** What to do where shortening was enough, or is all there is to do. */
  async shortened(): Promise<PlanResult> {
    const { input, working, tiers } = this;
    if (!working.isChanged) return unchanged('Nothing is old and large enough to be shortened.', tiers);
    const isWanted = (this.isForced && input.trigger.source !== 'savings') || isAsked(input.trigger);
    if (isWanted) return planned(working.plan({ tiers }));
    const { pays, objection } = await paybackOf(input, working, this.ports.meter);
    return pays ? planned(working.plan({ tiers })) : unchanged(objection, tiers);
  }

  /** The rung of a model: the discussion summarised, the facts copied. */
  async summarise(signal: CancellationSignal): Promise<void> {
    const { input, ports, working } = this;
    const { options: chosen } = input;
    this.begin(anchoredSummary.id);
    const aim = this.isForced
      ? Math.max(this.least, Math.min(this.target * summaryTargetShare, input.tokens * enoughShare))
      : this.target;
    const left = anchoredSources(
      working.messages,
      stayingBesideSummary(input),
      aim - input.toolTokens,
      await working.sizes(),
    );
    if (!hasNews(left)) {
      this.tier(anchoredSummary.id, 'unchanged', 'Everything before the newest messages is summarised.');
      return;
    }
    const sizes = await working.sizes();
    const leaving = left.reduce((tokens, { id }) => tokens + (sizes.get(id) ?? 0), 0);
    const room = this.target - (working.tokens - leaving) - chosen.discussionTokens;
    if (room <= 0) {
      this.tier(anchoredSummary.id, 'unchanged', noRoomForSummary);
      return;
    }
    // The model reads the messages as they were, not as they were shortened.
    const ids = new Set(left.map(({ id }) => id));
    const sources = input.view.filter(({ id }) => ids.has(id));
    try {
      const { report, warnings, ...summary } = await summariseAnchored(
        {
          sources,
          model: ports.model(chosen.model === '' ? undefined : chosen.model),
          focus: focusOf(input),
          mark: input.mark,
          continues: continuationOf(input),
          ...memoryRead(input),
          discussionTokens: chosen.discussionTokens,
          ledger: factsToCopy(
            input.ledger,
            working.messages.filter(({ id }) => !ids.has(id)),
          ),
          ledgerTokens: Math.min(ledgerRoom(input.budget.window), room),
        },
        ports.meter,
        signal,
      );
      this.report = { summary: report, warnings };
      const { total: sourceTokens } = await ports.meter.measure(sources);
      const tokens = await ports.meter.countText(summary.text);
      if (tokens + framingTokens >= sourceTokens) {
        const message = `The summary takes ${tokens} tokens, the messages it would replace ${sourceTokens}.`;
        const reason: Reason = { code: 'summary-inflated', message };
        this.end({ strategy: anchoredSummary.id, status: 'refused', reason });
        return;
      }
      const before = working.tokens;
      this.unsummarised = working.copy();
      await working.summarise([...ids], summary, 'before the newest messages; facts copied');
      this.note(anchoredSummary.id, before - working.tokens);
    } catch (error) {
      if (!(error instanceof CompactionFailure)) throw error;
      this.end({ strategy: anchoredSummary.id, status: 'failed', reason: error.reason });
    }
  }

  /** The last rung, which needs no model. Where a summary leaves it no room, the summary goes, too. */
  async fold(): Promise<void> {
    const { working, unsummarised, target } = this;
    this.begin(foldId);
    let folded = await this.folded(working);
    if (
      unsummarised !== undefined &&
      (folded instanceof CompactionFailure || folded.working.tokens > target)
    ) {
      const without = await this.folded(unsummarised);
      if (!(without instanceof CompactionFailure) && isSmaller(without, folded)) {
        folded = without;
        this.withdrawSummary();
      }
    }
    if (folded instanceof CompactionFailure) {
      this.end({ strategy: foldId, status: 'failed', reason: folded.reason });
      throw new CompactionFailure(folded.code, folded.message, { tiers: this.tiers });
    }
    this.note(foldId, folded.freed);
    this.working = folded.working;
    const { warnings = [] } = this.report;
    this.report = { ...this.report, warnings: [...warnings, ...folded.warnings], isLastTier: true };
  }

  /** @returns the view after a fold, or why it could not be done */
  private async folded(before: WorkingView): Promise<Folded | CompactionFailure> {
    const { input, ports, target } = this;
    const toolTokens = input.toolTokens + before.addedTokens;
    const folding = { ...input, view: before.messages, tokens: before.tokens, toolTokens, target };
    try {
      const { actions, warnings = [] } = await planFold(folding, ports);
      const working = before.copy();
      await working.apply(actions);
      return { working, freed: before.tokens - working.tokens, warnings };
    } catch (error) {
      if (error instanceof CompactionFailure) return error;
      throw error;
    }
  }

  /** The summary was made, but is not used. */
  private withdrawSummary(): void {
    const position = this.tiers.findLastIndex(({ strategy }) => strategy === anchoredSummary.id);
    const reason = { code: 'nothing-to-do', message: noRoomForSummary } as const;
    this.tiers.splice(position, 1, { strategy: anchoredSummary.id, status: 'unchanged', reason });
    const { summary } = this.report;
    this.report = summary === undefined ? {} : { summary };
  }

  done(): PlanResult {
    const { working, tiers, report } = this;
    return working.isChanged
      ? planned(working.plan({ ...report, tiers }))
      : unchanged('Nothing is left that could be shortened, summarised or folded.', tiers);
  }

  private note(strategy: string, freed: number): void {
    if (freed > 0) this.end({ strategy, status: 'applied' });
    else this.tier(strategy, 'unchanged', 'Nothing to free.');
  }

  private tier(strategy: string, status: Tier['status'], message: string): void {
    this.end({ strategy, status, reason: { code: 'nothing-to-do', message } });
  }

  private begin(strategy: string): void {
    this.ports.tell?.({ phase: 'tier-start', strategy });
  }

  private end(tier: Tier): void {
    this.tiers.push(tier);
    this.ports.tell?.({ phase: 'tier-end', ...tier });
  }
}
