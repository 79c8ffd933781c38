import type { ReportedUsage } from '../../compaction/message.ts';
import { isRecord, readProviderError, type ProviderError } from '../provider-error.ts';
import type { Chunk } from './chunk.ts';

const empty: Chunk = { text: '', reasoning: '', toolCalls: [], finishReason: undefined, usage: undefined };

/** One event of the Responses API in the shape of a chunk, or the error that it tells of. */
export function readResponsesEvent(data: unknown): Chunk | { readonly error: ProviderError } {
  if (!isRecord(data)) return empty;
  const delta = typeof data['delta'] === 'string' ? data['delta'] : '';
  switch (data['type']) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return { ...empty, text: delta };
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      return { ...empty, reasoning: delta };
    case 'response.output_item.done':
      return readItem(data['item'], data['output_index']);
    case 'response.completed':
      return { ...empty, finishReason: 'stop', usage: usageIn(data['response']) };
    case 'response.incomplete':
      return { ...empty, finishReason: 'length', usage: usageIn(data['response']) };
    case 'response.failed':
      return { error: readProviderError(isRecord(data['response']) ? data['response'] : data) };
    case 'error':
      return { error: readProviderError({ error: data }) };
    default:
      return empty;
  }
}

function readItem(item: unknown, index: unknown): Chunk {
  if (!isRecord(item) || item['type'] !== 'function_call') return empty;
  const { call_id: id, name, arguments: written } = item;
  return {
    ...empty,
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

/** Usage of a whole response, or of a compaction. */
export function usageIn(response: unknown): ReportedUsage | undefined {
  const usage = isRecord(response) ? response['usage'] : undefined;
  if (!isRecord(usage)) return undefined;
  const { input_tokens: inputTokens, output_tokens: outputTokens, input_tokens_details: details } = usage;
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  const cached = isRecord(details) ? details['cached_tokens'] : undefined;
  return { inputTokens, outputTokens, ...(typeof cached === 'number' ? { cachedInputTokens: cached } : {}) };
}
