import type { Sentence } from '../../language/sentence.ts';
import { settingsSentences } from '../../language/english/settings-english.ts';
import { strategySentences } from '../../language/english/strategies-english.ts';
import { type McpServer, readMcpServers } from '../../agent/mcp/server-settings.ts';
import { baseUrlAdvice, baseUrlProblem, clearTextOrigin } from '../../agent/network/base-url.ts';
import type { OnDemand } from '../../agent/session/session-ports.ts';
import type { Api } from '../../agent/openai/dialect.ts';
import type { SpanTarget } from '../../agent/telemetry/span-exporter.ts';
import type { BudgetSettings } from '../../compaction/budget/budget.ts';
import type { ModelOverrides } from '../../compaction/budget/model-table.ts';
import type { SpendingLimit } from '../../compaction/budget/summary-spending.ts';
import type { FileAllowance } from '../../compaction/files/restored-files.ts';
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
import { expectedOf, mustBe, readModelOverrides } from './model-overrides.ts';
import { oldOptionSetting, withOldFields } from './old-settings.ts';
import { isRecord } from '../../language/is-record.ts';

export interface Settings {
  readonly strategy: Strategy;
  readonly options: Readonly<Record<string, unknown>>;
  readonly mode: CompactionMode;
  readonly ratios: Pick<BudgetSettings, 'triggerRatio' | 'targetRatio'>;
  /** Other limits that start a compaction; undefined limits do not. */
  readonly triggers: Pick<BudgetSettings, 'triggerTokens' | 'triggerMessages' | 'triggerTurns'>;
  /** Window in tokens; undefined if the model determines it. */
  readonly window: number | undefined;
  readonly reservedOutput: number | undefined;
  readonly protectFirst: boolean;
  /** Limit on spending for the automatic summaries of a chat. */
  readonly spendingLimit: SpendingLimit;
  /** Limit on the files that are restored after a summary. */
  readonly restoreFiles: FileAllowance;
  /** Topic on which every summary focuses; empty if none is set. */
  readonly focus: string;
  /** Name of the strategy that `custom` runs; empty if none is set. */
  readonly customStrategy: string;
  readonly provider: ProviderName;
  readonly baseUrl: string;
  readonly model: string;
  readonly api: 'auto' | Api;
  /** Controls whether requests mark the part that the provider should cache. */
  readonly cacheMarks: 'auto' | 'on' | 'off';
  /** Version of Azure's API; empty for the API without versions. */
  readonly azureApiVersion: string;
  /** Model that writes summaries; empty for the chat's model. */
  readonly compactionModel: string;
  readonly models: ModelOverrides;
  readonly durability: Durability;
  /** True if the agent reads files with guidance for this workspace. */
  readonly memory: boolean;
  /** True if VS Code's own chat can use the model, with its history compacted here. */
  readonly chatProvider: boolean;
  readonly mcpServers: readonly McpServer[];
  /** Controls whether requests leave out the definitions of MCP tools. */
  readonly mcpToolsOnDemand: OnDemand;
  readonly telemetry: SpanTarget;
  /** `on` if commands run in a sandbox wherever one is available. */
  readonly commandSandbox: 'on' | 'off';
  /** Names of further environment variables that commands receive. */
  readonly commandEnvironment: readonly string[];
  /** True if a finished step of the plan starts a compaction. */
  readonly triggerPlanStep: boolean;
  /** True if compactions that need a model start in the background while the agent works. */
  readonly background: boolean;
  /** Sentences about invalid values. Defaults are used instead of these values. */
  readonly problems: readonly Sentence[];
}

type ValueOf<Schema extends SettingValue> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema['type'] extends 'integer' | 'number'
    ? number
    : Schema['type'] extends 'boolean'
      ? boolean
      : string;

/**
 * Reads settings. Replaces invalid values with defaults and reports them.
 *
 * @param get reads a setting by its name without the section's prefix
 * @param isOwnServer whether only the user's own settings name an MCP server
 */
export function readSettings(
  get: (name: string) => unknown,
  isOwnServer: (name: string) => boolean = () => false,
): Settings {
  const problems: Sentence[] = [];
  const read = <Name extends keyof typeof settings>(name: Name): ValueOf<(typeof settings)[Name]> => {
    const schema: SettingValue = settings[name];
    const value = get(name) ?? schema.default;
    const expected = expectedOf(schema, value);
    if (expected === undefined) return value as ValueOf<(typeof settings)[Name]>;
    problems.push(
      settingsSentences.say('usedInstead', {
        problem: mustBe(`${section}.${name}`, expected, value),
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
    chatProvider: safety.chatProvider === 'on',
    mcpServers: mcp.servers,
    mcpToolsOnDemand: read('mcpToolsOnDemand'),
    telemetry: readTelemetry(get, problems),
    commandSandbox: safety.commandSandbox,
    commandEnvironment: safety.commandEnvironment,
    triggerPlanStep: triggers.planStep,
    background: triggers.background,
    problems: [...new Map(problems.map((problem) => [problem.english, problem])).values()],
  };
}

/** Replaces an address that contains a secret. No request is sent to an address with a user name. */
const refusedBaseUrl = 'https://refused@invalid';

/** @returns undefined if the address contains no secret and can be read like other settings */
function readBaseUrl(value: unknown, problems: Sentence[]): string | undefined {
  const problem = typeof value === 'string' ? baseUrlProblem(value) : undefined;
  if (problem !== 'credentials' && problem !== 'query') return undefined;
  problems.push(baseUrlAdvice[problem]);
  return refusedBaseUrl;
}

/** Reads where telemetry is sent. An endpoint that others could read, or with a secret, receives nothing. */
function readTelemetry(get: (name: string) => unknown, problems: Sentence[]): SpanTarget {
  const { endpoint: given, content } = readObject('telemetry', groupSettings.telemetry, get, problems);
  const endpoint = given.trim();
  const isRefused = baseUrlProblem(endpoint) !== undefined || clearTextOrigin(endpoint) !== undefined;
  if (endpoint === '' || !isRefused) return { endpoint, content };
  problems.push(settingsSentences.say('telemetryEndpoint'));
  return { endpoint: '', content };
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

/** The configured options of a strategy, with defaults. @param problems receives a sentence for each invalid option */
export function optionsOf(
  { id, options }: Strategy,
  get: (name: string) => unknown,
  problems: Sentence[] = [],
): Readonly<Record<string, unknown>> {
  const own = readObject(strategySetting(id), ownOptions(options), get, problems);
  return { ...resolveOptions(options, {}).options, ...own };
}

/** Reads a setting that is an object. Invalid fields get their defaults. */
function readObject<const Schema extends OptionSchema>(
  name: string,
  fields: Schema,
  get: (name: string) => unknown,
  problems: Sentence[],
): OptionsOf<Schema> {
  const given = withOldFields(name, get) ?? {};
  if (!isRecord(given)) {
    const problem = mustBe(`${section}.${name}`, strategySentences.say('anObject'), given);
    problems.push(settingsSentences.say('defaultsUsed', { problem }));
  }
  const resolved = resolveOptions(fields, isRecord(given) ? given : {});
  for (const { sentence } of resolved.problems) {
    problems.push(settingsSentences.say('defaultUsed', { setting: name, problem: sentence }));
  }
  return resolved.options;
}

/** The focus or model that earlier settings contain for the configured strategy only. */
function oldText(strategy: Strategy, option: 'focus' | 'model', get: (name: string) => unknown): string {
  const value = get(oldOptionSetting(strategy.id, option));
  return typeof value === 'string' ? value.trim() : '';
}

/** The part of the settings that compactions use. */
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
