import {
  defaultOf,
  type OptionSchema,
  type OptionSpec,
} from '../../compaction/strategies/contract/options.ts';
import { strategyTitle } from '../../language/english/strategy-titles-english.ts';
import type { Strategy } from '../../compaction/strategies/contract/strategy.ts';
import { strategyCatalogue } from '../../compaction/strategies/index.ts';
import {
  generalSettings,
  groupSettings,
  machineSettings,
  type ObjectSetting,
  ownOptions,
  section,
  type SettingValue,
  strategySetting,
  type ValueSchema,
} from './general-settings.ts';
import { modelsSetting } from './model-overrides.ts';
import { recommendedOrder } from './strategy-groups.ts';
import { groupTexts, mcpServersSetting, type SettingText, settingTexts } from './setting-texts.ts';

/** The settings as `package.json` declares them. `npm run manifest` writes `package.json`; a test compares both. */

/** A setting in the form of `contributes.configuration`. */
export interface SettingSchema extends SettingValue, SettingText {
  readonly scope: 'window' | 'machine';
  readonly order: number;
}

export interface SettingCategory {
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, SettingSchema | ObjectSetting>>;
}

const strategies: readonly Strategy[] = recommendedOrder.map((id) => strategyCatalogue[id]);

const objects: Readonly<Record<string, ObjectSetting>> = {
  models: modelsSetting,
  mcpServers: mcpServersSetting,
  ...Object.fromEntries(
    Object.entries(groupSettings).map(([name, fields]) => [
      name,
      {
        ...objectSetting(fields, groupTexts[name as keyof typeof groupSettings]),
        scope: machineSettings.has(name) ? ('machine' as const) : ('window' as const),
      },
    ]),
  ),
};

export const settingCategories: readonly SettingCategory[] = [
  category('Compaction', 1, [
    'strategy',
    'mode',
    'triggerRatio',
    'targetRatio',
    'triggers',
    'window',
    'protectFirst',
    'focus',
    'restoreFiles',
    'spendingLimit',
  ]),
  category('Model', 2, ['provider', 'baseUrl', 'model', 'compactionModel', 'endpoint', 'models']),
  category('Agent', 3, ['memory', 'mcpServers', 'mcpToolsOnDemand', 'telemetry', 'safety']),
  {
    title: 'Strategies',
    order: 4,
    properties: Object.fromEntries(
      strategies
        .filter(({ options }) => Object.keys(ownOptions(options)).length > 0)
        .map(({ id, options }, index) => [
          `${section}.${strategySetting(id)}`,
          {
            ...objectSetting(ownOptions(options), `Options of the strategy *${strategyTitle(id).english}*.`),
            order: index + 1,
          },
        ]),
    ),
  },
];

/** Settings that choose the model, write into prompts, or start programs. An untrusted folder cannot set them. */
export const restrictedSettings: readonly string[] = [
  'focus',
  'provider',
  'model',
  'compactionModel',
  'endpoint',
  'mcpServers',
  ...strategies
    .filter(({ options }) => Object.values(ownOptions(options)).some(holdsText))
    .map(({ id }) => strategySetting(id)),
].map((name) => `${section}.${name}`);

function category(title: string, order: number, names: readonly string[]): SettingCategory {
  const properties = names.map((name, index) => {
    const position = index + 1;
    const object = objects[name];
    return [
      `${section}.${name}`,
      object === undefined
        ? valueSetting(name as keyof typeof generalSettings, position)
        : { ...object, order: position },
    ] as const;
  });
  return { title, order, properties: Object.fromEntries(properties) };
}

function valueSetting(name: keyof typeof generalSettings, order: number): SettingSchema {
  const { scope = 'window', ...value }: SettingValue = generalSettings[name];
  return { ...value, scope, ...settingTexts[name], order };
}

function objectSetting(fields: OptionSchema, markdownDescription: string): ObjectSetting {
  return {
    type: 'object',
    default: {},
    scope: 'window',
    markdownDescription,
    ...fieldSchemas(fields),
    order: 0,
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
      const items: ValueSchema = { type: 'string', ...(spec.choices && { enum: spec.choices }) };
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

/** True if the value of an option can be text in a prompt or a placeholder. */
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
