import { imageParts, imageUrl, withTextForImages } from '../../compaction/images/image-part.ts';
import {
  type ChatMessage,
  type Content,
  type Message,
  textOf,
  type ToolSchema,
} from '../../compaction/messages/message.ts';
import type { NativeCompaction, SummaryRequest } from '../../compaction/summary/summary-model.ts';
import { readUsage } from '../../compaction/tokens/read-usage.ts';
import { imageNotTaken, type ModelRequest, modelRequestOf } from '../model/chat-model.ts';
import { type Dialect, withCacheMarks } from './dialect.ts';
import { callExtras, chatFields, inputReasoning, itemsFor, type Reasoner } from './returned-reasoning.ts';
import { isRecord } from '../../language/is-record.ts';

/**
 * Builds the body of a chat completions request. The form of a message does not depend on later messages, so
 * that a cache finds the previous request.
 */
export function requestBody(
  request: ModelRequest,
  reasoner: Reasoner,
  dialect: Dialect,
): Readonly<Record<string, unknown>> & { readonly stream: true } {
  const { tools, reasoningItems, maxOutputTokens, followedBy = 'more' } = request;
  const schema = schemaFor(request, dialect);
  const messages = request.messages.map((message) => readable(message, dialect));
  const wire = messages.map((message, position) =>
    wireMessage(message, itemsFor(reasoner, reasoningItems?.get(position)), dialect),
  );
  const isMarked = dialect.cacheMarks !== 'nowhere' && followedBy !== 'nothing-alike';
  return {
    model: reasoner.model,
    messages: isMarked ? withCacheMarks(messages, wire, dialect.cacheMarks, followedBy === 'more') : wire,
    stream: true,
    ...(dialect.reportsUsage ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length === 0 ? {} : { tools }),
    ...toolChoice(request),
    ...(maxOutputTokens === undefined ? {} : { [dialect.outputCap]: maxOutputTokens }),
    ...(schema === undefined ? {} : { response_format: { type: 'json_schema', json_schema: schema } }),
  };
}

function toolChoice({ tools, callsNoTools, mustCallTool }: ModelRequest) {
  if (tools.length === 0) return {};
  if (callsNoTools === true) return { tool_choice: 'none' };
  return mustCallTool === true ? { tool_choice: 'required' } : {};
}

/** Returns the schema of the answer for both APIs; undefined without one, or if the server takes none. */
function schemaFor({ answerSchema }: ModelRequest, dialect: Dialect) {
  return answerSchema === undefined || !dialect.answerSchemas ? undefined : { ...answerSchema, strict: true };
}

/** Builds the request for a summary: a separate one, or the chat's own cached request with the prompt added. */
export function summaryModelRequest(request: SummaryRequest): ModelRequest {
  const { instructions, prompt, continues, maxOutputTokens, schema: answerSchema } = request;
  if (continues === undefined) {
    const messages: readonly ChatMessage[] = [
      { role: 'system', content: instructions },
      { role: 'user', content: prompt },
    ];
    return { messages, tools: [], maxOutputTokens, answerSchema, followedBy: 'nothing-alike' };
  }
  const { messages, ...rest } = modelRequestOf(continues.view, continues.tools);
  return {
    ...rest,
    messages: [...messages, { role: 'user', content: prompt }],
    maxOutputTokens,
    callsNoTools: true,
    followedBy: 'another-end',
  };
}

function readable(message: ChatMessage, dialect: Dialect): ChatMessage {
  const content = dialect.images ? message.content : withTextForImages(message.content, imageNotTaken);
  return content === message.content ? message : { ...message, content };
}

/** Returns a message with only the reasoning that its provider requires, because most endpoints reject reasoning. */
function wireMessage(
  { reasoning_content: reasoning = '', ...message }: ChatMessage,
  items: ReturnType<typeof itemsFor>,
  dialect: Dialect,
): Readonly<Record<string, unknown>> {
  if (message.role !== 'assistant' || dialect.reasoning === 'refused') return { ...message };
  const fields = chatFields(items, reasoning);
  const placeholder = dialect.reasoning === 'demanded' ? { reasoning_content: '' } : {};
  const extras = callExtras(items);
  const calls =
    extras.size === 0
      ? message.tool_calls
      : message.tool_calls?.map((call) =>
          extras.has(call.id) ? { ...call, extra_content: extras.get(call.id) } : call,
        );
  return {
    ...message,
    ...(calls === undefined ? {} : { tool_calls: calls }),
    ...placeholder,
    ...fields,
  };
}

type InputItem = Readonly<Record<string, unknown>>;

/** True if a request contains an item that needs the Responses API of this endpoint. */
export function needsResponses(request: ModelRequest, endpoint: string): boolean {
  return [...(request.opaque?.values() ?? [])].some((item) => item.endpoint === endpoint);
}

/** Builds the body of a streaming request to the Responses API. The provider stores nothing. */
export function responsesBody(
  request: ModelRequest,
  reasoner: Reasoner,
  dialect: Dialect,
): Readonly<Record<string, unknown>> & { readonly stream: true } {
  const { tools, maxOutputTokens } = request;
  const schema = schemaFor(request, dialect);
  return {
    model: reasoner.model,
    input: inputItems(request, reasoner, dialect),
    stream: true,
    store: false,
    // Reasoning that is not stored must come with the reply, so that the next request can include it.
    ...(dialect.reasoningItems ? { include: ['reasoning.encrypted_content'] } : {}),
    ...(dialect.reasoningSummary ? { reasoning: { summary: 'auto' } } : {}),
    ...(tools.length === 0 ? {} : { tools: tools.map(functionTool) }),
    ...toolChoice(request),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
    ...(schema === undefined ? {} : { text: { format: { type: 'json_schema', ...schema } } }),
  };
}

/** Converts messages to items of the Responses API. System messages stay in place, so that requests begin alike. */
function inputItems(
  { messages, opaque, reasoningItems }: ModelRequest,
  reasoner: Reasoner,
  dialect: Dialect,
): readonly InputItem[] {
  return messages.flatMap((message, position): readonly InputItem[] => {
    const item = opaque?.get(position);
    const own = itemsOf(readable(message, dialect));
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
  const said = inputContent(content);
  if (role === 'tool') return [{ type: 'function_call_output', call_id: callId, output: said }];
  return [
    ...(said === '' ? [] : [{ type: 'message', role, content: said }]),
    ...calls.map(({ id, function: called }) => ({
      type: 'function_call',
      call_id: id,
      name: called.name,
      arguments: called.arguments,
    })),
  ];
}

/** Returns text as a string. If there are images, returns the parts in the format of the Responses API. */
function inputContent(content: Content): string | readonly InputItem[] {
  if (content === null || typeof content === 'string' || imageParts(content).length === 0)
    return textOf(content);
  return content.flatMap((part): readonly InputItem[] => {
    if (part.text !== undefined) return [{ type: 'input_text', text: part.text }];
    const url = imageUrl(part);
    return url === undefined ? [] : [{ type: 'input_image', image_url: url, detail: 'auto' }];
  });
}

function functionTool({ function: schema }: ToolSchema): Readonly<Record<string, unknown>> {
  const { name, description, parameters } = schema;
  return { type: 'function', name, description, parameters: parameters ?? { type: 'object' }, strict: false };
}

/** Builds the body of a request to `/responses/compact`. */
export function compactionBody(
  messages: readonly Message[],
  reasoner: Reasoner,
  dialect: Dialect,
): Readonly<Record<string, unknown>> {
  return {
    model: reasoner.model,
    input: inputItems(modelRequestOf(messages, []), reasoner, dialect),
  };
}

/** Reads the encrypted content of the compaction from a response; undefined if it is missing. */
export function readCompaction(response: unknown, endpoint: string): NativeCompaction | undefined {
  if (!isRecord(response) || !Array.isArray(response['output'])) return undefined;
  const item: unknown = response['output'].findLast(
    (entry) => isRecord(entry) && entry['type'] === 'compaction',
  );
  const content = isRecord(item) ? item['encrypted_content'] : undefined;
  if (typeof content !== 'string' || content === '') return undefined;
  const usage = readUsage(response['usage']);
  return { item: { endpoint, content }, ...(usage === undefined ? {} : { usage }) };
}
