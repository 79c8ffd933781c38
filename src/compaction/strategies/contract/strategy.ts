import type { Budget } from '../../budget/budget.ts';
import type { CancellationSignal } from '../../signals/cancellation.ts';
import type { Ledger } from '../../messages/ledger.ts';
import type { Message, ToolSchema } from '../../messages/message.ts';
import type { CustomStrategy } from './custom-strategy.ts';
import type { PlanningPhase } from '../../records/phase.ts';
import type { Plan } from '../../records/plan.ts';
import type { Mark } from '../../quoting/mark.ts';
import type { Tier, Trigger, Phrase } from '../../records/record.ts';
import type { SummaryModel } from '../../summary/summary-model.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import type { OptionSchema, OptionsOf } from './options.ts';

/** Input that a strategy decides on. Nothing in it can be changed. */
export interface StrategyInput<Options> {
  /** Messages that would be sent now; valid for a strict endpoint. */
  readonly view: readonly Message[];
  /** Everything that was said, oldest first: also what is no longer in the view, if that is known. */
  readonly history: readonly Message[];
  /** Messages that have to stay as they are. */
  readonly protectedIds: ReadonlySet<string>;
  /** Those of them that are memory and nothing else: a summary may take their place if an option lets it. */
  readonly memoryIds: ReadonlySet<string>;
  readonly budget: Budget;
  readonly trigger: Trigger;
  /** Size of the view and the tool schemas, counted. */
  readonly tokens: number;
  /** Of these, the tool schemas, which no plan can change. */
  readonly toolTokens: number;
  /** Schemas that go with every request. */
  readonly tools: readonly ToolSchema[];
  /** Facts of the whole history, also of what is no longer in the view. */
  readonly ledger: Ledger;
  /** Size to come down to, in tokens. */
  readonly target: number | undefined;
  /** Size that the view must not be over, in tokens: if the requirement is hard, otherwise none. */
  readonly limit: number | undefined;
  readonly options: Options;
  /** Of the delimiters around everything that a strategy puts into a view. */
  readonly mark: Mark;
  /** Instructions from a person on what to keep in mind, for this compaction or for all. */
  readonly focus: string | undefined;
  /** True if the view is a part of the conversation that a person chose to compact. */
  readonly isPart?: boolean;
}

/** Services that a strategy may use. */
export interface StrategyPorts {
  readonly meter: UsageMeter;
  /** A model for summaries: the named one, or the one that settings choose for compaction. Undefined if none. */
  readonly model: (name?: string) => SummaryModel | undefined;
  /**
   * The strategy that people named and that is not part of this project. Undefined if there can be none.
   *
   * @throws {CompactionFailure} with a `custom-` code if what they named cannot be used
   */
  readonly customStrategy?: () => Promise<CustomStrategy>;
  /** Hears of the steps that a strategy takes, as it takes them. Requests to models are told without it. */
  readonly tell?: ((phase: PlanningPhase) => void) | undefined;
}

export type PlanResult =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'unchanged'; readonly reason: Phrase; readonly tiers?: readonly Tier[] };

/** A way to make a view smaller. Pure policy: it proposes, and acceptance decides. */
export interface Strategy<Schema extends OptionSchema = OptionSchema> {
  readonly id: string;
  /** Description of what it does, keeps and loses, in Markdown; shown where people choose. */
  readonly description: string;
  readonly needsModel: boolean;
  /** Options with which it does without a model, and still does something, while models are left alone. */
  readonly withoutModel?: Readonly<Record<string, unknown>>;
  /** Worth asking before the window fills up: it shortens if that pays for itself under a prompt cache. */
  readonly shortensEarly?: boolean;
  /** It does what a person pointed at and nothing else: no other strategy follows it, whatever size it leaves. */
  readonly isExact?: boolean;
  /**
   * For a strategy whose additions to a view depend on the request: the newest request, if the view was made for
   * an earlier one. Asked before every call, so it has to be cheap.
   *
   * @returns id of the message with that request
   */
  readonly outdatedFor?: (view: readonly Message[]) => string | undefined;
  readonly options: Schema;
  /**
   * @throws {CompactionFailure} if it cannot make a plan
   * @throws {CancelledError} if the signal was aborted
   */
  plan(
    input: StrategyInput<OptionsOf<Schema>>,
    ports: StrategyPorts,
    signal: CancellationSignal,
  ): Promise<PlanResult>;
}

/** Lets the compiler infer the options from the schema. */
export function defineStrategy<const Schema extends OptionSchema>(
  strategy: Strategy<Schema>,
): Strategy<Schema> {
  return strategy;
}

export function planned(plan: Plan): PlanResult {
  return { kind: 'plan', plan };
}

export function unchanged(reason: Phrase, tiers?: readonly Tier[]): PlanResult {
  return { kind: 'unchanged', reason, ...(tiers === undefined ? {} : { tiers }) };
}
