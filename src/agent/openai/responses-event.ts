import { isRecord, readProviderError, type ProviderError } from '../provider-error.ts';
import { emptyChunk, type Chunk } from './chunk.ts';
import { readUsage } from '../../compaction/tokens/reported-usage.ts';

/** One event of the Responses API in the shape of a chunk, or the error that it tells of. */
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
      // Each part is a paragraph of its own.
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

/** In the words of chat completions; without a reason it is the output limit. */
function incompleteReason(details: unknown): string {
  return isRecord(details) && details['reason'] === 'content_filter' ? 'content_filter' : 'length';
}
