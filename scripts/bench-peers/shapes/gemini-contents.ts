import type { ChatMessage, ToolCall } from '../../../src/compaction/messages/message.ts';
import { argumentsObject, argumentsText } from './call-arguments.ts';
import { toolNames } from './tool-names.ts';

/** A message of Google's APIs: results are parts of a user message, all of one step in one. */
export interface GeminiContent {
  readonly role?: string;
  readonly parts?: readonly GeminiPart[];
}

export interface GeminiPart {
  readonly text?: string;
  readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: unknown };
  readonly functionResponse?: { readonly id?: string; readonly name?: string; readonly response?: unknown };
}

/** @param messages without system messages, which that format keeps separately */
export function toGemini(messages: readonly ChatMessage[]): readonly GeminiContent[] {
  const nameOf = toolNames(messages);
  const contents: { role: string; parts: GeminiPart[] }[] = [];
  let isCollecting = false;
  for (const message of messages) {
    const text = typeof message.content === 'string' ? message.content : '';
    const texts: readonly GeminiPart[] = text === '' ? [] : [{ text }];
    if (message.role === 'tool') {
      const id = message.tool_call_id ?? '';
      const part = { functionResponse: { id, name: nameOf(id), response: { output: text } } };
      if (isCollecting) contents.at(-1)?.parts.push(part);
      else contents.push({ role: 'user', parts: [part] });
    } else if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []).map((call): GeminiPart => ({
        functionCall: {
          id: call.id,
          name: call.function.name,
          args: argumentsObject(call.function.arguments),
        },
      }));
      contents.push({ role: 'model', parts: [...texts, ...calls] });
    } else contents.push({ role: 'user', parts: [...texts] });
    isCollecting = message.role === 'tool';
  }
  return contents;
}

export function fromGemini(contents: readonly GeminiContent[]): readonly ChatMessage[] {
  return contents.flatMap(({ role, parts = [] }): readonly ChatMessage[] => {
    const texts = parts.flatMap(({ text }) => text ?? []);
    const content = texts.join('\n');
    if (role === 'model') {
      const calls = parts.flatMap(({ functionCall: call }): readonly ToolCall[] =>
        call === undefined
          ? []
          : [
              {
                id: call.id ?? '',
                type: 'function',
                function: { name: call.name ?? '', arguments: argumentsText(call.args) },
              },
            ],
      );
      return [{ role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
    }
    const results = parts.flatMap(({ functionResponse: result }): readonly ChatMessage[] =>
      result === undefined
        ? []
        : [{ role: 'tool', content: resultText(result.response), tool_call_id: result.id ?? '' }],
    );
    return [
      ...results,
      ...(texts.length > 0 || results.length === 0 ? [{ role: 'user', content } as const] : []),
    ];
  });
}

function resultText(response: unknown): string {
  const { output } = (response ?? {}) as { readonly output?: unknown };
  return typeof output === 'string' ? output : JSON.stringify(response ?? {});
}
