import { defaultTargetRatio, defaultTriggerRatio } from '../../compaction/budget/budget.ts';
import { catalogue, type StrategyId } from '../../compaction/strategies/index.ts';
import { defaultOf, type OptionSchema, type OptionSpec } from '../../compaction/strategies/options.ts';
import type { Strategy } from '../../compaction/strategies/strategy.ts';

/**
 * The settings as `package.json` declares them, made from the catalogue of strategies. `npm run manifest` writes
 * them there and a test holds the two equal.
 */

/** The part of JSON Schema that VS Code's settings editor understands. */
export interface ValueSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: boolean;
  readonly anyOf?: readonly ValueSchema[];
  readonly description?: string;
  readonly default?: unknown;
}

/** An option of a strategy in the form of `contributes.configuration`. */
export interface OptionSetting extends ValueSchema {
  readonly default: unknown;
  readonly scope: 'window';
  readonly markdownDescription: string;
  readonly order: number;
}

/** A setting in the form of `contributes.configuration`. */
export interface SettingSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly default: string | number | boolean;
  readonly scope: 'window' | 'machine';
  readonly markdownDescription: string;
  readonly enum?: readonly string[];
  readonly enumItemLabels?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly order?: number;
}

export interface SettingCategory {
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, SettingSchema | OptionSetting>>;
}

export const section = 'contextBudget';

/** The extension's default. The engine's own is another one, `llm-summary`. */
export const defaultStrategy: StrategyId = 'hiding-then-summary';

export const defaultBaseUrl = 'https://api.openai.com/v1';
export const defaultModel = 'gpt-5-mini';

const strategies: readonly Strategy[] = Object.values(catalogue);

const general = {
  strategy: {
    type: 'string',
    default: defaultStrategy,
    scope: 'window',
    enum: strategies.map(({ id }) => id),
    enumItemLabels: strategies.map(({ title }) => title),
    markdownEnumDescriptions: strategies.map(({ description }) => description),
    markdownDescription: 'Controls how the conversation is made smaller when the context window fills up.',
    order: 1,
  },
  mode: {
    type: 'string',
    default: 'auto',
    scope: 'window',
    enum: ['auto', 'off'],
    enumItemLabels: ['Automatic', 'Off'],
    markdownEnumDescriptions: [
      'Compacts by itself when the trigger is reached.',
      'Compacts only when you ask for it, and once when the provider refuses a request as too long.',
    ],
    markdownDescription: 'Controls whether compaction starts by itself.',
    order: 2,
  },
  triggerRatio: {
    type: 'number',
    default: defaultTriggerRatio,
    minimum: 0.1,
    maximum: 0.99,
    scope: 'window',
    markdownDescription:
      'Controls at which share of the context window compaction starts. It starts earlier where the reply needs the room (`#contextBudget.reservedOutput#`).',
    order: 3,
  },
  targetRatio: {
    type: 'number',
    default: defaultTargetRatio,
    minimum: 0.05,
    maximum: 0.95,
    scope: 'window',
    markdownDescription:
      'Controls down to which share of the context window a compaction aims. Has to be below `#contextBudget.triggerRatio#`.',
    order: 4,
  },
  window: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 100_000_000,
    scope: 'window',
    markdownDescription:
      'Controls the size of the context window, in tokens. With `0`, what is known of the model counts; for a model nobody knows, no window is assumed.',
    order: 5,
  },
  reservedOutput: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    scope: 'window',
    markdownDescription:
      'Controls how many tokens of the window stay free for the reply. With `0`, an eighth of the window, at most 16,000.',
    order: 6,
  },
  protectFirst: {
    type: 'boolean',
    default: true,
    scope: 'window',
    markdownDescription:
      'Controls whether your first message of a chat is kept word for word, like your newest one.',
    order: 7,
  },
  customStrategy: {
    type: 'string',
    default: '',
    scope: 'window',
    markdownDescription:
      'Controls which strategy `custom` is: a module of the workspace and its export (`./path/file.mjs#ExportName`), or the id of one that another extension registered (`publisher.extension/strategy-id`).',
    order: 8,
  },
} as const satisfies Readonly<Record<string, SettingSchema>>;

const model = {
  provider: {
    type: 'string',
    default: 'auto',
    scope: 'window',
    enum: ['auto', 'openai', 'offline'],
    enumItemLabels: ['Automatic', 'OpenAI-compatible endpoint', 'Offline model'],
    markdownEnumDescriptions: [
      'The endpoint once an API key is set for it, or when it is on this machine; the offline model otherwise.',
      'Always the endpoint of `#contextBudget.baseUrl#`.',
      'Always the built-in model that searches and quotes your files. It needs no network.',
    ],
    markdownDescription: 'Controls who answers in the chat.',
    order: 1,
  },
  baseUrl: {
    type: 'string',
    default: defaultBaseUrl,
    scope: 'machine',
    pattern: '^https?://.+',
    patternErrorMessage: 'Must be a URL that starts with http:// or https://.',
    markdownDescription:
      'Controls which OpenAI-compatible endpoint is asked. A workspace cannot change it, and each endpoint has an API key of its own.',
    order: 2,
  },
  model: {
    type: 'string',
    default: defaultModel,
    scope: 'window',
    markdownDescription: 'Controls which model of the endpoint answers.',
    order: 3,
  },
} as const satisfies Readonly<Record<string, SettingSchema>>;

/** Settings that are the same whatever strategy is chosen, without the section's prefix. */
export const settings = { ...general, ...model } as const;

/** The setting that holds an option of a strategy, without the section's prefix. */
export function optionSetting(strategyId: string, option: string): string {
  const camelCase = strategyId.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
  return `${camelCase}.${option}`;
}

export const settingCategories: readonly SettingCategory[] = [
  { title: 'Compaction', order: 1, properties: prefixed(general) },
  { title: 'Model', order: 2, properties: prefixed(model) },
  ...strategies
    .filter(({ options }) => Object.keys(options).length > 0)
    .map(({ id, title, options }, index) => ({
      title: `Strategy: ${title}`,
      order: 3 + index,
      properties: prefixed(
        Object.fromEntries(
          Object.entries(options).map(([name, spec], position) => [
            optionSetting(id, name),
            optionSchema(spec, position + 1),
          ]),
        ),
      ),
    })),
];

/** Settings that a folder nobody trusts cannot set: what picks the model, and what is written into prompts. */
export const restrictedSettings: readonly string[] = [
  'customStrategy',
  'provider',
  'model',
  ...strategies.flatMap(({ id, options }) =>
    Object.entries(options)
      .filter(([, spec]) => holdsText(spec))
      .map(([name]) => optionSetting(id, name)),
  ),
].map((name) => `${section}.${name}`);

function optionSchema(spec: OptionSpec, order: number): OptionSetting {
  return {
    ...valueSchema(spec),
    default: defaultOf(spec),
    scope: 'window',
    markdownDescription: spec.description,
    order,
  };
}

function valueSchema(spec: OptionSpec): ValueSchema {
  switch (spec.type) {
    case 'boolean':
    case 'string':
      return { type: spec.type };
    case 'choice':
      return { type: 'string', enum: spec.choices };
    case 'texts': {
      const { choices } = spec;
      const items: ValueSchema = { type: 'string', ...(choices === undefined ? {} : { enum: choices }) };
      return { type: 'array', items, uniqueItems: true };
    }
    case 'group':
      return { type: 'object', ...fieldSchemas(spec.fields) };
    case 'list':
      return { type: 'array', items: { type: 'object', ...fieldSchemas(spec.fields) } };
    case 'number':
    case 'integer': {
      const { type, minimum, maximum } = spec;
      const number: ValueSchema = { type, minimum, maximum };
      const isAutomatic = spec.type === 'integer' && spec.auto === true;
      return isAutomatic ? { anyOf: [number, { type: 'string', enum: ['auto'] }] } : number;
    }
  }
}

/** Whether an option can bring text of its own into a prompt or a placeholder. */
function holdsText(spec: OptionSpec): boolean {
  switch (spec.type) {
    case 'string':
      return true;
    case 'texts':
      return spec.choices === undefined;
    case 'group':
    case 'list':
      return Object.values(spec.fields).some(holdsText);
    default:
      return false;
  }
}

function fieldSchemas(fields: OptionSchema): Pick<ValueSchema, 'properties' | 'additionalProperties'> {
  const properties = Object.entries(fields).map(([name, spec]) => [
    name,
    { ...valueSchema(spec), default: defaultOf(spec), description: spec.description },
  ]);
  return {
    properties: Object.fromEntries(properties) as Readonly<Record<string, ValueSchema>>,
    additionalProperties: false,
  };
}

function prefixed<Schema>(properties: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [`${section}.${name}`, schema]),
  );
}
