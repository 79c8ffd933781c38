import type { CompactionSettings } from './service-ports.ts';
import { none } from '../strategies/none.ts';
import type { Budget } from '../budget/budget.ts';
import { type Growth, messageLimit } from '../budget/trigger.ts';

/** Sizes of the next request (`NextSize.tokens`) at which automatic compactions start; empty without compactions. */
export interface CompactionForecast {
  /** Size from which the next call waits for a compaction, or the user is asked. */
  readonly trigger?: number | undefined;
  /** Size from which a compaction starts in the background; smaller than the trigger. */
  readonly background?: number | undefined;
  readonly isUnderWay?: boolean | undefined;
  /** True if old output is also shortened earlier, at any size, when shortening pays for itself. */
  readonly shortensEarly?: boolean | undefined;
  readonly asks?: boolean | undefined;
  /** True after an undo: nothing compacts before the trigger, at which the window has no room for a reply. */
  readonly isPaused?: boolean | undefined;
  /** Number of messages, and of typed messages, that may be added before a compaction is due regardless of size. */
  readonly messagesLeft?: number | undefined;
  readonly turnsLeft?: number | undefined;
}

interface ForecastInput {
  readonly settings: Pick<CompactionSettings, 'mode' | 'strategy' | 'options'>;
  readonly budget: Budget;
  readonly added: Growth;
  readonly isPaused: boolean;
  readonly isUnderWay: boolean;
  /** True if a strategy that needs a model may start in the background before a compaction is due. */
  readonly mayBegin: boolean;
  readonly restsBelow: number;
  /** Estimated size below which the user is not asked again after an answer. */
  readonly asksFrom: number;
}

/** Finds the next automatic compactions, by the same conditions that start a compaction. */
export function forecastOf(input: ForecastInput): CompactionForecast {
  const { settings, budget, isUnderWay } = input;
  const { mode, strategy } = settings;
  if (mode === 'off' || strategy.id === none.id) return {};
  if (input.isPaused) return { isPaused: true, ...whenFull(budget) };
  const asks = mode === 'ask';
  const due = asks ? askedAt(input) : dueAt(input);
  const begin = asks || isUnderWay ? undefined : beginsAt(input);
  const isFirst = begin !== undefined && (due === undefined || begin < due);
  return {
    ...(due === undefined ? {} : { trigger: due }),
    ...(isFirst ? { background: begin } : {}),
    ...(isUnderWay ? { isUnderWay } : {}),
    ...(!asks && shortensEarly(settings) ? { shortensEarly: true } : {}),
    ...(asks ? { asks } : {}),
    ...leftOf(input.added, budget),
  };
}

function whenFull({ thresholds: { reserve } }: Budget): Pick<CompactionForecast, 'trigger'> {
  return reserve === undefined ? {} : { trigger: reserve + 1 };
}

/** After an unsuccessful attempt, a strategy without a model waits as long as there is room for the reply. */
function dueAt({ settings, budget, restsBelow }: ForecastInput): number | undefined {
  const { trigger, thresholds } = budget;
  if (trigger === undefined || settings.strategy.needsModel) return trigger;
  const { reserve = Number.POSITIVE_INFINITY } = thresholds;
  return Math.max(trigger, Math.min(restsBelow, reserve + 1));
}

/** Size at which the user is asked. A request clearly over the window is compacted without a question. */
function askedAt({ budget, asksFrom }: ForecastInput): number | undefined {
  const { trigger, window = Number.POSITIVE_INFINITY } = budget;
  return trigger === undefined ? undefined : Math.max(trigger, Math.min(asksFrom, window + 1));
}

function beginsAt({ settings, budget, mayBegin, restsBelow }: ForecastInput): number | undefined {
  if (budget.background === undefined || !settings.strategy.needsModel || !mayBegin) return undefined;
  return Math.max(budget.background.from, restsBelow);
}

/** True if the option `early` lets a strategy run before the window is full, when shortening pays for itself. */
export function shortensEarly({ options }: Pick<CompactionSettings, 'options'>): boolean {
  return options['early'] === true;
}

/** Counts the messages that may be added before one more exceeds a limit. */
function leftOf(
  added: Growth,
  { thresholds }: Budget,
): Pick<CompactionForecast, 'messagesLeft' | 'turnsLeft'> {
  const left = (most: number | undefined, count: number) =>
    most === undefined ? undefined : Math.max(0, most - count);
  const limit = thresholds.messages;
  const messagesLeft = left(limit && messageLimit(limit, added), added.messages);
  const turnsLeft = left(thresholds.turns, added.turns);
  return {
    ...(messagesLeft === undefined ? {} : { messagesLeft }),
    ...(turnsLeft === undefined ? {} : { turnsLeft }),
  };
}
