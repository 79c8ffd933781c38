import type { RecordedRequest, StreamReply } from './scripted-reply.ts';
import type { ServerDialect } from './server-dialect.ts';
import { split } from './split.ts';

/** The chunks of a streaming chat completion up to its end. */
export async function* chatEvents(
  reply: StreamReply,
  request: RecordedRequest,
  dialect: ServerDialect,
): AsyncGenerator {
  const chunk = (delta: unknown) => chunkOf(request, [{ index: 0, delta, finish_reason: null }]);
  yield chunk({ role: 'assistant', content: '' });
  const field = reply.reasoningField ?? dialect.reasoningField;
  for (const piece of split(reply.reasoning ?? '', reply.chunks)) yield chunk({ [field]: piece });
  for (const detail of reply.reasoningItems ?? []) yield chunk({ reasoning_details: [detail] });
  const { text = '' } = reply;
  for await (const piece of typeof text === 'string' ? split(text, reply.chunks) : text) {
    yield chunk({ content: piece });
  }
  for (const calls of toolCallDeltas(reply)) yield chunk({ tool_calls: calls });
  yield* reply.chunkData ?? [];
}

/** The end of a completion: its reason and its usage. */
export function* chatEnd(reply: StreamReply, request: RecordedRequest, dialect: ServerDialect): Generator {
  const called = (reply.toolCalls?.length ?? 0) > 0;
  const reason = reply.finishReason ?? (called ? 'tool_calls' : 'stop');
  yield chunkOf(request, [{ index: 0, delta: {}, finish_reason: reason }]);
  if (reply.usage !== undefined && request.body.stream_options?.include_usage === true) {
    yield { ...chunkOf(request, []), ...dialect.usageFields(reply.usage) };
  }
}

function chunkOf(request: RecordedRequest, choices: readonly unknown[]) {
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: request.body.model,
    choices,
  };
}

/** The `tool_calls` of each chunk, in order. */
function toolCallDeltas(reply: StreamReply): readonly (readonly unknown[])[] {
  const calls = (reply.toolCalls ?? []).map((call, index) => {
    const written = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    return { index, id: call.id ?? `call_${index}`, name: call.name, written, pieces: split(written, 3) };
  });
  switch (reply.toolCallStyle ?? 'openai') {
    case 'openai':
      return calls.flatMap(({ index, id, name, pieces }) => [
        [{ index, id, type: 'function', function: { name, arguments: '' } }],
        ...pieces.map((piece) => [{ index, function: { arguments: piece } }]),
      ]);
    case 'interleaved':
      return [
        ...calls.map(({ index, id, name }) => [
          { index, id, type: 'function', function: { name, arguments: '' } },
        ]),
        ...[0, 1, 2].map((turn) =>
          calls.flatMap(({ index, pieces }) =>
            pieces[turn] === undefined ? [] : [{ index, function: { arguments: pieces[turn] } }],
          ),
        ),
      ];
    case 'no-index':
      return calls.flatMap(({ id, name, pieces }) => [
        [{ id, type: 'function', function: { name, arguments: '' } }],
        ...pieces.map((piece) => [{ function: { arguments: piece } }]),
      ]);
    case 'whole':
      return calls.map(({ id, name, written }) => [
        { id, type: 'function', function: { name, arguments: written } },
      ]);
    case 'whole-batch':
      return [calls.map(({ name, written }) => ({ function: { name, arguments: written } }))];
    case 'same-index':
      return calls.map(({ id, name, written }) => [
        { index: 0, id, type: 'function', function: { name, arguments: written } },
      ]);
    case 'repeated':
      return calls.flatMap(({ index, id, name, pieces }) =>
        pieces.map((piece) => [{ index, id, type: 'function', function: { name, arguments: piece } }]),
      );
  }
}
