import type { ChatMessage, ToolCall } from '../../../src/compaction/messages/message.ts';
import { argumentsObject, argumentsText } from './call-arguments.ts';
import { toolNames } from './tool-names.ts';

/** A message of the AI SDK, which is that of Mastra's prompts, too. All results of one step are one message. */
export type AiSdkMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user' | 'assistant' | 'tool'; readonly content: string | readonly AiSdkPart[] };

export type AiSdkPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
    }
  | {
      readonly type: 'tool-result';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly output: { readonly type: 'text'; readonly value: string };
    };

export function toAiSdk(messages: readonly ChatMessage[]): readonly AiSdkMessage[] {
  const nameOf = toolNames(messages);
  const converted: { role: 'system' | 'user' | 'assistant' | 'tool'; content: string | AiSdkPart[] }[] = [];
  for (const message of messages) {
    const text = typeof message.content === 'string' ? message.content : '';
    const textParts: AiSdkPart[] = text === '' ? [] : [{ type: 'text', text }];
    if (message.role === 'tool') {
      const id = message.tool_call_id ?? '';
      const output = { type: 'text', value: text } as const;
      const result = { type: 'tool-result', toolCallId: id, toolName: nameOf(id), output } as const;
      const last = converted.at(-1);
      if (last?.role === 'tool' && Array.isArray(last.content)) last.content.push(result);
      else converted.push({ role: 'tool', content: [result] });
    } else if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []).map((call): AiSdkPart => ({
        type: 'tool-call',
        toolCallId: call.id,
        toolName: call.function.name,
        input: argumentsObject(call.function.arguments),
      }));
      converted.push({ role: 'assistant', content: [...textParts, ...calls] });
    } else if (message.role === 'user') converted.push({ role: 'user', content: textParts });
    else converted.push({ role: 'system', content: text });
  }
  return converted as readonly AiSdkMessage[];
}

export function fromAiSdk(messages: readonly AiSdkMessage[]): readonly ChatMessage[] {
  return messages.flatMap(({ role, content }): readonly ChatMessage[] => {
    const parts: readonly AiSdkPart[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    if (role === 'tool') {
      return parts.flatMap((part) =>
        part.type === 'tool-result'
          ? [{ role: 'tool', content: part.output.value, tool_call_id: part.toolCallId }]
          : [],
      );
    }
    const calls = parts.flatMap((part): readonly ToolCall[] =>
      part.type === 'tool-call'
        ? [
            {
              id: part.toolCallId,
              type: 'function',
              function: { name: part.toolName, arguments: argumentsText(part.input) },
            },
          ]
        : [],
    );
    return [{ role, content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
  });
}
