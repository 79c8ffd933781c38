import { strategySentences } from '../../language/english/strategies-english.ts';
import type { CancellationSignal } from '../signals/cancellation.ts';
import type { CarriedText } from '../messages/ledger.ts';
import { CompactionFailure, reasonOf } from '../records/reason.ts';
import type { Message } from '../messages/message.ts';
import type { PlannedAction } from '../records/plan.ts';
import { removableMessages } from '../messages/protection.ts';
import type { Phrase, Reason, Tier } from '../records/record.ts';
import { isNews, summarise, type Summary } from '../summary/summarise.ts';
import type { OptionSchema, OptionsOf } from './contract/options.ts';
import {
  defineStrategy,
  planned,
  type StrategyInput,
  type StrategyPorts,
  unchanged,
} from './contract/strategy.ts';
import { WorkingView } from './contract/working-view.ts';
import type { RuleWork } from './steps/selective-rules.ts';
import { ledgerRoom, memoryOption, summaryTask } from './steps/summary-sources.ts';
import { tailByReplies, tailByTokens } from './steps/tail.ts';

const selectiveOptions = {
  rules: {
    type: 'list',
    default: [
      { kind: 'toolResult', action: 'clip', keep: 5, priority: 10 },
      { kind: 'reminder', action: 'drop', keep: 0, priority: 20 },
      { kind: 'skill', action: 'drop', keep: 0, priority: 20 },
      { kind: 'file', action: 'drop', keep: 0, priority: 20 },
      { kind: 'assistant', action: 'clip', keep: 5, priority: 30 },
      { kind: 'skillMetadata', action: 'drop', keep: 0, priority: 40 },
      { kind: 'user', action: 'clip', keep: 5, priority: 50 },
      { kind: 'summary', action: 'never', keep: 0, priority: 80 },
    ],
    description:
      'Messages that may be shortened, and in which order. System messages and memory are never shortened, whatever the rules say.',
    fields: {
      kind: {
        type: 'choice',
        default: 'toolResult',
        choices: ['toolResult', 'reminder', 'skill', 'file', 'assistant', 'skillMetadata', 'user', 'summary'],
        description:
          'Which messages the rule is for. `toolResult` means calls together with their results, `skill` the text of a loaded skill, `file` a file brought back after a summary, `skillMetadata` the list of skills.',
      },
      action: {
        type: 'choice',
        default: 'clip',
        choices: ['clip', 'drop', 'never'],
        description:
          '`clip` keeps the beginning and end, `drop` removes older messages, `never` leaves them alone. For tool results, `clip` drops older exchanges and clips those that stay.',
      },
      keep: {
        type: 'integer',
        default: 5,
        minimum: 0,
        maximum: 1000,
        description:
          'Number of the newest messages that the rule leaves alone. For tool results: number of exchanges.',
      },
      priority: {
        type: 'integer',
        default: 50,
        minimum: 0,
        maximum: 1000,
        description: 'Rules with smaller numbers are applied first.',
      },
    },
  },
  keepRecentExchanges: {
    type: 'integer',
    default: 5,
    minimum: 0,
    maximum: 1000,
    keepsNewest: true,
    description:
      'Number of the newest exchanges that no rule removes. The same number of replies stays after a summary, as long as they fit in half the target.',
  },
  protectRounds: {
    type: 'integer',
    default: 12,
    minimum: 0,
    maximum: 1000,
    keepsNewest: true,
    description: 'Number of the newest turns whose messages from you and the model stay whole.',
  },
  clipArguments: sizes('Arguments of a call', 500, 200),
  clipResults: sizes('Results and other texts', 600, 200),
  summary: {
    type: 'choice',
    default: 'when-over',
    choices: ['when-over', 'always', 'never'],
    description: 'Whether a model summarises older messages if the rules free too little.',
  },
  attempts: {
    type: 'integer',
    default: 3,
    minimum: 1,
    maximum: 10,
    description: 'Number of times the model is asked for a summary before all changes are undone.',
  },
  ...memoryOption,
} as const satisfies OptionSchema;

type SelectiveOptions = OptionsOf<typeof selectiveOptions>;

function sizes<const Over extends number, const To extends number>(what: string, over: Over, to: To) {
  return {
    type: 'group',
    description: `${what}: the size above which they are clipped, and the size left.`,
    fields: {
      over: {
        type: 'integer',
        default: over,
        minimum: 1,
        maximum: 1_000_000,
        description: `${what} of more tokens than this are clipped.`,
      },
      to: {
        type: 'integer',
        default: to,
        minimum: 1,
        maximum: 1_000_000,
        description: 'Tokens left of each.',
      },
    },
  } as const;
}

const tailShare = 0.5;
/** Minimum number of tokens of messages that are worth a summary. */
const smallestSource = 200;

const rulesStep = 'rules';
const summaryStep = 'summary';

export const selective = defineStrategy({
  id: 'selective',
  description:
    'Applies a list of rules until the target is met. By default it drops old exchanges, clips long arguments and results, drops reminders, and clips long old texts. If that is not enough, a model summarises the older messages. Keeps the newest exchanges and turns; loses old exchanges until the agent recalls them. If anything fails, nothing is changed.',
  needsModel: true,
  withoutModel: { summary: 'never' },
  options: selectiveOptions,
  async plan(input, ports, signal) {
    const { options } = input;
    const target = input.target ?? Math.floor(input.tokens / 2);
    const working = new WorkingView(input, ports.meter);
    ports.tell?.({ phase: 'tier-start', strategy: rulesStep });
    const { applyRules, ruleWorkOf } = await import('./steps/selective-rules.ts');
    const work = ruleWorkOf(input, working, target, ports.meter);
    await applyRules(work);
    const rulesTier: Tier = working.isChanged
      ? { strategy: selective.id, status: 'applied' }
      : tierOf(selective.id, 'unchanged', strategySentences.say('rulesFoundNothing'));
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
      isWanted ? strategySentences.say('littleBeforeNewest') : strategySentences.say('notNeeded'),
    );
    const tiers = [rulesTier, summaryTier];
    return working.isChanged
      ? planned(working.plan({ tiers }))
      : unchanged(strategySentences.say('nothingToDoForRules'), tiers);
  },
});

/** Finds the messages that a summary replaces: all before the newest, including messages that rules removed. */
async function sourcesOf(
  input: StrategyInput<SelectiveOptions>,
  { working, target, stays: staying }: RuleWork,
  { meter }: StrategyPorts,
): Promise<readonly Message[]> {
  const { view, options } = input;
  const left = working.messages;
  const stays = new Set([...staying].filter((id) => !input.memoryIds.has(id) || options.preserveMemory));
  const byTokens = tailByTokens(left, Math.floor(target * tailShare), await working.sizes());
  const tail = left[Math.max(tailByReplies(left, options.keepRecentExchanges), byTokens)];
  const start = tail === undefined ? view.length : view.findIndex(({ id }) => id === tail.id);
  const sources = removableMessages(view.slice(0, start), stays);
  const { total } = await meter.measure(sources.filter(isNews));
  return total < smallestSource ? [] : sources;
}

/** @throws {CompactionFailure} with all steps, because a failed summary also undoes the changes by rules */
async function write(
  sources: readonly Message[],
  input: StrategyInput<SelectiveOptions>,
  ports: StrategyPorts,
  signal: CancellationSignal,
): Promise<Summary> {
  try {
    const { attempts } = input.options;
    const task = summaryTask(
      { ...input, options: { ...input.options, focus: '', model: '' } },
      ports,
      sources,
    );
    const ledgerTokens = ledgerRoom(input.budget.window);
    return await summarise({ ...task, ledgerTokens, attempts }, ports.meter, signal);
  } catch (error) {
    if (!(error instanceof CompactionFailure)) throw error;
    const failed: Tier = { strategy: summaryStep, status: 'failed', reason: error.reason };
    ports.tell?.({ phase: 'tier-end', ...failed });
    const tiers: readonly Tier[] = [
      tierOf(selective.id, 'cancelled', strategySentences.say('rolledBack'), 'cancelled'),
      failed,
    ];
    throw new CompactionFailure(error.code, error.phrase, { cause: error, tiers });
  }
}

/** Combines the effects of the rules on the remaining messages with the summary of the others. */
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
  return [
    ...others,
    { kind: 'summarise', ids, text, carried, reason: strategySentences.say('beforeNewestMessages') },
  ];
}

function tierOf(
  strategy: string,
  status: Tier['status'],
  phrase: Phrase,
  code: Reason['code'] = 'nothing-to-do',
): Tier {
  return { strategy, status, reason: reasonOf(code, phrase) };
}
