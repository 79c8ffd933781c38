import type { ListSpec } from './options.ts';
import { summaryOptions } from './llm-summary.ts';
import { memoryOption } from './memory-option.ts';

/** What facts are looked for about where nobody says otherwise: what an agent needs to go on with its work. */
const defaultConcepts = [
  {
    keyword: 'goal',
    description: 'What the person wants done, with every requirement, in their words.',
    factType: 'MULTIPLE',
  },
  {
    keyword: 'constraints',
    description: 'Rules the person set: what must, must not, always or never be done.',
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

export const factOptions = {
  concepts: {
    type: 'list',
    default: defaultConcepts,
    description: 'What to look for. Each takes one model call.',
    fields: {
      keyword: { type: 'string', default: '', description: 'The thing, in a word or two.' },
      description: {
        type: 'string',
        default: '',
        description: 'What to write down about it, in a sentence.',
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
      'What to do where no facts are found. `none` leaves the conversation as it is, `llm-summary` has it summarised.',
  },
  focus: summaryOptions.focus,
  model: summaryOptions.model,
  ...memoryOption,
} as const;
