import type { Budget } from '../../budget/budget.ts';
import type { CancellationSignal } from '../../signals/cancellation.ts';
import type { Message, ToolSchema } from '../../messages/message.ts';
import type { CustomStrategy } from './custom-strategy.ts';
import type { PlanningPhase } from '../../records/phase.ts';
import type { Plan } from '../../records/plan.ts';
import type { TagSuffix } from '../../quoting/session-tags.ts';
import type { Tier, Trigger, Phrase } from '../../records/record.ts';
import type { SummaryModel } from '../../summary/summary-model.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import type { OptionSchema, OptionsOf } from './options.ts';

export interface StrategyInput<Options> {
  /** Messages of the next request; valid for a strict endpoint. */
  readonly view: readonly Message[];
  /** All original messages, oldest first, including messages that left the view. */
  readonly history: readonly Message[];
  readonly protectedIds: ReadonlySet<string>;
  /** Ids of messages protected only as memory. A summary may replace them if an option allows it. */
  readonly memoryIds: ReadonlySet<string>;
  readonly budget: Budget;
  readonly trigger: Trigger;
  readonly tokens: number;
  /** Tokens of the tool schemas, which no plan can change. */
  readonly toolTokens: number;
  readonly tools: readonly ToolSchema[];
  readonly target: number | undefined;
  /** Maximum size of the view in tokens, if the requirement is hard; otherwise undefined. */
  readonly limit: number | undefined;
  readonly options: Options;
  /** Mark in the delimiters around all text that a strategy adds to a view. */
  readonly tagSuffix: TagSuffix;
  readonly focus: string | undefined;
  /** True if the view is a part of the conversation that the user chose to compact. */
  readonly isPart?: boolean;
}

export interface StrategyPorts {
  readonly meter: UsageMeter;
  /** Finds the named model for summaries, or the model in the settings. @returns undefined without a model */
  readonly model: (name?: string) => SummaryModel | undefined;
  /** Loads the custom strategy that the user named. @throws {CompactionFailure} with a `custom-` code */
  readonly customStrategy?: () => Promise<CustomStrategy>;
  /** Reports the steps of a strategy as they happen. Requests to models are reported automatically. */
  readonly tell?: ((phase: PlanningPhase) => void) | undefined;
}

export type PlanResult =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'unchanged'; readonly reason: Phrase; readonly tiers?: readonly Tier[] };

/** A method to make a view smaller. It only proposes a plan; acceptance decides. */
export interface Strategy<Schema extends OptionSchema = OptionSchema> {
  readonly id: string;
  /** Description of effects and losses in Markdown, shown when the user chooses a strategy. */
  readonly description: string;
  readonly needsModel: boolean;
  /** Options for a run without a model, used while no model may be asked. */
  readonly withoutModel?: Readonly<Record<string, unknown>>;
  /** True if the strategy does exactly what the user selected. No other strategy follows, even for a large view. */
  readonly isExact?: boolean;
  /** Returns the id of the newest request if added messages belong to an earlier one. Called before each model call. */
  readonly outdatedFor?: (view: readonly Message[]) => string | undefined;
  readonly options: Schema;
  /** @throws {CompactionFailure} if no plan can be made; {CancelledError} if the signal was aborted */
  plan(
    input: StrategyInput<OptionsOf<Schema>>,
    ports: StrategyPorts,
    signal: CancellationSignal,
  ): Promise<PlanResult>;
}

/** Defines a strategy, with its option types inferred from the schema. */
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
