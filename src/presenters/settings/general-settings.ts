import { defaultTargetRatio, defaultTriggerRatio } from '../../compaction/budget/budget.ts';
import type { Strategy } from '../../compaction/strategies/contract/strategy.ts';
import { catalogue, type StrategyId } from '../../compaction/strategies/index.ts';
import { providerChoices } from '../models/provider-choices.ts';
import { durabilities } from '../storage/durability.ts';
import type { ObjectSetting, SettingSchema } from './setting-schema.ts';

/** The extension's default. The engine's own is another one, `llm-summary`. */
export const defaultStrategy: StrategyId = 'ladder';

export const defaultBaseUrl = 'https://api.openai.com/v1';
export const defaultModel = 'gpt-5-mini';

const strategies: readonly Strategy[] = Object.values(catalogue);

/** When and how is compacted. */
export const general = {
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
    enum: ['auto', 'ask', 'off'],
    enumItemLabels: ['Automatic', 'Ask', 'Off'],
    markdownEnumDescriptions: [
      'Compacts by itself when a trigger is reached.',
      'Asks above the message box when a trigger is reached, while the agent goes on. Compacts unasked only once when the provider refuses a request as too long.',
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
  triggerTokens: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 100_000_000,
    scope: 'window',
    markdownDescription:
      'Controls at which number of tokens compaction starts, whatever the window. With `0`, no number of tokens starts it.',
    order: 4,
  },
  triggerMessages: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 100_000,
    scope: 'window',
    markdownDescription:
      'Controls above how many messages in the prompt compaction starts. Where a compaction leaves hardly fewer, the next one waits until a quarter of the number was added. With `0`, messages are not counted.',
    order: 5,
  },
  triggerTurns: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 100_000,
    scope: 'window',
    markdownDescription:
      'Controls after how many of your messages since the last compaction the next one starts. With `0`, they are not counted.',
    order: 6,
  },
  triggerPlanStep: {
    type: 'boolean',
    default: false,
    scope: 'window',
    markdownDescription:
      'Controls whether a compaction also starts when the agent has finished a step of its plan and there is something to gain.',
    order: 7,
  },
  background: {
    type: 'boolean',
    default: true,
    scope: 'window',
    markdownDescription:
      'Controls whether a strategy that needs a model begins somewhat before the trigger, beside the agent, so that nobody has to wait for it.',
    order: 8,
  },
  targetRatio: {
    type: 'number',
    default: defaultTargetRatio,
    minimum: 0.05,
    maximum: 0.95,
    scope: 'window',
    markdownDescription:
      'Controls down to which share of the context window a compaction aims. Has to be below `#contextBudget.triggerRatio#`.',
    order: 9,
  },
  window: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 100_000_000,
    scope: 'window',
    markdownDescription:
      'Controls the size of the context window, in tokens. With `0`, what is known of the model counts; for a model nobody knows, no window is assumed.',
    order: 10,
  },
  reservedOutput: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    scope: 'window',
    markdownDescription:
      'Controls how many tokens of the window stay free for the reply. With `0`, an eighth of the window, at most 16,000.',
    order: 11,
  },
  protectFirst: {
    type: 'boolean',
    default: true,
    scope: 'window',
    markdownDescription:
      'Controls whether your first message of a chat is kept word for word, like your newest one.',
    order: 12,
  },
  maxSummaryRequests: {
    type: 'integer',
    default: 200,
    minimum: 0,
    maximum: 1_000_000,
    scope: 'window',
    markdownDescription:
      'Controls how many requests for summaries one chat may make by itself. After that, automatic compaction does without a model; *Compact Now* still asks one. With `0`, there is no limit.',
    order: 15,
  },
  maxSummaryTokens: {
    type: 'integer',
    default: 10_000_000,
    minimum: 0,
    maximum: 1_000_000_000_000,
    scope: 'window',
    markdownDescription:
      'Controls how many tokens, read and written, summaries of one chat may take by themselves. After that, automatic compaction does without a model; *Compact Now* still asks one. With `0`, there is no limit.',
    order: 16,
  },
  focus: {
    type: 'string',
    default: '',
    scope: 'window',
    markdownDescription:
      'Controls what every summary pays attention to, in words, for example: keep the exact wording of error messages. A strategy with a focus of its own is told both.',
    order: 13,
  },
  customStrategy: {
    type: 'string',
    default: '',
    scope: 'window',
    markdownDescription:
      'Controls which strategy `custom` is: a module of the workspace and its export (`./path/file.mjs#ExportName`), or the id of one that another extension registered (`publisher.extension/strategy-id`).',
    order: 14,
  },
} as const satisfies Readonly<Record<string, SettingSchema>>;

/** Who answers, and who summarises. */
export const model = {
  provider: {
    type: 'string',
    default: 'auto',
    scope: 'window',
    enum: providerChoices.map(({ name }) => name),
    enumItemLabels: providerChoices.map(({ title }) => title),
    markdownEnumDescriptions: providerChoices.map(({ description }) => description),
    markdownDescription:
      'Controls who answers in the chat. *Context Budget: Select Model* asks for everything that is needed.',
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
  api: {
    type: 'string',
    default: 'auto',
    scope: 'window',
    enum: ['auto', 'chat', 'responses'],
    enumItemLabels: ['Automatic', 'Chat completions', 'Responses'],
    markdownEnumDescriptions: [
      'The one that is known to suit the model best; chat completions for every model nobody knows.',
      'Chat completions, which every OpenAI-compatible server has.',
      "OpenAI's Responses API, which gets the model's reasoning back and can compact by itself.",
    ],
    markdownDescription: 'Controls which API of the endpoint is used.',
    order: 4,
  },
  azureApiVersion: {
    type: 'string',
    default: '',
    scope: 'window',
    markdownDescription:
      'Controls the `api-version` for Azure OpenAI deployments that need one. When empty, the API without versions.',
    order: 5,
  },
  compactionModel: {
    type: 'string',
    default: '',
    scope: 'window',
    markdownDescription:
      'Controls which model of the endpoint writes summaries. When empty, the model that answers. A strategy with a model of its own uses that one.',
    order: 6,
  },
  cacheMarks: {
    type: 'string',
    default: 'auto',
    scope: 'window',
    enum: ['auto', 'on', 'off'],
    enumItemLabels: ['Automatic', 'On', 'Off'],
    markdownEnumDescriptions: [
      'Marked for Claude models behind OpenRouter and other gateways that are known to hand marks on.',
      'Marked in every request of chat completions. Where the endpoint refuses marks, the same request goes without them.',
      'Never marked.',
    ],
    markdownDescription:
      'Controls whether requests mark (`cache_control`) what the provider is to keep in its prompt cache. Anthropic keeps nothing without marks; other providers keep what they can by themselves.',
    order: 7,
  },
} as const satisfies Readonly<Record<string, SettingSchema>>;

/** What the agent may use. */
export const agent = {
  memory: {
    type: 'boolean',
    default: true,
    scope: 'window',
    markdownDescription:
      'Controls whether the agent is told what stands in `AGENTS.md`, `CLAUDE.md` and `.github/copilot-instructions.md` of the workspace and in your own memory file, and which skills (`.agents/skills`, `.claude/skills`, `.github/skills`) there are. Compactions keep memory word for word.',
    order: 1,
  },
  commandSandbox: {
    type: 'string',
    default: 'on',
    // No folder may let its commands out.
    scope: 'machine',
    enum: ['on', 'off'],
    enumItemLabels: ['On', 'Off'],
    markdownEnumDescriptions: [
      'Commands run in a sandbox where the machine has one: `bwrap` on Linux, `sandbox-exec` on macOS.',
      'Commands can do all that you can.',
    ],
    markdownDescription:
      'Controls whether commands run in a sandbox: they write to the workspace and a temporary folder only, find an empty home folder, and have the network only if you allow it. The approval of each says where it runs.',
    order: 3,
  },
  durability: {
    type: 'string',
    default: 'turn',
    scope: 'machine',
    enum: durabilities,
    enumItemLabels: ['Each Turn', 'Each Line', 'Never'],
    markdownEnumDescriptions: [
      'Flushes at the end of each turn and of each compaction.',
      'Flushes after every line, before it is shown.',
      'Leaves flushing to the operating system.',
    ],
    markdownDescription:
      'Controls when what is said is flushed to the disk, so that a power loss cannot take it. When only the editor ends or crashes, nothing that was shown as saved is lost, whatever is chosen here.',
    order: 4,
  },
} as const satisfies Readonly<Record<string, SettingSchema>>;

/** `contextBudget.mcpServers`, in the form of `contributes.configuration`. */
export const mcpServersSetting: ObjectSetting = {
  type: 'object',
  default: {},
  scope: 'window',
  markdownDescription:
    'Controls which MCP servers the agent has tools of, by name: `{ "command": "npx", "args": ["-y", "some-server"], "env": {} }` for a program to start, `{ "url": "https://…", "headers": {} }` for a server with streamable HTTP. Texts may hold `${workspaceFolder}`, `${env:NAME}` and `${secret:NAME}`, which *Context Budget: Set Secret for MCP Server* keeps. You are asked before each call.',
  additionalProperties: {
    type: 'object',
    properties: {
      command: {
        type: 'string',
        description: 'Program to start; it talks over its standard input and output.',
      },
      args: { type: 'array', items: { type: 'string' }, description: 'Arguments of the program.' },
      env: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Environment variables of the program, beside the few it inherits.',
      },
      cwd: { type: 'string', description: 'Directory of the program; the first folder if left out.' },
      url: { type: 'string', description: 'Address of a server with streamable HTTP.' },
      headers: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Headers that go with every request.',
      },
      disabled: { type: 'boolean', description: 'Leaves the server out.' },
    },
    additionalProperties: false,
  },
  order: 2,
};
