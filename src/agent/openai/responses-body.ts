import { textOf, type ChatMessage, type ToolSchema } from '../../compaction/message.ts';
import type { ModelRequest } from '../model.ts';
import type { Dialect } from './dialect.ts';
import { inputReasoning, itemsFor, type Reasoner } from './returned-reasoning.ts';

/** An input item of the Responses API. */
type InputItem = Readonly<Record<string, unknown>>;

/** Whether a request holds something that only the Responses API of this endpoint understands. */
export function needsResponses(request: ModelRequest, endpoint: string): boolean {
  return [...(request.opaque?.values() ?? [])].some((item) => item.endpoint === endpoint);
}

/** The body of a streaming request to the Responses API. Nothing is stored at the provider. */
export function responsesBody(
  request: ModelRequest,
  reasoner: Reasoner,
  dialect: Dialect,
): Readonly<Record<string, unknown>> & { readonly stream: true } {
  const { tools, maxOutputTokens } = request;
  return {
    model: reasoner.model,
    input: inputItems(request, reasoner, dialect),
    stream: true,
    store: false,
    // What is not stored has to come along, or the next request would know nothing of it.
    ...(dialect.reasoningItems ? { include: ['reasoning.encrypted_content'] } : {}),
    ...(dialect.reasoningSummary ? { reasoning: { summary: 'auto' } } : {}),
    ...(tools.length === 0 ? {} : { tools: tools.map(functionTool) }),
    ...(tools.length > 0 && request.callsNoTools === true ? { tool_choice: 'none' } : {}),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
  };
}

/**
 * Chat messages as items of the Responses API, with what the provider put in place of earlier messages and what it
 * wants back of its reasoning in front of the message each belongs to. System messages stay where they are and are no
 * `instructions`: each request begins with all of the one before it.
 */
export function inputItems(
  { messages, opaque, reasoningItems }: ModelRequest,
  reasoner: Reasoner,
  dialect: Dialect,
): readonly InputItem[] {
  return messages.flatMap((message, position): readonly InputItem[] => {
    const item = opaque?.get(position);
    const own = itemsOf(message);
    const reasoning =
      own.length === 0 || dialect.reasoning === 'refused'
        ? []
        : inputReasoning(itemsFor(reasoner, reasoningItems?.get(position)));
    return [
      ...(item?.endpoint === reasoner.endpoint
        ? [{ type: 'compaction', encrypted_content: item.content }]
        : []),
      ...reasoning,
      ...own,
    ];
  });
}

function itemsOf(message: ChatMessage): readonly InputItem[] {
  const { role, content, tool_calls: calls = [], tool_call_id: callId } = message;
  const text = textOf(content);
  if (role === 'tool') return [{ type: 'function_call_output', call_id: callId, output: text }];
  return [
    ...(text === '' ? [] : [{ type: 'message', role, content: text }]),
    ...calls.map(({ id, function: called }) => ({
      type: 'function_call',
      call_id: id,
      name: called.name,
      arguments: called.arguments,
    })),
  ];
}

function functionTool({ function: schema }: ToolSchema): Readonly<Record<string, unknown>> {
  const { name, description, parameters } = schema;
  return { type: 'function', name, description, parameters: parameters ?? { type: 'object' }, strict: false };
}
