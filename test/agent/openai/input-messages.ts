import type { ChatMessage, Role, ToolCall } from '../../../src/compaction/messages/message.ts';
import type { InputItem } from './scripted-reply.ts';

/** Items of the Responses API as equivalent chat messages. */
export function messagesOfInput(input: readonly InputItem[]): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const item of input) {
    if (item['type'] === 'function_call') {
      const call: ToolCall = {
        id: textIn(item['call_id']),
        type: 'function',
        function: { name: textIn(item['name']), arguments: textIn(item['arguments']) },
      };
      const last = messages.at(-1);
      if (last?.role === 'assistant') {
        messages[messages.length - 1] = { ...last, tool_calls: [...(last.tool_calls ?? []), call] };
      } else messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    } else if (item['type'] === 'function_call_output') {
      messages.push({ role: 'tool', tool_call_id: textIn(item['call_id']), content: textIn(item['output']) });
    } else if (item['type'] === 'message') {
      messages.push({ role: textIn(item['role']) as Role, content: textIn(item['content']) });
    }
  }
  return messages;
}

/** OpenAI's reason for refusing an input: reasoning that is not followed by output of the model. */
export function strayReasoning(input: readonly InputItem[]): string | undefined {
  const position = input.findIndex((item, index) => {
    if (item['type'] !== 'reasoning') return false;
    const next = input.slice(index + 1).find(({ type }) => type !== 'reasoning');
    return next?.['type'] !== 'function_call' && next?.['role'] !== 'assistant';
  });
  return position < 0
    ? undefined
    : `Item ${position} of type 'reasoning' was provided without its required following item.`;
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
