import { strategySentences } from '../../language/english/strategies-english.ts';
import type { CancellationSignal } from '../signals/cancellation.ts';
import { type CompactionFailure, reasonOf } from '../records/reason.ts';
import type { Message } from '../messages/message.ts';
import { removableMessages } from '../messages/protection.ts';
import { addReports, hasNews } from '../summary/summarise.ts';
import { summaryText } from '../summary/summary-form.ts';
import type { ListSpec, OptionsOf } from './contract/options.ts';
import {
  defineStrategy,
  planned,
  type PlanResult,
  type StrategyInput,
  type StrategyPorts,
  unchanged,
} from './contract/strategy.ts';
import { WorkingView } from './contract/working-view.ts';
import { llmSummary, summaryOptions } from './llm-summary.ts';
import { memoryOption, stayingBesideSummary, stayingIds, summaryTask } from './steps/summary-sources.ts';
import { toModel } from '../../language/sentence.ts';

/** Default concepts for fact retrieval: what an agent needs to continue its work. */
const defaultConcepts = [
  {
    keyword: 'goal',
    description: 'What the user wants done, with every requirement, in their words.',
    factType: 'MULTIPLE',
  },
  {
    keyword: 'constraints',
    description: 'Rules the user set: what must, must not, always or never be done.',
    factType: 'MULTIPLE',
  },
  {
    keyword: 'decisions',
    description: 'What was decided or chosen, and why.',
    factType: 'MULTIPLE',
  },
  {
    keyword: 'files',
    description: 'Each file that was read or changed, by its path, and what matters about it.',
    factType: 'MULTIPLE',
  },
  {
    keyword: 'errors',
    description: 'Errors and failures, with their exact message, and whether they are fixed.',
    factType: 'MULTIPLE',
  },
  {
    keyword: 'state',
    description: 'What is done, what is half done and which step is next.',
    factType: 'SINGLE',
  },
] as const satisfies ListSpec['default'];

const factOptions = {
  concepts: {
    type: 'list',
    default: defaultConcepts,
    description: 'What to look for. Each takes one model call.',
    fields: {
      keyword: { type: 'string', default: '', description: 'Name of the concept, in a word or two.' },
      description: {
        type: 'string',
        default: '',
        description: 'What to note about it, in one sentence.',
      },
      factType: {
        type: 'choice',
        default: 'MULTIPLE',
        choices: ['SINGLE', 'MULTIPLE'],
        description: '`SINGLE` keeps the one fact that matters most, `MULTIPLE` all of them.',
      },
    },
  },
  fallback: {
    type: 'choice',
    default: 'none',
    choices: ['none', 'llm-summary'],
    description:
      'What to do if no facts are found. `none` leaves the conversation as it is; `llm-summary` summarises it.',
  },
  focus: summaryOptions.focus,
  model: summaryOptions.model,
  ...memoryOption,
} as const;

type FactsInput = StrategyInput<OptionsOf<typeof factOptions>>;

export const retrieveFacts = defineStrategy({
  id: 'retrieve-facts',
  description:
    'Asks a model for the facts about each of a few concepts (goal, rules, decisions, files, errors, state, or your own) and puts them in place of the conversation. Keeps system messages, memory, the first and the newest request, facts found earlier, and a short list of requests, files, commands and errors that no fact names; loses whatever concerns none of the concepts until the agent recalls it.',
  needsModel: true,
  options: factOptions,
  async plan(input, ports, signal) {
    const { view, options } = input;
    const concepts = options.concepts.filter(({ keyword }) => keyword.trim() !== '');
    if (concepts.length === 0) return unchanged(strategySentences.say('noConcepts'));
    const sizes = await new WorkingView(input, ports.meter).sizes();
    const sources = removableMessages(
      view,
      stayingIds({ ...input, protectedIds: stayingBesideSummary(input) }, [view], sizes),
    );
    if (!hasNews(sources)) {
      return unchanged(strategySentences.say('allIsSummarised'));
    }
    const task = summaryTask(input, ports, sources);
    const { askForEach } = await import('../summary/concept-facts.ts');
    const { found, failures, reports, warnings } = await askForEach(concepts, task, ports.meter, signal);
    const failure = failures[0];
    if (found.every(({ facts }) => facts.length === 0)) {
      if (options.fallback === 'llm-summary') return fallBackToSummary(input, ports, failure, signal);
      // Fails only if every concept failed. It is then unknown whether there are facts.
      if (failure !== undefined && found.length === 0) throw failure;
      return unchanged(strategySentences.say('noFacts'));
    }

    const { earlierFacts, mergeFacts, renderFacts } = await import('../summary/concept-facts.ts');
    const { summaryAround } = await import('../summary/summary-body.ts');
    const facts = mergeFacts(earlierFacts(sources), found, concepts);
    const { tagSuffix } = input;
    const notes = `${noteOn(sources)}\n${renderFacts(facts, tagSuffix)}`;
    const { text, carried } = await summaryAround({ ...task, notes }, ports.meter);
    const report = addReports(reports);
    return planned({
      actions: [
        {
          kind: 'summarise',
          ids: sources.map(({ id }) => id),
          text: summaryText(text, tagSuffix),
          carried: { ...carried, concepts: facts },
          reason: strategySentences.say('factsByConcept'),
        },
      ],
      ...(report === undefined ? {} : { summary: report }),
      warnings,
    });
  },
});

function noteOn(sources: readonly Message[]): string {
  const results = sources.filter(({ role }) => role === 'tool').length;
  return toModel`Facts from ${sources.length} earlier messages, ${results} tool results among them. Most of what is not about one of the concepts was left out; recall(id) returns it.`;
}

async function fallBackToSummary(
  input: FactsInput,
  ports: StrategyPorts,
  failure: CompactionFailure | undefined,
  signal: CancellationSignal,
): Promise<PlanResult> {
  const { focus, model, preserveMemory } = input.options;
  const options = { preserveMessages: summaryOptions.preserveMessages.default, focus, model, preserveMemory };
  const nothing = reasonOf('nothing-to-do', strategySentences.say('noFacts'));
  const tier =
    failure === undefined
      ? ({ strategy: retrieveFacts.id, status: 'unchanged', reason: nothing } as const)
      : ({ strategy: retrieveFacts.id, status: 'failed', reason: failure.reason } as const);
  const result = await llmSummary.plan({ ...input, options }, ports, signal);
  if (result.kind === 'unchanged') return unchanged(result.reason, [tier]);
  return planned({ ...result.plan, tiers: [tier], madeBy: llmSummary.id });
}
