import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ReportedUsage } from '../../../src/compaction/message.ts';
import type { RecordedRequest, ScriptedReply, StreamReply } from './scripted-reply.ts';

/** Requests that a script has ended itself, so that the closing socket is not taken for the client's doing. */
const endedByScript = new WeakSet<ServerResponse>();

export function wasEndedByScript(response: ServerResponse): boolean {
  return endedByScript.has(response);
}

/** Sends a reply as a server would. @throws where the client has gone */
export async function play(
  reply: ScriptedReply,
  request: RecordedRequest,
  response: ServerResponse,
): Promise<void> {
  if ('hang' in reply) return;
  if ('status' in reply) {
    const isText = typeof reply.body === 'string';
    response.writeHead(reply.status, {
      'content-type': isText ? 'text/plain' : 'application/json',
      ...reply.headers,
    });
    response.end(isText ? reply.body : JSON.stringify(reply.body ?? {}));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  // The client gets the head at once, as from a real server that is still thinking.
  response.flushHeaders();
  await playStream(reply, request, response);
}

async function playStream(
  reply: StreamReply,
  request: RecordedRequest,
  response: ServerResponse,
): Promise<void> {
  const sendLine = async (line: string): Promise<void> => {
    if (response.destroyed) throw new Error('The client has gone.');
    if (!response.write(line)) await once(response, 'drain');
  };
  const sendData = (data: unknown) => sendLine(`data: ${JSON.stringify(data)}\n\n`);
  const sendDelta = (delta: unknown, finishReason: string | null = null) =>
    sendData(chunkOf(request, [{ index: 0, delta, finish_reason: finishReason }]));

  await sendDelta({ role: 'assistant', content: '' });
  if (reply.reasoning !== undefined) {
    for (const piece of split(reply.reasoning, reply.chunks)) {
      await sendDelta({ [reply.reasoningField ?? 'reasoning_content']: piece });
    }
  }
  const { text = '' } = reply;
  for await (const piece of typeof text === 'string' ? split(text, reply.chunks) : text) {
    await sendDelta({ content: piece });
  }
  for (const calls of toolCallDeltas(reply)) await sendDelta({ tool_calls: calls });
  for (const data of reply.chunkData ?? []) await sendData(data);

  const { then = 'done' } = reply;
  if (then === 'silence') return;
  endedByScript.add(response);
  if (then === 'cut') {
    // The client is to have what was sent before the connection breaks.
    await new Promise((resolve) => response.write(': cut\n\n', resolve));
    response.destroy();
    return;
  }
  if (then === 'done') {
    const called = (reply.toolCalls?.length ?? 0) > 0;
    await sendDelta({}, reply.finishReason ?? (called ? 'tool_calls' : 'stop'));
    if (reply.usage !== undefined && request.body.stream_options?.include_usage === true) {
      await sendData({ ...chunkOf(request, []), usage: usageOf(reply.usage) });
    }
    await sendLine('data: [DONE]\n\n');
  } else if (then !== 'end') {
    if ('error' in then) await sendData({ error: then.error });
    else await sendLine(then.raw);
  }
  response.end();
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

function usageOf({ inputTokens, outputTokens, cachedInputTokens }: ReportedUsage) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedInputTokens === undefined
      ? {}
      : { prompt_tokens_details: { cached_tokens: cachedInputTokens } }),
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

/** Cuts a text in so many pieces of about the same length, between characters. */
function split(text: string, pieces = 1): readonly string[] {
  const characters = Array.from(text);
  const length = Math.max(1, Math.ceil(characters.length / pieces));
  const parts: string[] = [];
  for (let start = 0; start < characters.length; start += length) {
    parts.push(characters.slice(start, start + length).join(''));
  }
  return parts;
}
