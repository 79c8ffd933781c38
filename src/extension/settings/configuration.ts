import { defaultTargetRatio, defaultTriggerRatio } from '../../compaction/budget/budget.ts';
import { catalogue, type StrategyId } from '../../compaction/strategies/index.ts';
import type { OptionSpec } from '../../compaction/strategies/options.ts';
import type { Strategy } from '../../compaction/strategies/strategy.ts';

/**
 * The settings as `package.json` declares them, made from the catalogue of strategies. `npm run manifest` writes
 * them there and a test holds the two equal.
 */

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
  readonly properties: Readonly<Record<string, SettingSchema>>;
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
  'provider',
  'model',
  ...strategies.flatMap(({ id, options }) =>
    Object.entries(options)
      .filter(([, spec]) => spec.type === 'string')
      .map(([name]) => optionSetting(id, name)),
  ),
].map((name) => `${section}.${name}`);

function optionSchema(spec: OptionSpec, order: number): SettingSchema {
  const shared = { scope: 'window', markdownDescription: spec.description, order } as const;
  if (spec.type !== 'integer') return { type: spec.type, default: spec.default, ...shared };
  const { type, minimum, maximum } = spec;
  return { type, default: spec.default, minimum, maximum, ...shared };
}

function prefixed(
  properties: Readonly<Record<string, SettingSchema>>,
): Readonly<Record<string, SettingSchema>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [`${section}.${name}`, schema]),
  );
}
