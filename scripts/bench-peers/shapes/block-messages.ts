import type { ChatMessage, ToolCall } from '../../../src/compaction/messages/message.ts';
import { argumentsObject, argumentsText } from './call-arguments.ts';

/**
 * A message of content blocks, as Anthropic's API has them and Cline and Strands with it: results are blocks of a user
 * message, all of one step in one.
 */
export interface BlockMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly Block[];
}

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool_result'; readonly tool_use_id: string; readonly content: BlockResult };

type BlockResult = string | readonly { readonly type: string; readonly text?: string }[];

/** @param messages without system messages, which that format keeps separately */
export function toBlocks(messages: readonly ChatMessage[]): readonly BlockMessage[] {
  const converted: { role: 'user' | 'assistant'; content: Block[] }[] = [];
  let isCollecting = false;
  for (const message of messages) {
    const text = typeof message.content === 'string' ? message.content : '';
    const texts: readonly Block[] = text === '' ? [] : [{ type: 'text', text }];
    if (message.role === 'tool') {
      const result = { type: 'tool_result', tool_use_id: message.tool_call_id ?? '', content: text } as const;
      if (isCollecting) converted.at(-1)?.content.push(result);
      else converted.push({ role: 'user', content: [result] });
    } else if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []).map((call): Block => ({
        type: 'tool_use',
        id: call.id,
        name: call.function.name,
        input: argumentsObject(call.function.arguments),
      }));
      converted.push({ role: 'assistant', content: [...texts, ...calls] });
    } else converted.push({ role: 'user', content: [...texts] });
    isCollecting = message.role === 'tool';
  }
  return converted;
}

export function fromBlocks(messages: readonly BlockMessage[]): readonly ChatMessage[] {
  return messages.flatMap(({ role, content }): readonly ChatMessage[] => {
    const blocks: readonly Block[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    const hasText = blocks.some((block) => block.type === 'text');
    if (role === 'user') {
      const results = blocks.flatMap((block): readonly ChatMessage[] =>
        block.type === 'tool_result'
          ? [{ role: 'tool', content: resultText(block.content), tool_call_id: block.tool_use_id }]
          : [],
      );
      return [...results, ...(hasText || results.length === 0 ? [{ role, content: text }] : [])];
    }
    const calls = blocks.flatMap((block): readonly ToolCall[] =>
      block.type === 'tool_use'
        ? [
            {
              id: block.id,
              type: 'function',
              function: { name: block.name, arguments: argumentsText(block.input) },
            },
          ]
        : [],
    );
    return [{ role, content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
  });
}

function resultText(content: BlockResult): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}
