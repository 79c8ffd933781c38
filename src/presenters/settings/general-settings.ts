import { defaultTargetRatio, defaultTriggerRatio } from '../../compaction/budget/budget.ts';
import type { OptionSchema } from '../../compaction/strategies/contract/options.ts';
import type { StrategyId } from '../../compaction/strategies/index.ts';
import { recommendedOrder } from './strategy-groups.ts';
import { type ProviderId, providerIds } from '../../agent/providers/presets.ts';
import { durabilities } from '../storage/durability.ts';

/** The part of JSON Schema that VS Code's settings editor understands. */
export interface ValueSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly items?: ValueSchema;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: boolean | ValueSchema;
  readonly anyOf?: readonly ValueSchema[];
  readonly description?: string;
  readonly default?: unknown;
}

/** A setting whose value is an object, in the form of `contributes.configuration`. */
export interface ObjectSetting extends ValueSchema {
  readonly type: 'object';
  readonly default: Readonly<Record<string, never>>;
  readonly scope: 'window' | 'machine';
  readonly markdownDescription: string;
  readonly order: number;
}

export interface SettingValue extends Pick<ValueSchema, 'enum' | 'minimum' | 'maximum' | 'pattern'> {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly default: string | number | boolean;
  /** Scope in which the setting can be set; `window` by default. */
  readonly scope?: 'window' | 'machine';
}

export const section = 'contextBudget';

/** Default strategy of the extension. The engine's own default is `llm-summary`. */
export const defaultStrategy: StrategyId = 'ladder';

/** Values of `contextBudget.provider`. */
export type ProviderName = 'auto' | ProviderId | 'vscode' | 'offline';

const providerNames: readonly ProviderName[] = ['auto', ...providerIds, 'vscode', 'offline'];

export const defaultBaseUrl = 'https://api.openai.com/v1';
const defaultModel = 'gpt-5-mini';

/** Settings with a single value, without the section's prefix and without texts. */
export const generalSettings = {
  strategy: { type: 'string', default: defaultStrategy, enum: recommendedOrder },
  mode: { type: 'string', default: 'auto', enum: ['auto', 'ask', 'off'] },
  triggerRatio: { type: 'number', default: defaultTriggerRatio, minimum: 0.1, maximum: 0.99 },
  targetRatio: { type: 'number', default: defaultTargetRatio, minimum: 0.05, maximum: 0.95 },
  window: { type: 'integer', default: 0, minimum: 0, maximum: 100_000_000 },
  protectFirst: { type: 'boolean', default: true },
  focus: { type: 'string', default: '' },
  provider: { type: 'string', default: 'auto', enum: providerNames },
  baseUrl: { type: 'string', default: defaultBaseUrl, scope: 'machine', pattern: '^https?://.+' },
  model: { type: 'string', default: defaultModel },
  compactionModel: { type: 'string', default: '' },
  memory: { type: 'boolean', default: true },
  mcpToolsOnDemand: { type: 'string', default: 'auto', enum: ['auto', 'always', 'never'] },
} as const satisfies Readonly<Record<string, SettingValue>>;

/** Settings that combine several values in one object. */
export const groupSettings = {
  triggers: {
    tokens: {
      type: 'integer',
      default: 0,
      minimum: 0,
      maximum: 100_000_000,
      description:
        'Number of tokens at which compaction starts, regardless of the window. 0: 400,000 if the default share of the window is larger; otherwise none.',
    },
    messages: {
      type: 'integer',
      default: 0,
      minimum: 0,
      maximum: 100_000,
      description:
        'Compaction starts above this number of messages. If that leaves almost as many, the next compaction waits until a quarter of this number has been added. 0: messages are not counted.',
    },
    turns: {
      type: 'integer',
      default: 0,
      minimum: 0,
      maximum: 100_000,
      description: 'Compaction starts after this number of your messages since the last one. 0: not counted.',
    },
    planStep: {
      type: 'boolean',
      default: false,
      description: 'Compaction also starts when the agent has finished a step of its plan.',
    },
    background: {
      type: 'boolean',
      default: true,
      description:
        'Strategies that need a model start shortly before the trigger, while the agent keeps working.',
    },
    reservedOutput: {
      type: 'integer',
      default: 0,
      minimum: 0,
      maximum: 1_000_000,
      description:
        'Tokens of the window that stay free for the reply. Compaction starts early enough for them. 0: an eighth of the window, at most 16,000.',
    },
  },
  restoreFiles: {
    files: {
      type: 'integer',
      default: 5,
      minimum: 0,
      maximum: 50,
      description: 'Number of files. 0: none come back.',
    },
    tokens: {
      type: 'integer',
      default: 25_000,
      minimum: 0,
      maximum: 1_000_000,
      description:
        'Tokens of all files together. Never more than a tenth of the window or half of what the summary frees.',
    },
  },
  spendingLimit: {
    requests: {
      type: 'integer',
      default: 200,
      minimum: 0,
      maximum: 1_000_000,
      description: 'Requests for summaries. 0: no limit.',
    },
    tokens: {
      type: 'integer',
      default: 10_000_000,
      minimum: 0,
      maximum: 1_000_000_000_000,
      description: 'Tokens that summaries read and write. 0: no limit.',
    },
  },
  endpoint: {
    api: {
      type: 'choice',
      default: 'auto',
      choices: ['auto', 'chat', 'responses'],
      description:
        "API of the endpoint. `auto`: the one known to suit the model, chat completions for unknown models. `responses`: OpenAI's Responses API, which gets the model's reasoning back and can compact.",
    },
    azureApiVersion: {
      type: 'string',
      default: '',
      description:
        '`api-version` for Azure OpenAI deployments that need one. Empty: the API without versions.',
    },
    cacheMarks: {
      type: 'choice',
      default: 'auto',
      choices: ['auto', 'on', 'off'],
      description:
        'Whether requests mark (`cache_control`) what the provider keeps in its prompt cache. `auto`: for Claude models behind gateways that are known to pass marks on. `on`: in every request of chat completions; if the endpoint refuses marks, the request is sent again without them.',
    },
  },
  telemetry: {
    endpoint: {
      type: 'string',
      default: '',
      description:
        'Base URL of an OTLP/HTTP endpoint, to which `/v1/traces` is appended: `https`, or `http` on this machine. If it is empty, nothing is sent.',
    },
    content: {
      type: 'boolean',
      default: false,
      description:
        'Sends messages, definitions of tools, arguments and results, too. When off, spans only have names, times, numbers of tokens and codes of errors.',
    },
  },
  safety: {
    commandSandbox: {
      type: 'choice',
      default: 'on',
      choices: ['on', 'off'],
      description:
        '`on`: commands run in a sandbox where the machine has one (`bwrap` on Linux, `sandbox-exec` on macOS). They write to the workspace and a temporary folder only, find an empty home folder, and have the network only if you allow it. The approval of each says where it runs. `off`: commands can do everything you can.',
    },
    commandEnvironment: {
      type: 'texts',
      default: [],
      description:
        'Names of further environment variables for commands. They always get `PATH`, the home folder, language, time zone, terminal, places of toolchains and proxies without a password; keys and sockets of agents only if named here; variables of the editor (`VSCODE_*`, `ELECTRON_*`, `NODE_OPTIONS`) never.',
    },
    chatProvider: {
      type: 'choice',
      default: 'off',
      choices: ['off', 'on'],
      description:
        "`on`: VS Code's own chat and every other extension can use the model, and do so without asking you. Their conversations are compacted and recorded like chats.",
    },
    durability: {
      type: 'choice',
      default: 'turn',
      choices: durabilities,
      description:
        'When chats are flushed to disk, so that a power failure cannot lose them. `turn`: at the end of each turn and compaction. `write`: after every line, before it is shown. `none`: when the operating system does. If only the editor crashes, nothing is lost that was shown as saved.',
    },
  },
} as const satisfies Readonly<Record<string, OptionSchema>>;

/**
 * Groups of settings that no folder can set, because no folder may release its own commands from the sandbox, or choose
 * who receives the conversation.
 */
export const machineSettings: ReadonlySet<string> = new Set<keyof typeof groupSettings>([
  'safety',
  'telemetry',
]);

/** The setting that holds the options of a strategy, without the section's prefix. */
export function strategySetting(strategyId: string): string {
  return `strategies.${strategyId}`;
}

/** Options of strategies that are set once for all strategies. */
const sharedOptions: ReadonlySet<string> = new Set(['focus', 'model']);

/** The options of a strategy that are in the strategy's own setting. */
export function ownOptions(options: OptionSchema): OptionSchema {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !sharedOptions.has(name)));
}
