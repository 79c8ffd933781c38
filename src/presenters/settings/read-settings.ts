import type { Sentence } from '../../language/sentence.ts';
import { settingsSentences } from '../../language/english/settings-english.ts';
import { strategySentences } from '../../language/english/strategies-english.ts';
import { type McpServer, readMcpServers } from '../../agent/mcp/server-settings.ts';
import { baseUrlAdvice, baseUrlProblem } from '../../agent/network/base-url.ts';
import type { OnDemand } from '../../agent/session/session-ports.ts';
import type { Api } from '../../agent/openai/dialect.ts';
import type { BudgetSettings } from '../../compaction/budget/budget.ts';
import type { ModelOverrides } from '../../compaction/budget/model-table.ts';
import type { SpendingLimit } from '../../compaction/budget/summary-spending.ts';
import type { FileAllowance } from '../../compaction/files/returning-files.ts';
import type { CompactionMode, CompactionSettings } from '../../compaction/service/service-ports.ts';
import {
  type OptionSchema,
  type OptionsOf,
  resolveOptions,
} from '../../compaction/strategies/contract/options.ts';
import type { Strategy } from '../../compaction/strategies/contract/strategy.ts';
import { isStrategyId, strategyIds, strategyOf } from '../../compaction/strategies/index.ts';
import type { Durability } from '../storage/durability.ts';
import {
  defaultStrategy,
  generalSettings as settings,
  groupSettings,
  ownOptions,
  type ProviderName,
  section,
  type SettingValue,
  strategySetting,
} from './general-settings.ts';
import { readModelOverrides } from './model-overrides.ts';
import { oldOptionSetting, withOldFields } from './old-settings.ts';
import { isRecord } from '../../language/is-record.ts';

/** Everything people can set, checked. */
export interface Settings {
  readonly strategy: Strategy;
  readonly options: Readonly<Record<string, unknown>>;
  readonly mode: CompactionMode;
  readonly ratios: Pick<BudgetSettings, 'triggerRatio' | 'targetRatio'>;
  /** Other measures that set off a compaction; undefined if they do not. */
  readonly triggers: Pick<BudgetSettings, 'triggerTokens' | 'triggerMessages' | 'triggerTurns'>;
  /** In tokens; undefined if the model decides. */
  readonly window: number | undefined;
  readonly reservedOutput: number | undefined;
  readonly protectFirst: boolean;
  /** Limit on what the automatic summaries of a chat may take. */
  readonly spendingLimit: SpendingLimit;
  /** The most that comes back of files after a summary. */
  readonly restoreFiles: FileAllowance;
  /** Topic that every summary pays attention to; empty if none is set. */
  readonly focus: string;
  /** The strategy that `custom` names; empty if none is named. */
  readonly customStrategy: string;
  readonly provider: ProviderName;
  readonly baseUrl: string;
  readonly model: string;
  readonly api: 'auto' | Api;
  /** Sets when requests mark what a provider is to keep in its cache. */
  readonly cacheMarks: 'auto' | 'on' | 'off';
  /** Empty for Azure's API without versions. */
  readonly azureApiVersion: string;
  /** Empty if the chat's model writes summaries, too. */
  readonly compactionModel: string;
  readonly models: ModelOverrides;
  readonly durability: Durability;
  /** The agent reads files that tell it how to work here. */
  readonly memory: boolean;
  readonly mcpServers: readonly McpServer[];
  /** Decides if definitions of MCP tools leave requests. */
  readonly mcpToolsOnDemand: OnDemand;
  /** Commands run in a sandbox if there is one. */
  readonly commandSandbox: 'on' | 'off';
  /** Names of environment variables that commands get besides those they always get. */
  readonly commandEnvironment: readonly string[];
  /** A compaction starts when a step of the plan is finished. */
  readonly triggerPlanStep: boolean;
  /** Compactions that need a model begin in the background, while the agent works. */
  readonly background: boolean;
  /** Invalid values; the default is used instead. */
  readonly problems: readonly Sentence[];
}

/** Type of the values of a setting. */
type ValueOf<Schema extends SettingValue> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema['type'] extends 'integer' | 'number'
    ? number
    : Schema['type'] extends 'boolean'
      ? boolean
      : string;

/**
 * Reads settings, which are JSON that anyone can edit: what does not fit is reported and the default used.
 *
 * @param get the value of a setting, named without the section's prefix
 * @param isOwnServer whether only the person's own settings name an MCP server
 */
export function readSettings(
  get: (name: string) => unknown,
  isOwnServer: (name: string) => boolean = () => false,
): Settings {
  const problems: Sentence[] = [];
  const read = <Name extends keyof typeof settings>(name: Name): ValueOf<(typeof settings)[Name]> => {
    const schema: SettingValue = settings[name];
    const value = get(name) ?? schema.default;
    const expected = expectation(schema, value);
    if (expected === undefined) return value as ValueOf<(typeof settings)[Name]>;
    problems.push(
      settingsSentences.say('usedInstead', {
        problem: mustBe(name, expected, value),
        value: JSON.stringify(schema.default),
      }),
    );
    return schema.default as ValueOf<(typeof settings)[Name]>;
  };

  const { strategy, options } = readStrategy(get, problems);
  const triggers = readObject('triggers', groupSettings.triggers, get, problems);
  const spendingLimit = readObject('spendingLimit', groupSettings.spendingLimit, get, problems);
  const restoreFiles = readObject('restoreFiles', groupSettings.restoreFiles, get, problems);
  const endpoint = readObject('endpoint', groupSettings.endpoint, get, problems);
  const safety = readObject('safety', groupSettings.safety, get, problems);
  const { module } = readObject(strategySetting('custom'), strategyOf('custom').options, get, problems);
  let ratios = { triggerRatio: read('triggerRatio'), targetRatio: read('targetRatio') };
  if (ratios.targetRatio >= ratios.triggerRatio) {
    const { targetRatio: target, triggerRatio: trigger } = ratios;
    problems.push(
      settingsSentences.say('targetNotBelow', { target: String(target), trigger: String(trigger) }),
    );
    ratios = { triggerRatio: settings.triggerRatio.default, targetRatio: settings.targetRatio.default };
  }
  const models = readModelOverrides(get('models'));
  problems.push(...models.problems);
  const mcp = readMcpServers(get('mcpServers'), isOwnServer);
  problems.push(...mcp.problems);
  return {
    strategy,
    options,
    mode: read('mode'),
    ratios,
    triggers: {
      triggerTokens: triggers.tokens || undefined,
      triggerMessages: triggers.messages || undefined,
      triggerTurns: triggers.turns || undefined,
    },
    window: read('window') || undefined,
    reservedOutput: triggers.reservedOutput || undefined,
    protectFirst: read('protectFirst'),
    spendingLimit: {
      requests: spendingLimit.requests || undefined,
      tokens: spendingLimit.tokens || undefined,
    },
    restoreFiles,
    focus: [oldText(strategy, 'focus', get), read('focus').trim()].filter((text) => text !== '').join('\n'),
    customStrategy: typeof module === 'string' ? module.trim() : '',
    provider: read('provider'),
    baseUrl: readBaseUrl(get('baseUrl'), problems) ?? read('baseUrl'),
    model: read('model'),
    api: endpoint.api,
    cacheMarks: endpoint.cacheMarks,
    azureApiVersion: endpoint.azureApiVersion.trim(),
    compactionModel: oldText(strategy, 'model', get) || read('compactionModel').trim(),
    models: models.overrides,
    durability: safety.durability,
    memory: read('memory'),
    mcpServers: mcp.servers,
    mcpToolsOnDemand: read('mcpToolsOnDemand'),
    commandSandbox: safety.commandSandbox,
    commandEnvironment: safety.commandEnvironment,
    triggerPlanStep: triggers.planStep,
    background: triggers.background,
    problems: [...new Map(problems.map((problem) => [problem.english, problem])).values()],
  };
}

/**
 * Replaces an address that holds a secret. Nothing of that is kept, and nothing can be asked at this one: models
 * refuse it for the user name in it.
 */
const refusedBaseUrl = 'https://refused@invalid';

/** @returns undefined if the address is to be read like any other setting */
function readBaseUrl(value: unknown, problems: Sentence[]): string | undefined {
  const problem = typeof value === 'string' ? baseUrlProblem(value) : undefined;
  if (problem !== 'credentials' && problem !== 'query') return undefined;
  problems.push(baseUrlAdvice[problem]);
  return refusedBaseUrl;
}

function readStrategy(
  get: (name: string) => unknown,
  problems: Sentence[],
): { readonly strategy: Strategy; readonly options: Readonly<Record<string, unknown>> } {
  const chosen = get('strategy') ?? defaultStrategy;
  const isKnown = typeof chosen === 'string' && isStrategyId(chosen);
  if (!isKnown) {
    problems.push(
      settingsSentences.say('unknownStrategy', {
        strategy: JSON.stringify(chosen),
        strategies: strategyIds.join(', '),
        used: defaultStrategy,
      }),
    );
  }
  const strategy = strategyOf(isKnown ? chosen : defaultStrategy);
  return { strategy, options: optionsOf(strategy, get, problems) };
}

/**
 * The options of a strategy as they are set; defaults if they are not, or have a problem.
 *
 * @param problems gets a sentence for each option with a problem
 */
export function optionsOf(
  { id, options }: Strategy,
  get: (name: string) => unknown,
  problems: Sentence[] = [],
): Readonly<Record<string, unknown>> {
  const own = readObject(strategySetting(id), ownOptions(options), get, problems);
  return { ...resolveOptions(options, {}).options, ...own };
}

/** A setting that is an object. A field with a problem has its default. */
function readObject<const Schema extends OptionSchema>(
  name: string,
  fields: Schema,
  get: (name: string) => unknown,
  problems: Sentence[],
): OptionsOf<Schema> {
  const given = withOldFields(name, get) ?? {};
  if (!isRecord(given)) {
    const problem = mustBe(name, strategySentences.say('anObject'), given);
    problems.push(settingsSentences.say('defaultsUsed', { problem }));
  }
  const resolved = resolveOptions(fields, isRecord(given) ? given : {});
  for (const { sentence } of resolved.problems) {
    problems.push(settingsSentences.say('defaultUsed', { setting: name, problem: sentence }));
  }
  return resolved.options;
}

/** The focus or model that settings of earlier versions name for the chosen strategy alone. */
function oldText(strategy: Strategy, option: 'focus' | 'model', get: (name: string) => unknown): string {
  const value = get(oldOptionSetting(strategy.id, option));
  return typeof value === 'string' ? value.trim() : '';
}

/** The sentence that a setting has another value than it may have. */
function mustBe(name: string, expected: Sentence, value: unknown): Sentence {
  return strategySentences.say('mustBe', {
    path: `${section}.${name}`,
    expected,
    found: JSON.stringify(value),
  });
}

/** Description of the expected value, if the value is not one. */
function expectation(schema: SettingValue, value: unknown): Sentence | undefined {
  switch (schema.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : strategySentences.say('trueOrFalse');
    case 'string': {
      if (schema.enum !== undefined) {
        const choices = schema.enum.join(', ');
        return schema.enum.includes(value as string)
          ? undefined
          : strategySentences.say('oneOf', { choices });
      }
      const mayBeEmpty = schema.default === '';
      if (typeof value !== 'string' || (value.trim() === '' && !mayBeEmpty)) {
        return strategySentences.say(typeof value === 'string' ? 'nonEmptyString' : 'aString');
      }
      const isMatch = schema.pattern === undefined || new RegExp(schema.pattern).test(value);
      return isMatch && (schema.pattern === undefined || URL.canParse(value))
        ? undefined
        : settingsSentences.say('aUrl');
    }
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
      const isNumber = typeof value === 'number' && value >= minimum && value <= maximum;
      const isWhole = schema.type === 'number' || Number.isInteger(value);
      const range = schema.type === 'integer' ? 'wholeNumberBetween' : 'numberBetween';
      return isNumber && isWhole
        ? undefined
        : strategySentences.say(range, { least: minimum, most: maximum });
    }
  }
}

/** The part of the settings that compactions follow. */
export function compactionSettings(settings: Settings, budget: BudgetSettings): CompactionSettings {
  const { strategy, options, mode, protectFirst, focus, triggerPlanStep, spendingLimit, restoreFiles } =
    settings;
  return {
    strategy,
    options,
    mode,
    protectFirst,
    focus,
    spendingLimit,
    restoreFiles,
    afterPlanStep: triggerPlanStep,
    budget,
  };
}
