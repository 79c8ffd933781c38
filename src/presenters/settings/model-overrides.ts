import type { ModelOverrides } from '../../compaction/budget/model-table.ts';
import { encodingNames } from '../../compaction/tokens/token-counter.ts';
import type { Sentence } from '../../language/sentence.ts';
import { settingsSentences } from '../../language/english/settings-english.ts';
import { strategySentences } from '../../language/english/strategies-english.ts';
import type { ObjectSetting, ValueSchema } from './general-settings.ts';
import { isRecord } from '../../language/is-record.ts';

const mostTokens = 100_000_000;
const mostDollars = 10_000;
const mostTimes = 100;

const fields = {
  window: {
    type: 'integer',
    minimum: 1,
    maximum: mostTokens,
    description: 'Tokens of input and output together.',
  },
  maxOutput: {
    type: 'integer',
    minimum: 1,
    maximum: mostTokens,
    description: 'Largest reply, in tokens.',
  },
  price: {
    type: 'object',
    description: 'Dollars for a million tokens.',
    properties: {
      input: { type: 'number', minimum: 0, maximum: mostDollars, description: 'Price of input.' },
      output: { type: 'number', minimum: 0, maximum: mostDollars, description: 'Price of output.' },
      cachedInput: {
        type: 'number',
        minimum: 0,
        maximum: mostDollars,
        description: 'Price of input read from the cache.',
      },
    },
    additionalProperties: false,
  },
  cache: {
    type: 'object',
    description: 'Price of the prompt cache, as multiples of the price of input.',
    properties: {
      read: { type: 'number', minimum: 0, maximum: mostTimes, description: 'For reading a token.' },
      write: { type: 'number', minimum: 0, maximum: mostTimes, description: 'For writing a token.' },
    },
    additionalProperties: false,
  },
  tokenizer: { type: 'string', enum: encodingNames, description: 'Tokenizer that counts tokens.' },
} as const satisfies Readonly<Record<string, ValueSchema>>;

const ofOneModel = { type: 'object', properties: fields, additionalProperties: false } as const;

/** `contextBudget.models`, in the form of `contributes.configuration`. */
export const modelsSetting: ObjectSetting = {
  type: 'object',
  default: {},
  additionalProperties: ofOneModel,
  scope: 'window',
  markdownDescription:
    'What is assumed of models, by the beginning of their name, where the built-in table is out of date or knows nothing. For example: `{ "my-model": { "window": 65536 } }`.',
  order: 5,
};

/**
 * Reads `contextBudget.models`. Ignores the whole value if a part is invalid. Users would overlook a single part.
 */
export function readModelOverrides(value: unknown): {
  readonly overrides: ModelOverrides;
  readonly problems: readonly Sentence[];
} {
  if (value === undefined || value === null) return { overrides: {}, problems: [] };
  const problem = problemIn(modelsSetting, value, 'contextBudget.models');
  return problem === undefined
    ? { overrides: value as ModelOverrides, problems: [] }
    : { overrides: {}, problems: [settingsSentences.say('tableUsed', { problem })] };
}

/** The first value that does not fit a schema, and its path. */
function problemIn(schema: ValueSchema, value: unknown, path: string): Sentence | undefined {
  if (schema.type === 'object') return problemInObject(schema, value, path);
  const expected = expectedOf(schema, value);
  return expected === undefined ? undefined : mustBe(path, expected, value);
}

function problemInObject(schema: ValueSchema, value: unknown, path: string): Sentence | undefined {
  if (!isRecord(value)) {
    return mustBe(path, strategySentences.say('anObject'), value);
  }
  const { properties = {}, additionalProperties } = schema;
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const expected = known ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (expected === undefined) {
      const options = Object.keys(properties).join(', ');
      return strategySentences.say('unknownOption', { path: `${path}.${name}`, options });
    }
    const problem = problemIn(expected, field, `${path}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Description of the expected value; undefined if the value matches the schema. */
export function expectedOf(schema: Omit<ValueSchema, 'items'>, value: unknown): Sentence | undefined {
  const { type, enum: choices, pattern, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (type === 'boolean')
    return typeof value === 'boolean' ? undefined : strategySentences.say('trueOrFalse');
  if (choices !== undefined) {
    const isChoice = choices.some((choice) => choice === value);
    return isChoice ? undefined : strategySentences.say('oneOf', { choices: choices.join(', ') });
  }
  if (type === 'string') {
    if (typeof value !== 'string') return strategySentences.say('aString');
    if (value.trim() === '' && schema.default !== '') return strategySentences.say('nonEmptyString');
    const isMatch = pattern === undefined || (new RegExp(pattern).test(value) && URL.canParse(value));
    return isMatch ? undefined : settingsSentences.say('aUrl');
  }
  const isWithin = typeof value === 'number' && value >= minimum && value <= maximum;
  if (isWithin && (type !== 'integer' || Number.isInteger(value))) return undefined;
  const range = type === 'integer' ? 'wholeNumberBetween' : 'numberBetween';
  return strategySentences.say(range, { least: minimum, most: maximum });
}

/** Sentence about a setting with an invalid value. */
export function mustBe(path: string, expected: Sentence, value: unknown): Sentence {
  return strategySentences.say('mustBe', { path, expected, found: JSON.stringify(value) });
}
