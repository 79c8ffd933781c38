import { editableText, type SummaryEdit } from '../../compaction/manual-edits/fixed-plan.ts';
import { reasonText } from '../../compaction/records/reason.ts';
import type { CompactionRecord, RecordedAction } from '../../compaction/records/record.ts';
import type { PlannedCompaction } from '../../compaction/service/run-and-record.ts';
import type { RunOverrides } from '../../compaction/service/start-compaction.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { isStrategyId, strategyOf } from '../../compaction/strategies/index.ts';
import { unlessStale } from '../../compaction/transcript/transcript.ts';
import type { Wording } from '../../language/translated/wording.ts';
import { missingKinds } from '../../protocol/inspector-compactions.ts';
import { previewRecordId, type PreviewView } from '../../protocol/inspector-preview.ts';
import type { PreviewChoice } from '../../protocol/shared-requests.ts';
import { type InspectorModel, recordView } from './inspector-model.ts';
import { missingNames } from './record-diff.ts';
import type { ChangeableSession } from './inspector-target.ts';

interface PreviewPorts {
  readonly session: ChangeableSession;
  readonly inspector: Pick<InspectorModel, 'preview'>;
  readonly wording: Wording;
  readonly current: () => string;
  /** Returns a new number for each plan, so that editors can tell plans apart. */
  readonly nextPlan: () => number;
  readonly changed: () => void;
}

/** A plan, and the outcome of the last edit of its summaries. */
interface Plan {
  readonly number: number;
  /** The plan with the summaries that the strategy wrote. */
  readonly made: PlannedCompaction;
  readonly texts: readonly string[];
  /** The plan with the last accepted texts. */
  readonly shown: PlannedCompaction;
  /** The reason why the current texts are refused. */
  readonly refusal?: string | undefined;
  readonly lost: readonly string[];
}

/** Maximum number of names of lost facts that are sent to a page. */
const mostNames = 100;

/** A compaction that is planned, edited and checked before it is written to the session. */
export class CompactionPreview {
  private readonly ports: PreviewPorts;
  private choice: PreviewChoice = {};
  private plan: Plan | undefined;
  /** Texts that the user edited, by the position of the summary. Kept for later plans. */
  private edits: readonly (string | undefined)[] = [];
  private problem: string | undefined;
  private running:
    | { readonly activity: NonNullable<PreviewView['activity']>; readonly stopper: AbortController }
    | undefined;

  constructor(ports: PreviewPorts) {
    this.ports = ports;
  }

  get strategy(): string {
    return this.choice.strategy ?? this.ports.current();
  }

  get focus(): string {
    return this.choice.focus ?? '';
  }

  /** True if the preview has nothing to show, because its first plan was stopped. */
  get isEmpty(): boolean {
    return this.plan === undefined && this.problem === undefined && this.running === undefined;
  }

  /** Makes a plan. The new plan replaces the current plan, unless planning fails or is stopped. */
  async make(choice: PreviewChoice, keepsEdits = false): Promise<void> {
    const before = this.choice;
    this.choice = choice;
    const isMade = await this.during('planning', async (signal) => {
      const made = await this.ports.session.preview(overridesOf(choice), signal);
      throwIfCancelled(signal);
      if (!keepsEdits) this.edits = [];
      await this.show({ number: this.ports.nextPlan(), made, texts: textsOf(made), shown: made, lost: [] });
    });
    if (!isMade) this.choice = before;
    const { plan } = this;
    if (!isMade || plan === undefined || this.edits.every((edit) => edit === undefined)) return;
    await this.check(
      plan.number,
      plan.texts.map((text, index) => this.edits[index] ?? text),
    );
  }

  /** Plans again, optionally with another focus or strategy. */
  async again(change: Pick<PreviewChoice, 'focus' | 'strategy'>): Promise<void> {
    const keepsEdits = Object.keys(change).length === 0;
    await this.make({ ...this.choice, ...change }, keepsEdits);
  }

  /** Stores edited texts without checking them. */
  keep(number: number, texts: readonly string[]): void {
    const { plan } = this;
    if (plan?.number !== number || texts.length !== plan.texts.length) return;
    const originals = textsOf(plan.made);
    this.edits = texts.map((text, index) => (text === originals[index] ? undefined : text));
    this.plan = { ...plan, texts };
  }

  /** Checks edited summaries against the acceptance rules. Keeps refused texts, with the reason. */
  async check(number: number, texts: readonly string[]): Promise<void> {
    this.keep(number, texts);
    const { plan } = this;
    if (plan?.number !== number || this.isHeldUp || this.isStale) return;
    await this.during('checking', async (signal) => {
      const checked = await this.planned(plan, signal);
      throwIfCancelled(signal);
      const { status, reason } = checked.record;
      if (status !== 'applied' && plan.made.record.status === 'applied') {
        const refusal = reason === undefined ? '' : reasonText(reason, this.ports.wording);
        this.plan = { ...plan, refusal, lost: [] };
      } else
        await this.show({ ...plan, shown: checked, refusal: undefined, lost: lostIn(checked, plan.made) });
    });
  }

  /** Checks and applies the plan. @returns true if the plan was applied */
  async apply(number: number, texts: readonly string[]): Promise<boolean> {
    await this.check(number, texts);
    const { plan } = this;
    const isReady = plan?.number === number && plan.refusal === undefined && !this.isHeldUp && !this.isStale;
    if (!isReady || this.problem !== undefined || plan.shown.record.status !== 'applied') return false;
    let isApplied = false;
    await this.during('applying', async () => {
      const { record, base } = plan.shown;
      isApplied = (await this.ports.session.applyRecord(record, base)).status === 'applied';
    });
    return isApplied;
  }

  stop(): void {
    if (this.running?.activity !== 'applying') this.running?.stopper.abort();
  }

  view(): PreviewView {
    const { plan, running, problem, strategy } = this;
    const shown = plan?.shown.record;
    const tokens = shown === undefined ? [] : summariesIn(shown).map(({ action }) => action.tokensAfter);
    return {
      plan: plan?.number ?? 0,
      activity: running?.activity,
      strategy,
      record: shown && recordView({ ...shown, id: previewRecordId }, false, [], this.ports.wording),
      summaries: (plan?.texts ?? []).map((text, index) => ({ text, tokens: tokens[index] ?? 0 })),
      problem,
      refusal: plan?.refusal,
      lost: plan?.lost ?? [],
      isStale: running?.activity !== 'applying' && this.isStale,
    };
  }

  private get isStale(): boolean {
    const { plan } = this;
    if (plan === undefined) return false;
    const { record, base } = plan.shown;
    return unlessStale(record, base, this.ports.session.transcript) !== record;
  }

  /** True while work is running that a check must not interrupt. */
  private get isHeldUp(): boolean {
    return this.running !== undefined && this.running.activity !== 'checking';
  }

  private planned({ made, texts }: Plan, signal: AbortSignal): Promise<PlannedCompaction> {
    const edits = summariesIn(made.record).flatMap(({ output }, index): readonly SummaryEdit[] => {
      const text = texts[index];
      return text === undefined || text === editableText(output) ? [] : [{ outputId: output.id, text }];
    });
    if (edits.length === 0) return Promise.resolve(made);
    return this.ports.session.compaction.previewEdited(made, edits, overridesOf(this.choice), signal);
  }

  private async show(plan: Plan): Promise<void> {
    this.plan = plan;
    const { record, base } = plan.shown;
    await this.ports.inspector.preview({ ...record, id: previewRecordId }, base.view);
  }

  /** Stops the current work, then runs new work. @returns true if the new work was completed */
  private async during(
    activity: NonNullable<PreviewView['activity']>,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<boolean> {
    this.running?.stopper.abort();
    const running = { activity, stopper: new AbortController() };
    this.running = running;
    this.problem = undefined;
    this.ports.changed();
    try {
      await work(running.stopper.signal);
      return true;
    } catch (error) {
      if (!running.stopper.signal.aborted) this.problem = this.ports.wording.error(error);
      return false;
    } finally {
      if (this.running === running) this.running = undefined;
      this.ports.changed();
    }
  }
}

function overridesOf({ strategy, focus, from, to }: PreviewChoice): RunOverrides {
  return {
    ...(strategy !== undefined && isStrategyId(strategy) ? { strategy: strategyOf(strategy) } : {}),
    ...(focus === undefined || focus.trim() === '' ? {} : { focus }),
    ...(from === undefined && to === undefined ? {} : { part: { from, to } }),
  };
}

/** The readable summaries of a record, in the order of the plan. */
function summariesIn({ actions, outputs }: CompactionRecord) {
  return actions.flatMap((action: RecordedAction) => {
    const output = outputs.find(({ id }) => id === action.outputId);
    if (action.kind !== 'summarise' || output === undefined || output.opaque !== undefined) return [];
    return [{ action, output }];
  });
}

function textsOf({ record }: PlannedCompaction): readonly string[] {
  return summariesIn(record).map(({ output }) => editableText(output));
}

/** Names of facts that the strategy's plan keeps in context and the edited plan does not. */
function lostIn(edited: PlannedCompaction, made: PlannedCompaction): readonly string[] {
  if (edited === made) return [];
  const [after, before] = [edited, made].map(({ record, base }) =>
    missingNames({ record, before: base.view }),
  );
  if (after === undefined || before === undefined) return [];
  const names = missingKinds.flatMap((kind) => {
    const known = new Set(before[kind]);
    return after[kind].filter((name) => !known.has(name));
  });
  return names.slice(0, mostNames);
}
