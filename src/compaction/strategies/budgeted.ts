import { strategySentences } from '../../language/english/strategies-english.ts';
import { type AllocationGroup, defaultAllocation } from '../budget/budget.ts';
import type { OptionSchema } from './contract/options.ts';
import type { Stage } from './steps/budgeted-shortener.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';

/** Parts that can be shortened, in the order of the context engineering guide. */
const steps = ['toolOutput', 'documents', 'conversation', 'repeated'] as const;

/** Shares of the target size, from the context engineering guide, in percent. */
const allocationOptions = {
  system: share('System messages and memory', defaultAllocation.system),
  tools: share('Tool definitions', defaultAllocation.tools),
  conversation: share('Messages, and calls with their arguments', defaultAllocation.conversation),
  toolOutput: share('Tool results', defaultAllocation.toolOutput),
  documents: share('Files read by the agent', defaultAllocation.documents),
} as const satisfies OptionSchema & Readonly<Record<AllocationGroup, unknown>>;

export const budgeted = defineStrategy({
  id: 'budgeted',
  description:
    'Gives each part of the window a share, and shortens the parts that exceed theirs, oldest first: tool output, files with little relevance to the task, conversation, repeated results. Needs no model. Keeps system messages, your first and newest message and the newest replies; loses old results and less relevant old steps until the agent recalls them.',
  needsModel: false,
  options: {
    allocation: {
      type: 'group',
      description: 'Share of each part of the window.',
      fields: allocationOptions,
    },
    order: {
      type: 'texts',
      default: steps,
      choices: steps,
      description: 'Parts in the order they are shortened. Parts that are not listed stay.',
    },
    protectTurns: {
      type: 'integer',
      default: 3,
      minimum: 0,
      maximum: 1000,
      keepsNewest: true,
      description: 'Number of the newest replies that stay, with the results of their calls.',
    },
    ageTurns: {
      type: 'integer',
      default: 10,
      minimum: 0,
      maximum: 1000,
      keepsNewest: true,
      description:
        'Number of replies after which content counts as old. Newer content is shortened only after all old content.',
    },
    importance: {
      type: 'number',
      default: 0.3,
      minimum: 0,
      maximum: 1,
      description:
        'Relevance below which old steps and files are removed: the share of their words that occur in the task.',
    },
    target: {
      type: 'number',
      default: 0.7,
      minimum: 0.05,
      maximum: 1,
      description: 'Target size, as a share of the window. The general target applies if it is smaller.',
    },
  },
  async plan(input, { meter }) {
    const { options, budget } = input;
    const known = [input.target, budget.window && Math.floor(budget.window * options.target)];
    const sizes = known.filter((size) => size !== undefined);
    const aim = sizes.length > 0 ? Math.min(...sizes) : Math.floor(input.tokens * options.target);
    if (input.tokens <= aim) return unchanged(strategySentences.say('atTargetSize'));

    const { BudgetedShortener } = await import('./steps/budgeted-shortener.ts');
    const allotment = new BudgetedShortener(input, aim, options, meter);
    const { importance } = options;
    const order = [...new Set(options.order)];
    const old = Math.max(options.ageTurns, options.protectTurns);
    const newest = options.protectTurns;
    const stages: readonly Stage[] = [
      { newest: old, importance, toShare: true },
      { newest: old, importance, toShare: false },
      { newest, importance, toShare: false },
      ...(input.trigger.requirement === 'hard'
        ? [{ newest, importance: Number.POSITIVE_INFINITY, toShare: false }]
        : []),
    ];
    for (const stage of stages) for (const step of order) await allotment.shorten(step, stage);
    const { working } = allotment;
    if (!working.isChanged) return unchanged(strategySentences.say('nothingToShorten'));
    return planned(working.plan({ warnings: await allotment.warnings() }));
  },
});

function share<const Share extends number>(what: string, percent: Share) {
  return {
    type: 'integer',
    default: percent,
    minimum: 0,
    maximum: 100,
    description: `${what}, in percent of the target size.`,
  } as const;
}
