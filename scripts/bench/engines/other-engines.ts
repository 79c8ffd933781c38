import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../../project.ts';
import { installPackages } from '../counting/packages.ts';
import type { Step } from './steps.ts';

/** Compacts once. @returns the messages that are left, in the engine's own form */
type Compact = () => Promise<readonly unknown[]>;

/** Another project's way to make a history smaller. */
export interface OtherEngine {
  /** Names of the package and of the function. */
  readonly title: string;
  /** Imports the package. @returns prepares one compaction, because some engines change the messages in place */
  load(): Promise<(steps: readonly Step[], limits: EngineLimits) => Compact>;
}

/** Sizes in tokens. */
export interface EngineLimits {
  readonly window: number;
  readonly target: number;
}

const folder = join(projectFolder, 'out', 'bench', 'engines');
const packages = {
  '@cline/core': '0.0.86',
  '@google/adk': '2.0.0',
  '@google/gemini-cli-core': '0.61.0',
  '@langchain/core': '1.4.0',
  ai: '7.0.173',
  langchain: '1.5.14',
  zod: '4.6.7',
};

/** @throws {Error} if a package cannot be installed */
export async function installEngines(): Promise<void> {
  await installPackages(packages, folder);
}

/** Imports a module from the folder of the packages. */
async function importPackage<Module>(name: string): Promise<Module> {
  // Node looks for a package in the folders above the file that imports it.
  const file = join(folder, 'import.mjs');
  writeFileSync(file, 'export const load = (name) => import(name);\n');
  const { load } = (await import(pathToFileURL(file).href)) as { load: (name: string) => Promise<Module> };
  return load(name);
}

type LangChainMessage = object;
interface LangChain {
  readonly HumanMessage: new (fields: object) => LangChainMessage;
  readonly AIMessage: new (fields: object) => LangChainMessage;
  readonly ToolMessage: new (fields: object) => LangChainMessage;
  readonly countTokensApproximately: (messages: readonly LangChainMessage[]) => number;
  readonly ClearToolUsesEdit: new (options: object) => { apply(work: object): Promise<void> };
  readonly trimMessages: (
    messages: readonly LangChainMessage[],
    options: object,
  ) => Promise<readonly LangChainMessage[]>;
}

function langChainMessages(
  { HumanMessage, AIMessage, ToolMessage }: LangChain,
  steps: readonly Step[],
): LangChainMessage[] {
  return steps.flatMap((step): LangChainMessage[] => {
    if (step.from === 'user') return [new HumanMessage({ content: step.text })];
    if (step.from === 'tools') {
      return step.results.map(
        ({ id, name, text }) => new ToolMessage({ content: text, tool_call_id: id, name }),
      );
    }
    const calls = step.calls.map(({ id, name, input }) => ({ type: 'tool_call', id, name, args: input }));
    return [new AIMessage({ content: step.text, tool_calls: calls })];
  });
}

const langChainClearing: OtherEngine = {
  title: 'LangChain, ClearToolUsesEdit',
  async load() {
    const langChain = await importPackage<LangChain>('langchain');
    const { ClearToolUsesEdit, countTokensApproximately: countTokens } = langChain;
    return (steps) => {
      const messages = langChainMessages(langChain, steps);
      return async () => {
        await new ClearToolUsesEdit({ trigger: { tokens: 1 } }).apply({ messages, countTokens });
        return messages;
      };
    };
  },
};

const langChainTrimming: OtherEngine = {
  title: 'LangChain, trimMessages',
  async load() {
    const langChain = await importPackage<LangChain>('langchain');
    const { trimMessages, countTokensApproximately: tokenCounter } = langChain;
    return (steps, { target }) => {
      const messages = langChainMessages(langChain, steps);
      return () => trimMessages(messages, { maxTokens: target, tokenCounter, strategy: 'last' });
    };
  },
};

const aiSdkPruning: OtherEngine = {
  title: 'AI SDK, pruneMessages',
  async load() {
    interface AiSdk {
      pruneMessages(options: object): readonly unknown[];
    }
    const { pruneMessages } = await importPackage<AiSdk>('ai');
    return (steps) => {
      const messages = steps.map((step) => {
        if (step.from === 'user') return { role: 'user', content: step.text };
        if (step.from === 'model') {
          const calls = step.calls.map(({ id, name, input }) => {
            return { type: 'tool-call', toolCallId: id, toolName: name, input };
          });
          return { role: 'assistant', content: [{ type: 'text', text: step.text }, ...calls] };
        }
        const content = step.results.map(({ id, name, text }) => {
          return {
            type: 'tool-result',
            toolCallId: id,
            toolName: name,
            output: { type: 'text', value: text },
          };
        });
        return { role: 'tool', content };
      });
      return () => Promise.resolve(pruneMessages({ messages, toolCalls: 'before-last-20-messages' }));
    };
  },
};

const cline: OtherEngine = {
  title: 'Cline, basic compaction',
  async load() {
    interface Cline {
      createContextCompactionPrepareTurn(
        config: object,
        options: object,
      ): (turn: object) => Promise<{ readonly messages: readonly unknown[] } | undefined>;
    }
    const { createContextCompactionPrepareTurn } = await importPackage<Cline>('@cline/core');
    return (steps, { window, target }) => {
      const messages = steps.map((step) => {
        if (step.from === 'user') return { role: 'user', content: [{ type: 'text', text: step.text }] };
        if (step.from === 'model') {
          const calls = step.calls.map((call) => ({ type: 'tool_use', ...call }));
          return { role: 'assistant', content: [{ type: 'text', text: step.text }, ...calls] };
        }
        const content = step.results.map(({ id, text }) => {
          return { type: 'tool_result', tool_use_id: id, content: text };
        });
        return { role: 'user', content };
      });
      const info = { id: 'none', contextWindow: window, maxInputTokens: window };
      const model = { id: 'none', provider: 'anthropic', info };
      const providerConfig = { providerId: 'anthropic', modelId: 'none', knownModels: { none: info } };
      return async () => {
        const prepareTurn = createContextCompactionPrepareTurn(
          { ...providerConfig, providerConfig, compaction: { enabled: true, strategy: 'basic' } },
          { mode: 'manual', manualTargetRatio: target / window },
        );
        const result = await prepareTurn({
          ...{ agentId: '', conversationId: '', parentAgentId: null, iteration: 1, systemPrompt: '' },
          ...{ messages, apiMessages: messages, tools: [], model },
          abortSignal: new AbortController().signal,
        });
        return result?.messages ?? messages;
      };
    };
  },
};

interface GeminiContent {
  readonly role: string;
  readonly parts: readonly object[];
}

function geminiContents(steps: readonly Step[]): GeminiContent[] {
  return steps.map((step) => {
    if (step.from === 'user') return { role: 'user', parts: [{ text: step.text }] };
    if (step.from === 'model') {
      const calls = step.calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }));
      return { role: 'model', parts: [{ text: step.text }, ...calls] };
    }
    const parts = step.results.map(({ id, name, text }) => {
      return { functionResponse: { id, name, response: { output: text } } };
    });
    return { role: 'user', parts };
  });
}

const adk: OtherEngine = {
  title: 'ADK, TruncatingContextCompactor',
  async load() {
    interface Adk {
      readonly TruncatingContextCompactor: new (options: object) => { compact(context: object): void };
    }
    const { TruncatingContextCompactor } = await importPackage<Adk>('@google/adk');
    return (steps) => {
      const events = geminiContents(steps).map((content, index) => {
        const author = content.role === 'model' ? 'agent' : 'user';
        return { id: `event-${index}`, author, timestamp: index, content };
      });
      return () => {
        const compactor = new TruncatingContextCompactor({ threshold: 40, preserveLeadingEvents: 1 });
        compactor.compact({ session: { events } });
        return Promise.resolve(events);
      };
    };
  },
};

const geminiMasking: OtherEngine = {
  title: 'Gemini CLI, ToolOutputMaskingService',
  async load() {
    interface GeminiCli {
      readonly ToolOutputMaskingService: new () => {
        mask(history: readonly GeminiContent[], config: object): Promise<{ newHistory: GeminiContent[] }>;
      };
    }
    const name = '@google/gemini-cli-core/dist/src/context/toolOutputMaskingService.js';
    const { ToolOutputMaskingService } = await importPackage<GeminiCli>(name);
    // It reports each run on the console.
    console.debug = () => {};
    const outputs = join(folder, 'outputs');
    mkdirSync(outputs, { recursive: true });
    return (steps, { target }) => {
      const history = geminiContents(steps);
      const masking = {
        protectionThresholdTokens: target / 2,
        minPrunableThresholdTokens: 1,
        protectLatestTurn: true,
      };
      const config = {
        getToolOutputMaskingConfig: () => Promise.resolve(masking),
        storage: { getProjectTempDir: () => outputs },
        getSessionId: () => '',
        // It would send reports to its makers otherwise.
        getUsageStatisticsEnabled: () => false,
        getTelemetryEnabled: () => false,
      };
      return async () => (await new ToolOutputMaskingService().mask(history, config)).newHistory;
    };
  },
};

/** Engines that need no model. */
export const otherEngines: readonly OtherEngine[] = [
  langChainClearing,
  langChainTrimming,
  aiSdkPruning,
  cline,
  adk,
  geminiMasking,
];
