import type { ChatMessage, ToolCall } from '../../../src/compaction/messages/message.ts';
import { argumentsObject, argumentsText } from './call-arguments.ts';
import { toolNames } from './tool-names.ts';

/** LangChain's messages, as far as they are used here: the fields of its classes, and what an instance tells. */
export interface LangChainMessage {
  readonly type: string;
  readonly content: unknown;
  readonly tool_calls?: readonly LangChainCall[];
  readonly tool_call_id?: string;
  readonly name?: string;
}

interface LangChainCall {
  readonly type: 'tool_call';
  readonly id?: string;
  readonly name: string;
  readonly args: unknown;
}

/** Plain messages; the adapter makes instances of LangChain's classes of them. */
export function toLangChain(messages: readonly ChatMessage[]): readonly LangChainMessage[] {
  const nameOf = toolNames(messages);
  return messages.map((message): LangChainMessage => {
    const content = typeof message.content === 'string' ? message.content : '';
    switch (message.role) {
      case 'system':
      case 'developer':
        return { type: 'system', content };
      case 'user':
        return { type: 'human', content };
      case 'assistant':
        return { type: 'ai', content, tool_calls: (message.tool_calls ?? []).map(toCall) };
      case 'tool': {
        const id = message.tool_call_id ?? '';
        return { type: 'tool', content, tool_call_id: id, name: nameOf(id) };
      }
    }
  });
}

export function fromLangChain(messages: readonly LangChainMessage[]): readonly ChatMessage[] {
  return messages.map((message): ChatMessage => {
    const content = textOfContent(message.content);
    switch (message.type) {
      case 'system':
        return { role: 'system', content };
      case 'ai': {
        const calls = message.tool_calls ?? [];
        if (calls.length === 0) return { role: 'assistant', content };
        return { role: 'assistant', content, tool_calls: calls.map(fromCall) };
      }
      case 'tool':
        return { role: 'tool', content, tool_call_id: message.tool_call_id ?? '' };
      default:
        return { role: 'user', content };
    }
  });
}

function toCall({ id, function: { name, arguments: text } }: ToolCall): LangChainCall {
  return { type: 'tool_call', id, name, args: argumentsObject(text) };
}

function fromCall({ id = '', name, args }: LangChainCall): ToolCall {
  return { id, type: 'function', function: { name, arguments: argumentsText(args) } };
}

function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as readonly unknown[])
    .map((part) => (typeof part === 'string' ? part : ((part as { readonly text?: string }).text ?? '')))
    .join('\n');
}
