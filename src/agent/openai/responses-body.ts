import type { ChatMessage, OpaqueItem, ToolSchema } from '../../compaction/message.ts';
import { textOf } from '../../compaction/message.ts';
import type { ModelRequest } from '../model.ts';

/** An input item of the Responses API. */
type InputItem = Readonly<Record<string, unknown>>;

/** Whether a request holds something that only the Responses API of this endpoint understands. */
export function needsResponses(request: ModelRequest, endpoint: string): boolean {
  return [...(request.opaque?.values() ?? [])].some((item) => item.endpoint === endpoint);
}

/** The body of a streaming request to the Responses API. Nothing is stored at the provider. */
export function responsesBody(
  model: string,
  request: ModelRequest,
  endpoint: string,
): Readonly<Record<string, unknown>> & { readonly stream: true } {
  const { messages, tools, opaque, maxOutputTokens } = request;
  return {
    model,
    input: inputItems(messages, (position) => {
      const item = opaque?.get(position);
      return item?.endpoint === endpoint ? item : undefined;
    }),
    stream: true,
    store: false,
    ...(tools.length === 0 ? {} : { tools: tools.map(functionTool) }),
    ...(tools.length > 0 && request.callsNoTools === true ? { tool_choice: 'none' } : {}),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
  };
}

/**
 * Chat messages as items of the Responses API.
 *
 * @param opaqueAt what a provider put in place of earlier messages, by position
 */
export function inputItems(
  messages: readonly ChatMessage[],
  opaqueAt: (position: number) => OpaqueItem | undefined = () => undefined,
): readonly InputItem[] {
  return messages.flatMap((message, position): readonly InputItem[] => {
    const { role, content, tool_calls: calls = [], tool_call_id: callId } = message;
    if (role === 'tool') return [{ type: 'function_call_output', call_id: callId, output: textOf(content) }];
    const item = opaqueAt(position);
    const text = textOf(content);
    return [
      ...(item === undefined ? [] : [{ type: 'compaction', encrypted_content: item.content }]),
      ...(text === '' ? [] : [{ type: 'message', role, content: text }]),
      ...calls.map(({ id, function: called }) => ({
        type: 'function_call',
        call_id: id,
        name: called.name,
        arguments: called.arguments,
      })),
    ];
  });
}

function functionTool({ function: schema }: ToolSchema): Readonly<Record<string, unknown>> {
  const { name, description, parameters } = schema;
  return { type: 'function', name, description, parameters: parameters ?? { type: 'object' }, strict: false };
}
