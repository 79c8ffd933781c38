import { catalogue } from '../../compaction/strategies/index.ts';
import {
  defaultOf,
  type OptionSchema,
  type OptionSpec,
} from '../../compaction/strategies/contract/options.ts';
import type { Strategy } from '../../compaction/strategies/contract/strategy.ts';
import { agent, general, mcpServersSetting, model } from './general-settings.ts';
import { modelsSetting } from './model-overrides.ts';
import type { ObjectSetting, OptionSetting, SettingSchema, ValueSchema } from './setting-schema.ts';

/**
 * The settings as `package.json` declares them, made from the catalogue of strategies. `npm run manifest` writes
 * them there and a test holds the two equal.
 */

export interface SettingCategory {
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, SettingSchema | OptionSetting | ObjectSetting>>;
}

export const section = 'contextBudget';

const strategies: readonly Strategy[] = Object.values(catalogue);

/** Settings that are the same whatever strategy is chosen, without the section's prefix. */
export const settings = { ...general, ...model, ...agent } as const;

/** The setting that holds an option of a strategy, without the section's prefix. */
export function optionSetting(strategyId: string, option: string): string {
  const camelCase = strategyId.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
  return `${camelCase}.${option}`;
}

export const settingCategories: readonly SettingCategory[] = [
  { title: 'Compaction', order: 1, properties: prefixed(general) },
  { title: 'Model', order: 2, properties: prefixed({ ...model, models: modelsSetting }) },
  { title: 'Agent', order: 3, properties: prefixed({ ...agent, mcpServers: mcpServersSetting }) },
  ...strategies
    .filter(({ options }) => Object.keys(options).length > 0)
    .map(({ id, title, options }, index) => ({
      title: `Strategy: ${title}`,
      order: 4 + index,
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

/** Settings that a folder nobody trusts cannot set: what picks the model, what is written into prompts, and what is started. */
export const restrictedSettings: readonly string[] = [
  'customStrategy',
  'focus',
  'provider',
  'model',
  'compactionModel',
  'api',
  'azureApiVersion',
  'mcpServers',
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
