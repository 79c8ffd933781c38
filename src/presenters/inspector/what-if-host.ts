import type { CustomStrategy } from '../../compaction/strategies/contract/custom-strategy.ts';
import type { CompactionRecord, CoverageCount } from '../../compaction/records/record.ts';
import {
  isStillBase,
  recordsOf,
  type Transcript,
  transcriptBefore,
} from '../../compaction/transcript/transcript.ts';
import { recordsInForce } from '../../compaction/transcript/view.ts';
import { isStrategyId, strategyIds, strategyOf, type StrategyId } from '../../compaction/strategies/index.ts';
import { applicable, keptRules, type StrategyOutcome } from '../../insights/what-if.ts';
import {
  previewId,
  type WhatIfNotification,
  type WhatIfRequest,
  type whatIfRequests,
  type WhatIfView,
} from '../../protocol/inspector-what-if.ts';
import { dispatch, type Handlers } from '../../protocol/messages.ts';
import { recordView, type InspectorModel } from './inspector-model.ts';
import { missingNames } from './record-diff.ts';
import type { ChangeableSession, InspectorTarget } from './inspector-target.ts';
import type { TellProgress, Trial } from './what-if-trial.ts';
import { hostSentences } from '../../language/english/host-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { titleInRecord } from '../../compaction/records/custom-strategy-title.ts';
import type { Wording } from '../../language/translated/wording.ts';
import { refusalReason } from './compactions-host.ts';
import { isEstimateFor, momentOf, rowOf, rowOfRecord } from './what-if-rows.ts';

/** Settings and functions of the editor for trying strategies. */
export interface WhatIfHostPorts {
  readonly settings: () => {
    readonly current: string;
    readonly protectFirst: boolean;
    readonly focus: string;
    /** Returns the checked options of a strategy. */
    readonly optionsOf: (strategy: StrategyId) => Readonly<Record<string, unknown>>;
  };
  /** Returns a function that loads the strategy for `custom`; undefined if the settings name none. */
  readonly customStrategy: () => (() => Promise<CustomStrategy>) | undefined;
  /** Tries strategies until all have been tried or the signal is aborted. In VS Code, this runs on another thread. */
  readonly tryAll: (
    trial: Trial,
    tried: TriedSession,
    customStrategy: (() => Promise<CustomStrategy>) | undefined,
    tellProgress: TellProgress,
    signal: AbortSignal,
  ) => Promise<void>;
  readonly useStrategy: (strategy: string) => Promise<void>;
  readonly wording: Wording;
  readonly tell: (sentence: Sentence) => void;
  /** Current time in milliseconds since 1970. */
  readonly now: () => number;
}

export type TriedSession = Pick<InspectorModel, 'id' | 'transcript' | 'meter'>;

interface Tried {
  readonly record: CompactionRecord;
  readonly view: Transcript['view'];
}

/** A trial of all strategies. */
interface Run {
  readonly shown: InspectorTarget;
  /** The transcript on which the strategies are tried. */
  readonly base: Transcript;
  /** Compaction before which the strategies are tried; undefined for the current context. */
  readonly replayed: CompactionRecord | undefined;
  /** Rules that the replayed compaction kept. */
  readonly replayedRules: CoverageCount | undefined;
  readonly stop: AbortController;
  readonly startedAt: number;
  readonly total: number;
  phase: 'running' | 'done' | 'cancelled' | 'failed';
  running?: string | undefined;
  problem?: string;
  endedAt?: number;
  outcomes: readonly StrategyOutcome[];
  /** The strategy whose outcome was applied last. */
  applied?: string;
  /** The strategy that is being applied, while the session's own model writes its summary. */
  applying?: string | undefined;
}

const staleSentence = hostSentences.say('comparisonIsStale');

/** Tries all strategies on the displayed session, one after the other, and applies the one that the user chooses. */
export class WhatIfHost {
  private readonly post: (notification: WhatIfNotification) => void;
  private readonly ports: WhatIfHostPorts;
  private run: Run | undefined;
  /** The session to which the last request referred. */
  private latest: InspectorTarget | undefined;
  private readonly handlers: Handlers<typeof whatIfRequests, void | Promise<void>, [InspectorTarget]> = {
    'what-if-show': (_, shown) => this.tell(shown),
    'what-if-run': ({ before }, shown) => this.start(shown, before),
    'what-if-cancel': () => this.run?.stop.abort(),
    'what-if-use': async ({ strategy }, shown) => {
      if (!isStrategyId(strategy)) return;
      await this.ports.useStrategy(strategy);
      this.tell(shown);
    },
    'what-if-lost': ({ type, strategy }, shown) => {
      const tried = this.triedWith(strategy, shown);
      if (tried === undefined) return;
      const { record, view } = tried;
      const lost = { ...missingNames({ record, before: view }), rules: keptRules(view, record).missing };
      this.post({ type, sessionId: shown.inspector.id, strategy, lost });
    },
    'what-if-preview': async ({ type, strategy }, shown) => {
      const tried = this.triedWith(strategy, shown);
      if (tried === undefined) return;
      await shown.inspector.preview(tried.record, tried.view);
      const record = recordView(tried.record, false, [], this.ports.wording);
      this.post({ type, sessionId: shown.inspector.id, strategy, record });
    },
    'what-if-apply': async ({ strategy }, shown) => {
      const outcome = this.outcomeOf(strategy, shown);
      if (outcome !== undefined) await this.apply(outcome, shown);
    },
  };

  constructor(post: (notification: WhatIfNotification) => void, ports: WhatIfHostPorts) {
    this.post = post;
    this.ports = ports;
  }

  async handle(request: WhatIfRequest, shown: InspectorTarget): Promise<void> {
    this.latest = shown;
    await dispatch(this.handlers, request, shown);
  }

  stop(): void {
    this.run?.stop.abort();
  }

  private async apply(outcome: StrategyOutcome, shown: InspectorTarget): Promise<void> {
    const { run } = this;
    const { inspector, changes, model } = shown;
    if (run === undefined || changes === undefined || run.applying !== undefined) return;
    if (isStale(run, shown)) {
      this.ports.tell(staleSentence);
      this.tell(shown);
      return;
    }
    const { base } = run;
    const record = applicable(outcome, base, inspector.transcript);
    if (record === undefined) return;
    if (isEstimateFor(outcome, model)) return this.applyAnew(run, outcome, changes);
    const { status } = await changes.applyRecord(record, base);
    if (status === 'applied') run.applied = outcome.strategy;
    else this.ports.tell(staleSentence);
  }

  /** Compacts with the strategy again. The summary was an estimate; now the session's own model writes the summary. */
  private async applyAnew(
    run: Run,
    { strategy, record: { options } }: StrategyOutcome,
    session: Pick<ChangeableSession, 'compactNow'>,
  ): Promise<void> {
    if (!isStrategyId(strategy)) return;
    run.applying = strategy;
    this.tell(this.latest ?? run.shown);
    try {
      const record = await session.compactNow({ strategy: strategyOf(strategy), options });
      const reason = refusalReason(record);
      const title = titleInRecord(strategy, record);
      if (record.status === 'applied') run.applied = strategy;
      else if (reason === undefined)
        this.ports.tell(hostSentences.say('strategyNotApplied', { strategy: title }));
      else this.ports.tell(hostSentences.say('strategyNotAppliedBecause', { strategy: title, reason }));
    } finally {
      run.applying = undefined;
      this.tell(this.latest ?? run.shown);
    }
  }

  private async start(shown: InspectorTarget, before: string | undefined): Promise<void> {
    this.run?.stop.abort();
    const replayed = replayable(shown).find(({ id }) => id === before);
    const customStrategy = this.ports.customStrategy();
    const tried = strategyIds.filter((id) => id !== 'custom' || customStrategy !== undefined);
    const { transcript } = shown.inspector;
    const base = replayed === undefined ? transcript : transcriptBefore(transcript.entries, replayed.id);
    const run: Run = {
      shown,
      base,
      replayed,
      replayedRules: replayed && keptRules(base.view, replayed),
      stop: new AbortController(),
      startedAt: this.ports.now(),
      total: tried.length,
      phase: 'running',
      outcomes: [],
    };
    this.run = run;
    try {
      await this.tryAll(run, tried, customStrategy);
      run.phase = run.stop.signal.aborted ? 'cancelled' : 'done';
    } catch (error) {
      const isCancelled = run.stop.signal.aborted;
      run.phase = isCancelled ? 'cancelled' : 'failed';
      if (!isCancelled) run.problem = this.ports.wording.error(error);
    }
    run.running = undefined;
    run.endedAt = this.ports.now();
    if (this.run === run) this.tell(shown);
  }

  private tryAll(
    run: Run,
    strategies: readonly StrategyId[],
    customStrategy: (() => Promise<CustomStrategy>) | undefined,
  ): Promise<void> {
    const { base, shown } = run;
    const { id, meter, session } = shown.inspector;
    const { protectFirst, focus, optionsOf } = this.ports.settings();
    return this.ports.tryAll(
      {
        candidates: strategies.map((strategy) => ({ strategy, options: optionsOf(strategy) })),
        tools: session.tools,
        budget: session.compaction.budget,
        protectFirst,
        focus: focus || undefined,
        folder: run.replayed?.folder,
        hasStandInModel: !shown.model.isOffline || session.foreign !== undefined,
        recordPrefix: `t${run.startedAt.toString(36)}`,
      },
      { id: copyId(id, run.replayed), transcript: base, meter },
      customStrategy,
      (running, done) => {
        run.running = running;
        run.outcomes = [...run.outcomes, ...done];
        if (this.run === run) this.tell(shown);
      },
      run.stop.signal,
    );
  }

  private runOf({ inspector }: InspectorTarget): Run | undefined {
    return this.run?.shown.inspector.id === inspector.id ? this.run : undefined;
  }

  private outcomeOf(strategy: string, shown: InspectorTarget): StrategyOutcome | undefined {
    return this.runOf(shown)?.outcomes.find((outcome) => outcome.strategy === strategy);
  }

  /** The record of a tried strategy or of the agent's own compaction, and the view before it. */
  private triedWith(strategy: string, shown: InspectorTarget): Tried | undefined {
    const run = this.runOf(shown);
    const record = run?.replayed?.id === strategy ? run.replayed : this.outcomeOf(strategy, shown)?.record;
    if (run === undefined || record === undefined) return undefined;
    return { record: { ...record, id: previewId(strategy) }, view: run.base.view };
  }

  private tell(shown: InspectorTarget): void {
    this.post({ type: 'what-if', sessionId: shown.inspector.id, view: this.viewFor(shown) });
  }

  private viewFor(shown: InspectorTarget): WhatIfView {
    const { current } = this.ports.settings();
    const run = this.runOf(shown);
    const moments = replayable(shown).map(momentOf);
    if (run === undefined) {
      const nothing = { isStale: false, total: 0, durationMs: 0, rows: [] };
      return { phase: 'idle', current, moments, before: moments[0]?.recordId, ...nothing };
    }
    const { phase, replayed, replayedRules, total, running, problem, outcomes, applied, applying } = run;
    const isOld = isStale(run, shown);
    return {
      phase,
      isStale: isOld,
      applied: isOld ? applied : undefined,
      applying,
      total,
      running,
      problem,
      durationMs: Math.max(0, (run.endedAt ?? this.ports.now()) - run.startedAt),
      current,
      moments,
      before: replayed?.id,
      made:
        replayed && replayedRules && rowOfRecord(replayed, replayedRules, shown.model, this.ports.wording),
      rows: outcomes.map((outcome) => rowOf(outcome, shown.model, this.ports.wording)),
    };
  }
}

/** Compactions of a read-only session before which strategies can be tried, newest first. */
function replayable({ changes, inspector }: InspectorTarget): readonly CompactionRecord[] {
  if (changes !== undefined) return [];
  return recordsInForce(inspector.transcript.entries)
    .filter(({ before }) => before.messages > 0)
    .toReversed();
}

/** Id of the engine's copy. The current session and its past have separate copies, so neither is sent again. */
function copyId(sessionId: string, replayed: CompactionRecord | undefined): string {
  return replayed === undefined ? sessionId : `${sessionId} before ${replayed.id}`;
}

/** True if the view for which sizes and costs were computed has changed. The view before a compaction never changes. */
function isStale({ base, replayed }: Run, { inspector: { transcript: now } }: InspectorTarget): boolean {
  if (replayed !== undefined) return !recordsOf(now).includes(replayed);
  const hasSamePins = base.pins.size === now.pins.size && [...base.pins].every((id) => now.pins.has(id));
  return base.view.length !== now.view.length || !isStillBase(base, now) || !hasSamePins;
}
