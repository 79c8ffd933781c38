import type { CancellationSignal } from '../cancellation.ts';
import type { CarriedText } from '../carried.ts';
import { CompactionFailure } from '../failure.ts';
import type { Message } from '../message.ts';
import type { PlannedAction } from '../plan.ts';
import { removableMessages } from '../protection.ts';
import type { Reason, Tier } from '../record.ts';
import { continuationOf } from '../summary/continuation.ts';
import { summarise, type Summary } from '../summary/summarise.ts';
import { memoryRead } from './memory-option.ts';
import { startOfNewestTokens } from './newest.ts';
import { startOfNewestReplies } from './replies.ts';
import { selectiveOptions, type SelectiveOptions } from './selective-options.ts';
import type { RuleWork } from './selective-rules.ts';
import { defineStrategy, planned, unchanged, type StrategyInput, type StrategyPorts } from './strategy.ts';
import { WorkingView } from './working-view.ts';

/** Share of the target that the messages behind a summary may take. */
const tailShare = 0.5;
/** Messages of fewer tokens than this are not worth a summary. */
const smallestSource = 200;

/** What its two steps are called where they are told. */
const rulesStep = 'rules';
const summaryStep = 'summary';

export const selective = defineStrategy({
  id: 'selective',
  title: 'Selective',
  description:
    'Walks a table of rules, by default: old exchanges out, long arguments and results clipped, reminders out, long old texts clipped. Stops as soon as the target is met; where it is not, a model summarises what is older. Keeps the newest exchanges and turns; loses old exchanges until the agent recalls them. If anything fails, nothing is changed.',
  needsModel: true,
  withoutModel: { summary: 'never' },
  options: selectiveOptions,
  async plan(input, ports, signal) {
    const { options } = input;
    const target = input.target ?? Math.floor(input.tokens / 2);
    const working = new WorkingView(input, ports.meter);
    ports.tell?.({ phase: 'tier-start', strategy: rulesStep });
    // Only now, so that activation does not read it.
    const { applyRules, ruleWorkOf } = await import('./selective-rules.ts');
    const work = ruleWorkOf(input, working, target, ports.meter);
    await applyRules(work);
    const rulesTier: Tier = working.isChanged
      ? { strategy: selective.id, status: 'applied' }
      : tierOf(selective.id, 'unchanged', 'The target is met already, or no rule finds anything to shorten.');
    ports.tell?.({ phase: 'tier-end', ...rulesTier, strategy: rulesStep });

    const isOver = working.tokens > target;
    const isWanted = options.summary === 'always' || (options.summary === 'when-over' && isOver);
    const sources = isWanted ? await sourcesOf(input, work, ports) : [];
    if (sources.length > 0) {
      ports.tell?.({ phase: 'tier-start', strategy: summaryStep });
      const { report, warnings, ...summary } = await write(sources, input, ports, signal);
      ports.tell?.({ phase: 'tier-end', strategy: summaryStep, status: 'applied' });
      const actions = withSummary(working.plan().actions, sources, summary);
      const tiers: readonly Tier[] = [rulesTier, { strategy: summaryStep, status: 'applied' }];
      return planned({ actions, summary: report, warnings, tiers });
    }
    const summaryTier = tierOf(
      summaryStep,
      'unchanged',
      isWanted ? 'Too little is left before the newest messages.' : 'It was not asked for, or not needed.',
    );
    const tiers = [rulesTier, summaryTier];
    return working.isChanged
      ? planned(working.plan({ tiers }))
      : unchanged('No rule finds anything to shorten, and nothing needs a summary.', tiers);
  },
});

/** What a summary takes the place of: everything before the newest messages, also what the rules took out. */
async function sourcesOf(
  input: StrategyInput<SelectiveOptions>,
  { working, target, stays: staying }: RuleWork,
  { meter }: StrategyPorts,
): Promise<readonly Message[]> {
  const { view, options } = input;
  const left = working.messages;
  const stays = new Set([...staying].filter((id) => !input.memoryIds.has(id) || options.preserveMemory));
  const byTokens = startOfNewestTokens(left, Math.floor(target * tailShare), await working.sizes());
  const tail = left[Math.max(startOfNewestReplies(left, options.keepRecentExchanges), byTokens)];
  const start = tail === undefined ? view.length : view.findIndex(({ id }) => id === tail.id);
  const sources = removableMessages(view.slice(0, start), stays);
  const { total } = await meter.measure(
    sources.filter(({ kind }) => kind !== 'summary' && kind !== 'memory'),
  );
  return total < smallestSource ? [] : sources;
}

/** @throws {CompactionFailure} with every step in it: what the rules did is rolled back with the summary */
async function write(
  sources: readonly Message[],
  input: StrategyInput<SelectiveOptions>,
  ports: StrategyPorts,
  signal: CancellationSignal,
): Promise<Summary> {
  try {
    const { attempts } = input.options;
    return await summarise(
      {
        sources,
        model: ports.model(),
        focus: input.focus,
        mark: input.mark,
        continues: continuationOf({ ...input, options: { model: '' } }),
        ...memoryRead(input),
        attempts,
      },
      ports.meter,
      signal,
    );
  } catch (error) {
    if (!(error instanceof CompactionFailure)) throw error;
    const failed: Tier = { strategy: summaryStep, status: 'failed', reason: error.reason };
    ports.tell?.({ phase: 'tier-end', ...failed });
    const tiers: readonly Tier[] = [
      tierOf(selective.id, 'cancelled', 'Rolled back, because the summary failed.', 'cancelled'),
      failed,
    ];
    throw new CompactionFailure(error.code, error.message, { cause: error, tiers });
  }
}

/** What the rules did to the messages that stay, and the summary of the others. */
function withSummary(
  actions: readonly PlannedAction[],
  sources: readonly Message[],
  { text, carried }: CarriedText,
): readonly PlannedAction[] {
  const ids = sources.map(({ id }) => id);
  const summarised = new Set(ids);
  const others = actions.flatMap((action): readonly PlannedAction[] => {
    if ('id' in action) return summarised.has(action.id) ? [] : [action];
    if (action.kind !== 'drop') return [action];
    const left = action.ids.filter((id) => !summarised.has(id));
    return left.length === 0 ? [] : [{ ...action, ids: left }];
  });
  return [...others, { kind: 'summarise', ids, text, carried, reason: 'before the newest messages' }];
}

function tierOf(
  strategy: string,
  status: Tier['status'],
  message: string,
  code: Reason['code'] = 'nothing-to-do',
): Tier {
  return { strategy, status, reason: { code, message } };
}
