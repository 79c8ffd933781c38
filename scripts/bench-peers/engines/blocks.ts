import { textOf } from '../../../src/compaction/message.ts';
import { splitSystem } from '../history.ts';
import type { Peer } from '../peer.ts';
import { fromBlocks, toBlocks, type Block, type BlockMessage } from '../shapes/blocks.ts';

interface Cline {
  readonly createContextCompactionPrepareTurn: (
    config: object,
    options: object,
  ) => ((turn: object) => Promise<{ readonly messages: readonly BlockMessage[] } | undefined>) | undefined;
}

/** Folds the history without a model: every prompt stays, old work becomes notes behind the prompts. */
export const clineBasic: Peer = {
  id: 'cline-basic',
  title: 'Cline core, `basic`',
  packageName: '@cline/core',
  settings: 'started by hand, down to the target',
  strength:
    "Every prompt stays where it was said, and so does the last answer of older turns where it fits. Its notes of dropped work know Cline's own tools, which these sessions do not use.",
  async load(importPeer) {
    const { createContextCompactionPrepareTurn } = (await importPeer('@cline/core')) as Cline;
    return ({ messages: input, window, target }) => {
      const { system, rest } = splitSystem(input);
      const systemPrompt = system.map(({ content }) => textOf(content)).join('\n\n');
      const messages = toBlocks(rest);
      const info = { id: 'stub', contextWindow: window, maxInputTokens: window };
      const model = { id: 'stub', provider: 'anthropic', info };
      return {
        async compact() {
          const prepareTurn = createContextCompactionPrepareTurn(
            {
              providerId: 'anthropic',
              modelId: 'stub',
              providerConfig: { providerId: 'anthropic', modelId: 'stub', knownModels: { stub: info } },
              compaction: { enabled: true, strategy: 'basic' },
            },
            { mode: 'manual', manualTargetRatio: target / window },
          );
          const result = await prepareTurn?.({
            agentId: 'bench',
            conversationId: 'bench',
            parentAgentId: null,
            iteration: 1,
            messages,
            apiMessages: messages,
            abortSignal: new AbortController().signal,
            systemPrompt,
            tools: [],
            model,
          });
          return () => [...system, ...fromBlocks(result?.messages ?? messages)];
        },
      };
    };
  },
};

/** What Strands' classes tell of themselves. */
interface StrandsBlock {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly toolUseId?: string;
  readonly input?: unknown;
  readonly content?: readonly { readonly text?: string }[];
}
interface StrandsMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly StrandsBlock[];
}

interface Strands {
  readonly Message: new (fields: object) => StrandsMessage;
  readonly TextBlock: new (text: string) => StrandsBlock;
  readonly ToolUseBlock: new (fields: object) => StrandsBlock;
  readonly ToolResultBlock: new (fields: object) => StrandsBlock;
  readonly SlidingWindowConversationManager: new () => {
    reduce(work: object): boolean | Promise<boolean>;
  };
}

/** Keeps the newest 40 messages, from one on where a request can begin. */
export const strandsWindow: Peer = {
  id: 'strands-window',
  title: 'Strands `SlidingWindowConversationManager`',
  packageName: '@strands-agents/sdk',
  settings: 'default (window of 40 messages), one reduction',
  strength: 'It can pin the first messages, and clips large results where a request overflowed.',
  async load(importPeer) {
    const strands = (await importPeer('@strands-agents/sdk')) as Strands;
    const toStrands = (block: Block): StrandsBlock => {
      switch (block.type) {
        case 'text':
          return new strands.TextBlock(block.text);
        case 'tool_use': {
          const { id: toolUseId, name, input } = block;
          return new strands.ToolUseBlock({ toolUseId, name, input });
        }
        case 'tool_result': {
          const text = typeof block.content === 'string' ? block.content : '';
          const content = [new strands.TextBlock(text)];
          return new strands.ToolResultBlock({ toolUseId: block.tool_use_id, status: 'success', content });
        }
      }
    };
    return ({ messages: input }) => {
      const { system, rest } = splitSystem(input);
      const messages = toBlocks(rest).map(({ role, content }) => {
        const blocks = typeof content === 'string' ? [] : content.map(toStrands);
        return new strands.Message({ role, content: blocks });
      });
      return {
        async compact() {
          await new strands.SlidingWindowConversationManager().reduce({ agent: { messages }, model: {} });
          return () => [...system, ...fromBlocks(messages.map(fromStrands))];
        },
      };
    };
  },
};

/** Strands' blocks under the names of Anthropic's. */
export function fromStrands({ role, content }: StrandsMessage): BlockMessage {
  const blocks = content.flatMap((block): readonly Block[] => {
    switch (block.type) {
      case 'textBlock':
        return [{ type: 'text', text: block.text ?? '' }];
      case 'toolUseBlock':
        return [
          { type: 'tool_use', id: block.toolUseId ?? '', name: block.name ?? '', input: block.input ?? {} },
        ];
      case 'toolResultBlock': {
        const text = (block.content ?? []).map(({ text: part = '' }) => part).join('\n');
        return [{ type: 'tool_result', tool_use_id: block.toolUseId ?? '', content: text }];
      }
      default:
        return [];
    }
  });
  return { role, content: blocks };
}
