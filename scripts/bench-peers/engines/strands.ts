import { splitSystem } from '../history.ts';
import type { Peer } from '../peer.ts';
import { fromBlocks, toBlocks, type Block, type BlockMessage } from '../shapes/block-messages.ts';

/** The parts of Strands' classes that this adapter uses. */
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
  strength: 'It can pin the first messages, and clips large results after a request overflowed.',
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
