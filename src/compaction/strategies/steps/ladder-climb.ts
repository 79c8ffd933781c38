import { strategySentences } from '../../../language/english/strategies-english.ts';
import type { CancellationSignal } from '../../signals/cancellation.ts';
import { CompactionFailure, reasonOf } from '../../records/reason.ts';
import { lastResortId, leastTarget, planLastResort } from './last-resort.ts';
import type { Plan } from '../../records/plan.ts';
import { isAsked, type Tier, type Phrase } from '../../records/record.ts';
import { summariseAnchored } from '../../summary/rolling-summary.ts';
import { hasNews } from '../../summary/summarise.ts';
import {
  anchoredSources,
  discussionRoom,
  ledgerRoom,
  stayingBesideSummary,
  summaryTask,
} from './summary-sources.ts';
import { clipOldTexts, shortenEdited } from './edited-files.ts';
import { clipOldArguments } from './argument-clips.ts';
import { maskOldResults, type MaskingOptions, paybackOf, protectedTokens } from './masking.ts';
import { type Staying, stayingWithOpenWork } from './open-work.ts';
import { tailByTokens } from './tail.ts';
import { framingTokens, sizeIn } from '../../tokens/usage.ts';
import { hideStale } from './old-results.ts';
import { dropStateNotes, noteState } from './state-note.ts';
import {
  planned,
  unchanged,
  type PlanResult,
  type StrategyInput,
  type StrategyPorts,
} from '../contract/strategy.ts';
import { WorkingView } from '../contract/working-view.ts';

/** Number of calls within which shortening has to pay if the window is full and a summary is the alternative. */
const patienceUnderPressure = 8;

/** Target size of a summarised view, as a share of the view, if shortening would not pay for rewriting the cache. */
const payingShare = 0.25;

const rungs = {
  stale: 'stale-results',
  masking: 'observation-masking',
  arguments: 'argument-clipping',
  summary: 'anchored-summary',
} as const;

interface LadderOptions extends Omit<MaskingOptions, 'protectTokens' | 'until'> {
  readonly protectTokens: number | 'auto';
  readonly discussionTokens: number | 'auto';
  readonly focus: string;
  readonly model: string;
  readonly preserveMemory: boolean;
}

type LadderInput = StrategyInput<LadderOptions>;

const noRoomForSummary = strategySentences.say('noRoomForSummary');

interface Reduced {
  readonly working: WorkingView;
  readonly freed: number;
  readonly warnings: readonly Phrase[];
}

function isSmaller(one: Reduced, other: Reduced | CompactionFailure): boolean {
  return other instanceof CompactionFailure || one.working.tokens < other.working.tokens;
}

export async function startClimb(input: LadderInput, ports: StrategyPorts): Promise<Climb> {
  return new Climb(input, ports, await stayingWithOpenWork(input, ports.meter));
}

class Climb {
  private readonly input: LadderInput;
  private readonly ports: StrategyPorts;
  /** Messages that stay unchanged unless the last resort is needed. */
  private readonly kept: ReadonlySet<string>;
  private working: WorkingView;
  private readonly target: number;
  private readonly protectedTokens: number;
  private readonly tiers: Tier[] = [];
  private unsummarised: WorkingView | undefined;
  private report: Pick<Plan, 'summary' | 'warnings' | 'isLastTier'> = {};
  private readonly isForced: boolean;

  constructor(input: LadderInput, ports: StrategyPorts, { ids, tokens }: Staying) {
    const staying = input.toolTokens + tokens;
    this.input = input;
    this.ports = ports;
    this.kept = ids;
    this.working = new WorkingView(input, ports.meter);
    const target = input.target ?? Math.floor(input.tokens / 2);
    this.isForced = input.tokens > target;
    this.target = Math.max(target, leastTarget(input, target, staying));
    this.protectedTokens = protectedTokens(input.options.protectTokens, input.budget.window);
  }

  isOver(): boolean {
    return this.working.tokens > this.target;
  }

  /** True if the user asked for a compaction that the size does not require. */
  isAskedForMore(): boolean {
    return isAsked(this.input.trigger) && !this.working.isChanged;
  }

  /** True if sufficient shortening also pays soon enough. Otherwise a summary saves more with every call. */
  async isWorthIt(): Promise<boolean> {
    const { input, working } = this;
    if (!this.isForced) return true;
    if (isAsked(input.trigger)) return true;
    return (await paybackOf(input, working, this.ports.meter)).calls <= patienceUnderPressure;
  }

  async shorten(): Promise<void> {
    const { input, working } = this;
    const { meter } = this.ports;
    const isEarly = input.trigger.source === 'savings';
    const wasOver = this.isOver() && !isEarly;
    const protectTokens = this.protectedTokens;
    const { protectedIds } = input;
    this.begin(rungs.stale);
    const stale = await hideStale(input, working, meter);
    // In an early compaction, the file may still be edited further.
    const edited = isEarly ? 0 : await shortenEdited(protectedIds, working, meter);
    this.note(rungs.stale, stale + edited);
    if (wasOver && !this.isOver()) return;
    const until = wasOver ? this.target : 0;
    const masking = { ...input.options, protectTokens, masksAnswered: true, until };
    this.begin(rungs.masking);
    this.note(rungs.masking, await maskOldResults(this.kept, working, masking, meter));
    if (!this.isOver() && !isEarly) return;
    const old = tailByTokens(working.messages, protectTokens, await working.sizes());
    this.begin(rungs.arguments);
    const oldTexts = isEarly ? 0 : await clipOldTexts(protectedIds, working);
    this.note(rungs.arguments, oldTexts + (await clipOldArguments(this.kept, working, old)));
  }

  /** Returns the plan after shortening, if shortening is enough or nothing else can be done. */
  async shortened(): Promise<PlanResult> {
    const { input, working, tiers } = this;
    if (!working.isChanged) return unchanged(strategySentences.say('nothingToShorten'), tiers);
    const isWanted = (this.isForced && input.trigger.source !== 'savings') || isAsked(input.trigger);
    if (isWanted) {
      await noteState(input, working, this.target, this.ports.meter);
      return planned(working.plan({ tiers }));
    }
    const { pays, objection } = await paybackOf(input, working, this.ports.meter);
    return pays ? planned(working.plan({ tiers })) : unchanged(objection, tiers);
  }

  /** Runs the rung that needs a model: summarises the discussion and copies the facts. */
  async summarise(signal: CancellationSignal): Promise<void> {
    const { input, ports, working } = this;
    const { options: chosen } = input;
    this.begin(rungs.summary);
    const discussionTokens = discussionRoom(chosen.discussionTokens, input.budget.window);
    const isUnpaid = this.isForced && !this.isOver();
    const aim = isUnpaid ? Math.floor(input.tokens * payingShare) : this.target - discussionTokens;
    const left = anchoredSources(
      working.messages,
      stayingBesideSummary({ ...input, protectedIds: this.kept }),
      aim - input.toolTokens,
      await working.sizes(),
    );
    if (!hasNews(left)) {
      this.tier(rungs.summary, 'unchanged', strategySentences.say('olderIsSummarised'));
      return;
    }
    const leaving = sizeIn(left, await working.sizes());
    const room = this.target - (working.tokens - leaving) - discussionTokens;
    if (room <= 0) {
      this.tier(rungs.summary, 'unchanged', noRoomForSummary);
      return;
    }
    // The model reads the original messages, not the shortened ones.
    const ids = new Set(left.map(({ id }) => id));
    const sources = input.view.filter(({ id }) => ids.has(id));
    try {
      const { report, warnings, ...summary } = await summariseAnchored(
        {
          ...summaryTask(input, ports, sources),
          discussionTokens,
          staying: working.messages.filter(({ id }) => !ids.has(id)),
          ledgerTokens: Math.min(ledgerRoom(input.budget.window), room),
        },
        ports.meter,
        signal,
      );
      this.report = { summary: report, warnings };
      const { total: sourceTokens } = await ports.meter.measure(sources);
      const tokens = await ports.meter.countText(summary.text);
      if (tokens + framingTokens >= sourceTokens) {
        const phrase = strategySentences.say('summaryNotSmaller', { tokens, sources: sourceTokens });
        const reason = reasonOf('summary-inflated', phrase);
        this.end({ strategy: rungs.summary, status: 'refused', reason });
        return;
      }
      const before = working.tokens;
      this.unsummarised = working.copy();
      await working.summarise([...ids], summary, strategySentences.say('beforeNewestFactsCopied'));
      await dropStateNotes(working);
      this.note(rungs.summary, before - working.tokens);
    } catch (error) {
      if (!(error instanceof CompactionFailure)) throw error;
      this.end({ strategy: rungs.summary, status: 'failed', reason: error.reason });
    }
  }

  /** Runs the last rung, which needs no model. Also replaces the summary if the summary takes all the room. */
  async lastResort(): Promise<void> {
    const { working, unsummarised, target } = this;
    this.begin(lastResortId);
    let reduced = await this.reduced(working);
    if (
      unsummarised !== undefined &&
      (reduced instanceof CompactionFailure || reduced.working.tokens > target)
    ) {
      const without = await this.reduced(unsummarised);
      if (!(without instanceof CompactionFailure) && isSmaller(without, reduced)) {
        reduced = without;
        this.withdrawSummary();
      }
    }
    if (reduced instanceof CompactionFailure) {
      this.end({ strategy: lastResortId, status: 'failed', reason: reduced.reason });
      throw new CompactionFailure(reduced.code, reduced.phrase, { tiers: this.tiers });
    }
    this.note(lastResortId, reduced.freed);
    this.working = reduced.working;
    const { warnings = [] } = this.report;
    this.report = { ...this.report, warnings: [...warnings, ...reduced.warnings], isLastTier: true };
  }

  /** @returns the view after the last resort, or the reason for its failure */
  private async reduced(before: WorkingView): Promise<Reduced | CompactionFailure> {
    const { input, ports, target } = this;
    const toolTokens = input.toolTokens + before.addedTokens;
    const { messages: view, tokens, brought: beside } = before;
    const whole = { ...input, view, tokens, toolTokens, target, beside };
    try {
      const { actions, warnings = [] } = await planLastResort(whole, ports);
      const working = before.copy();
      await working.apply(actions);
      return { working, freed: before.tokens - working.tokens, warnings };
    } catch (error) {
      if (error instanceof CompactionFailure) return error;
      throw error;
    }
  }

  private withdrawSummary(): void {
    const position = this.tiers.findLastIndex(({ strategy }) => strategy === rungs.summary);
    const reason = reasonOf('nothing-to-do', noRoomForSummary);
    this.tiers.splice(position, 1, { strategy: rungs.summary, status: 'unchanged', reason });
    const { summary } = this.report;
    this.report = summary === undefined ? {} : { summary };
  }

  done(): PlanResult {
    const { working, tiers, report } = this;
    return working.isChanged
      ? planned(working.plan({ ...report, tiers }))
      : unchanged(strategySentences.say('nothingIsLeft'), tiers);
  }

  private note(strategy: string, freed: number): void {
    if (freed > 0) this.end({ strategy, status: 'applied' });
    else this.tier(strategy, 'unchanged', strategySentences.say('nothingToFree'));
  }

  private tier(strategy: string, status: Tier['status'], phrase: Phrase): void {
    this.end({ strategy, status, reason: reasonOf('nothing-to-do', phrase) });
  }

  private begin(strategy: string): void {
    this.ports.tell?.({ phase: 'tier-start', strategy });
  }

  private end(tier: Tier): void {
    this.tiers.push(tier);
    this.ports.tell?.({ phase: 'tier-end', ...tier });
  }
}
