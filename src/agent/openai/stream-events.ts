import type { ReportedUsage } from '../../compaction/messages/message.ts';
import { readUsage } from '../../compaction/tokens/read-usage.ts';
import { type ProviderError, readProviderError } from '../model/provider-error.ts';
import { type ReasoningField, textField } from './returned-reasoning.ts';
import { isRecord } from '../../language/is-record.ts';

/** A part of a tool call in a chunk. Fields that a server omits are undefined. */
export interface ToolCallDelta {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly arguments: string;
  /** Data that must be sent back with the call, such as the signature of Gemini's reasoning. */
  readonly extra?: unknown;
}

/** Chunk of a stream, in one format for all servers. */
export interface Chunk {
  readonly text: string;
  readonly reasoning: string;
  /** Items in this chunk that must be sent back to the provider with the reply. */
  readonly reasoningItems: readonly unknown[];
  readonly toolCalls: readonly ToolCallDelta[];
  readonly finishReason: string | undefined;
  readonly usage: ReportedUsage | undefined;
}

const emptyChunk: Chunk = {
  text: '',
  reasoning: '',
  reasoningItems: [],
  toolCalls: [],
  finishReason: undefined,
  usage: undefined,
};

/** Reads a chunk without assumptions, because compatible servers differ in nearly every field. */
export function readChunk(data: unknown): Chunk {
  const fields = isRecord(data) ? data : {};
  const choice: unknown = Array.isArray(fields['choices']) ? fields['choices'][0] : undefined;
  // Moonshot puts the usage in the choice.
  const { delta, finish_reason, usage } = isRecord(choice) ? choice : {};
  const { content, refusal, reasoning_content, reasoning, reasoning_details, tool_calls } = isRecord(delta)
    ? delta
    : {};
  const details = Array.isArray(reasoning_details) ? reasoning_details.filter(isRecord) : [];
  return {
    text: textIn(content, 'text') + textIn(refusal, 'text'),
    // Some servers send the same reasoning under both names.
    reasoning: textIn(reasoning_content, 'text') || textIn(reasoning, 'text') || textIn(content, 'thinking'),
    reasoningItems: [...fieldGiven({ reasoning_content, reasoning }), ...details],
    toolCalls: Array.isArray(tool_calls) ? tool_calls.filter(isRecord).map(readToolCall) : [],
    finishReason: nonEmpty(finish_reason),
    usage: readUsage(fields['usage'] ?? usage, fields['timings']),
  };
}

/** Returns the field of the reasoning, even if empty, because Moonshot rejects a returned message without it. */
function fieldGiven(given: Readonly<Record<ReasoningField, unknown>>): readonly unknown[] {
  if (typeof given.reasoning_content === 'string') return [textField('reasoning_content')];
  return typeof given.reasoning === 'string' ? [textField('reasoning')] : [];
}

/** Reads text from a message's content. Mistral sends parts, some of them with reasoning. */
function textIn(content: unknown, type: 'text' | 'thinking'): string {
  if (typeof content === 'string') return type === 'text' ? content : '';
  if (!Array.isArray(content)) return '';
  return content
    .filter(isRecord)
    .filter((part) => part['type'] === type)
    .map((part) => (typeof part[type] === 'string' ? part[type] : textIn(part[type], 'text')))
    .join('');
}

function readToolCall(call: Readonly<Record<string, unknown>>): ToolCallDelta {
  const { name, arguments: written } = isRecord(call['function']) ? call['function'] : {};
  const isWhole = isRecord(written) || Array.isArray(written);
  return {
    index: typeof call['index'] === 'number' ? call['index'] : undefined,
    id: nonEmpty(call['id']),
    name: nonEmpty(name),
    arguments: typeof written === 'string' ? written : isWhole ? JSON.stringify(written) : '',
    extra: call['extra_content'] ?? undefined,
  };
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Converts an event of the Responses API into a chunk, or into the error that it reports. */
export function readResponsesEvent(data: unknown): Chunk | { readonly error: ProviderError } {
  if (!isRecord(data)) return emptyChunk;
  const delta = typeof data['delta'] === 'string' ? data['delta'] : '';
  const response = isRecord(data['response']) ? data['response'] : {};
  const usage = readUsage(response['usage']);
  switch (data['type']) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return { ...emptyChunk, text: delta };
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      return { ...emptyChunk, reasoning: delta };
    case 'response.reasoning_summary_part.added':
      // Each part is a separate paragraph.
      return data['summary_index'] === 0 ? emptyChunk : { ...emptyChunk, reasoning: '\n\n' };
    case 'response.output_item.done':
      return readItem(data['item'], data['output_index']);
    case 'response.completed':
      return { ...emptyChunk, finishReason: 'stop', usage };
    case 'response.incomplete':
      return { ...emptyChunk, finishReason: incompleteReason(response['incomplete_details']), usage };
    case 'response.failed':
      return { error: readProviderError(response) };
    case 'error':
      return { error: readProviderError({ error: data }) };
    default:
      return emptyChunk;
  }
}

function readItem(item: unknown, index: unknown): Chunk {
  if (!isRecord(item)) return emptyChunk;
  if (item['type'] === 'reasoning') return { ...emptyChunk, reasoningItems: [item] };
  if (item['type'] !== 'function_call') return emptyChunk;
  const { call_id: id, name, arguments: written } = item;
  return {
    ...emptyChunk,
    toolCalls: [
      {
        index: typeof index === 'number' ? index : undefined,
        id: typeof id === 'string' ? id : undefined,
        name: typeof name === 'string' ? name : undefined,
        arguments: typeof written === 'string' ? written : '',
      },
    ],
  };
}

/** Returns the reason in the terms of chat completions. The default is the output limit. */
function incompleteReason(details: unknown): string {
  return isRecord(details) && details['reason'] === 'content_filter' ? 'content_filter' : 'length';
}
