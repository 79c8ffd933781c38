import { strategyTitle } from '../../language/english/strategy-titles-english.ts';
import type { Strategy } from '../../compaction/strategies/contract/strategy.ts';
import { strategyCatalogue } from '../../compaction/strategies/index.ts';
import { presets, providerIds } from '../../agent/providers/presets.ts';
import type { generalSettings, groupSettings, ObjectSetting, ProviderName } from './general-settings.ts';
import { recommendedOrder } from './strategy-groups.ts';

/** English texts of a setting for the manifest. The running extension prefers VS Code's translations. */

export interface SettingText {
  readonly markdownDescription: string;
  readonly enumItemLabels?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly patternErrorMessage?: string;
}

const strategies: readonly Strategy[] = recommendedOrder.map((id) => strategyCatalogue[id]);

export interface ProviderChoice {
  readonly name: ProviderName;
  readonly title: string;
  readonly description: string;
}

/** All providers, in the order in which they are offered. */
export const providerChoices: readonly ProviderChoice[] = [
  {
    name: 'auto',
    title: 'Automatic',
    description:
      'The endpoint of the base URL once an API key is set for it, or when it is on this machine; the offline model otherwise.',
  },
  ...providerIds.map((name) => ({ name, title: presets[name].title, description: presets[name].advice })),
  {
    name: 'vscode',
    title: 'VS Code',
    description:
      'Language models of other extensions, for example with a GitHub Copilot plan. VS Code asks for permission once.',
  },
  {
    name: 'offline',
    title: 'Offline model',
    description: 'The built-in model that searches and quotes your files. It needs no network.',
  },
];

export const settingTexts = {
  strategy: {
    markdownDescription: 'How the conversation is made smaller when the context window fills up.',
    enumItemLabels: strategies.map(({ id }) => strategyTitle(id).english),
    markdownEnumDescriptions: strategies.map(({ description }) => description),
  },
  mode: {
    markdownDescription: 'Whether compaction starts automatically.',
    enumItemLabels: ['Automatic', 'Ask', 'Off'],
    markdownEnumDescriptions: [
      'Compacts when a trigger is reached.',
      'Asks before compacting; the agent keeps working. Compacts without asking only if the provider refuses a request as too long, once.',
      'Compacts only when you ask for it, and once when the provider refuses a request as too long.',
    ],
  },
  triggerRatio: {
    markdownDescription:
      'Compact when this share of the context window is full, or earlier if the reply needs the room (`reservedOutput` in `#contextBudget.triggers#`). A compaction with a model starts in the background before that, if `background` in `#contextBudget.triggers#` is on.',
  },
  targetRatio: {
    markdownDescription:
      'Share of the context window that a compaction should leave filled. Has to be below `#contextBudget.triggerRatio#`.',
  },
  window: {
    markdownDescription:
      'Size of the context window, in tokens. With `0`, the known window of the model is used; for unknown models, no window is assumed.',
  },
  protectFirst: {
    markdownDescription: 'Keeps your first message of a chat word for word, like your newest one.',
  },
  focus: {
    markdownDescription:
      'What every summary pays attention to, in words, for example: keep the exact wording of error messages.',
  },
  provider: {
    markdownDescription:
      'Where answers come from. *Context Budget: Select Model…* asks for everything it needs.',
    enumItemLabels: providerChoices.map(({ title }) => title),
    markdownEnumDescriptions: providerChoices.map(({ description }) => description),
  },
  baseUrl: {
    markdownDescription:
      'OpenAI-compatible endpoint that requests are sent to. A workspace cannot change it, and each endpoint has its own API key.',
    patternErrorMessage: 'Must be a URL that starts with http:// or https://.',
  },
  model: {
    markdownDescription: 'Model of the endpoint that answers.',
  },
  compactionModel: {
    markdownDescription:
      'Model of the endpoint that writes summaries. When empty, the model of the chat writes them.',
  },
  memory: {
    markdownDescription:
      'Lets the agent read `AGENTS.md`, `CLAUDE.md` and `.github/copilot-instructions.md` of the workspace, your own memory file, and the list of skills (`.agents/skills`, `.claude/skills`, `.github/skills`). Compactions keep memory word for word.',
  },
  mcpToolsOnDemand: {
    markdownDescription:
      'Lets the agent find tools of MCP servers on demand. Requests then contain two tools, one that finds tools and one that calls them, instead of the definitions of all tools. You are still asked before each call.',
    enumItemLabels: ['Automatic', 'Always', 'Never'],
    markdownEnumDescriptions: [
      'On demand if their definitions take more than a tenth of the context window. Decided when a chat starts and when a server adds tools.',
      'Always on demand.',
      'Requests contain the definitions of all tools.',
    ],
  },
} satisfies Readonly<Record<keyof typeof generalSettings, SettingText>>;

export const groupTexts: Readonly<Record<keyof typeof groupSettings, string>> = {
  triggers:
    'What else starts a compaction, besides `#contextBudget.triggerRatio#`, and how much room stays free for the reply.',
  restoreFiles:
    'Files that were being worked on come back after a summary, as they are now: how many, and how large. Larger ones come back as an outline.',
  spendingLimit:
    'Limit for the automatic summaries of one chat. After that, automatic compaction does without a model; *Compact Now* still asks one.',
  endpoint: 'How requests to the endpoint are made.',
  telemetry:
    'Sends a span to an OpenTelemetry collector for each turn, model call, tool call and compaction of the agent. Off by default. A workspace cannot change it.',
  safety: 'Sandbox for commands, and how often chats are flushed to disk. A workspace cannot change it.',
};

/** `contextBudget.mcpServers`, in the form of `contributes.configuration`. */
export const mcpServersSetting: ObjectSetting = {
  type: 'object',
  default: {},
  scope: 'window',
  markdownDescription:
    'MCP servers whose tools the agent can use, by name: `{ "command": "npx", "args": ["-y", "some-server"], "env": {} }` for a program, `{ "url": "https://…", "headers": {} }` for a server over HTTP. Strings may contain `${workspaceFolder}`, `${env:NAME}` and `${secret:NAME}`, which *Context Budget: Set Secret for MCP Server* keeps. You are asked before each call.',
  additionalProperties: {
    type: 'object',
    properties: {
      command: {
        type: 'string',
        description: 'Program to start. It is called over its standard input and output.',
      },
      args: { type: 'array', items: { type: 'string' }, description: 'Arguments of the program.' },
      env: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Environment variables of the program, in addition to the few it inherits.',
      },
      cwd: { type: 'string', description: 'Folder of the program; by default the first of the workspace.' },
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
