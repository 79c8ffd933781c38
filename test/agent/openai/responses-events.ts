import type { StreamReply } from './scripted-reply.ts';
import { split } from './split.ts';

/** The events of a streaming response of the Responses API up to its end. */
export async function* responsesEvents(reply: StreamReply): AsyncGenerator {
  yield { type: 'response.created', response: { id: 'resp_scripted' } };
  let index = 0;
  for (const [part, text] of (reply.reasoning ?? '').split('\n\n').entries()) {
    if (text === '') continue;
    yield { type: 'response.reasoning_summary_part.added', output_index: index, summary_index: part };
    for (const piece of split(text, reply.chunks)) {
      yield { type: 'response.reasoning_summary_text.delta', output_index: index, delta: piece };
    }
  }
  for (const item of reply.reasoningItems ?? []) {
    yield { type: 'response.output_item.done', output_index: index++, item };
  }
  const { text = '' } = reply;
  for await (const piece of typeof text === 'string' ? split(text, reply.chunks) : text) {
    yield { type: 'response.output_text.delta', output_index: index, delta: piece };
  }
  if (text !== '') index++;
  for (const [position, call] of (reply.toolCalls ?? []).entries()) {
    const written = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    const item = { type: 'function_call', call_id: call.id ?? `call_${position}`, name: call.name };
    yield { type: 'response.output_item.added', output_index: index, item: { ...item, arguments: '' } };
    for (const piece of split(written, 3)) {
      yield { type: 'response.function_call_arguments.delta', output_index: index, delta: piece };
    }
    yield { type: 'response.output_item.done', output_index: index++, item: { ...item, arguments: written } };
  }
  yield* reply.chunkData ?? [];
}

/** The end of a response: its reason and its usage. */
export function* responsesEnd({ finishReason = 'stop', usage }: StreamReply): Generator {
  const response =
    usage === undefined
      ? {}
      : {
          usage: {
            input_tokens: usage.inputTokens,
            input_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0 },
            output_tokens: usage.outputTokens,
            total_tokens: usage.inputTokens + usage.outputTokens,
          },
        };
  if (finishReason === 'stop') yield { type: 'response.completed', response };
  else {
    const reason = finishReason === 'length' ? 'max_output_tokens' : finishReason;
    yield { type: 'response.incomplete', response: { ...response, incomplete_details: { reason } } };
  }
}

export function responsesError(error: unknown): unknown {
  return { type: 'response.failed', response: { error } };
}
