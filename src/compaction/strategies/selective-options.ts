import { memoryOption } from './memory-option.ts';
import type { OptionSchema, OptionsOf } from './options.ts';

export const selectiveOptions = {
  rules: {
    type: 'list',
    default: [
      { kind: 'toolResult', action: 'clip', keep: 5, priority: 10 },
      { kind: 'reminder', action: 'drop', keep: 0, priority: 20 },
      { kind: 'skill', action: 'drop', keep: 0, priority: 20 },
      { kind: 'assistant', action: 'clip', keep: 5, priority: 30 },
      { kind: 'skillMetadata', action: 'drop', keep: 0, priority: 40 },
      { kind: 'user', action: 'clip', keep: 5, priority: 50 },
      { kind: 'summary', action: 'never', keep: 0, priority: 80 },
    ],
    description:
      'What may be shortened, and in which order. System messages and memory never are, whatever stands here.',
    fields: {
      kind: {
        type: 'choice',
        default: 'toolResult',
        choices: ['toolResult', 'reminder', 'skill', 'assistant', 'skillMetadata', 'user', 'summary'],
        description:
          'Which messages the rule is for. `toolResult` means calls together with their results, `skill` the text of a skill that was loaded, `skillMetadata` the list of skills.',
      },
      action: {
        type: 'choice',
        default: 'clip',
        choices: ['clip', 'drop', 'never'],
        description:
          '`clip` keeps head and tail, `drop` takes older messages out, `never` leaves them alone. Of tool results, `clip` takes out older exchanges and clips those that stay.',
      },
      keep: {
        type: 'integer',
        default: 5,
        minimum: 0,
        maximum: 1000,
        description: 'Newest of them that the rule leaves alone. For tool results: exchanges that stay.',
      },
      priority: {
        type: 'integer',
        default: 50,
        minimum: 0,
        maximum: 1000,
        description: 'The smaller, the earlier the rule is applied.',
      },
    },
  },
  keepRecentExchanges: {
    type: 'integer',
    default: 5,
    minimum: 0,
    maximum: 1000,
    description:
      'Newest exchanges that no rule takes out. Behind a summary as many of the newest replies stay, as far as half the target holds them.',
  },
  protectRounds: {
    type: 'integer',
    default: 12,
    minimum: 0,
    maximum: 1000,
    description: 'Newest turns in which the text of person and model stays whole.',
  },
  clipArguments: sizes('Arguments of a call', 500, 200),
  clipResults: sizes('Results and other texts', 600, 200),
  summary: {
    type: 'choice',
    default: 'when-over',
    choices: ['when-over', 'always', 'never'],
    description: 'Whether a model summarises what is older when the rules are through.',
  },
  attempts: {
    type: 'integer',
    default: 3,
    minimum: 1,
    maximum: 10,
    description: 'How often a model is asked for the summary before everything is rolled back.',
  },
  ...memoryOption,
} as const satisfies OptionSchema;

export type SelectiveOptions = OptionsOf<typeof selectiveOptions>;
export type SelectiveRule = SelectiveOptions['rules'][number];

function sizes<const Over extends number, const To extends number>(what: string, over: Over, to: To) {
  return {
    type: 'group',
    description: `${what}: from which size on they are clipped, and to which.`,
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
        description: 'Tokens that are left of them.',
      },
    },
  } as const;
}
