import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { chatEnd, chatEvents } from './chat-events.ts';
import { responsesEnd, responsesError, responsesEvents } from './responses-events.ts';
import type { RecordedRequest, ScriptedReply, StreamReply } from './scripted-reply.ts';
import type { ServerDialect } from './server-dialect.ts';

/** Requests ended by the script. Their closing socket is not the client's doing. */
const endedByScript = new WeakSet<ServerResponse>();

export function wasEndedByScript(response: ServerResponse): boolean {
  return endedByScript.has(response);
}

/** Sends a reply as a server would. @throws if the client has disconnected */
export async function play(
  reply: ScriptedReply,
  request: RecordedRequest,
  response: ServerResponse,
  dialect: ServerDialect,
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
  await playStream(reply, request, response, dialect);
}

async function playStream(
  reply: StreamReply,
  request: RecordedRequest,
  response: ServerResponse,
  dialect: ServerDialect,
): Promise<void> {
  const isChat = request.body.input === undefined;
  const sendLine = async (line: string): Promise<void> => {
    if (response.destroyed) throw new Error('The client has gone.');
    if (!response.write(line)) await once(response, 'drain');
  };
  const sendData = (data: unknown) => sendLine(`data: ${JSON.stringify(data)}\n\n`);

  for (const line of dialect.opening ?? []) await sendLine(line);
  const events = isChat ? chatEvents(reply, request, dialect) : responsesEvents(reply);
  for await (const data of events) await sendData(data);

  const { then = 'done' } = reply;
  if (then === 'silence') return;
  endedByScript.add(response);
  if (then === 'cut') {
    // The client receives the sent part before the connection breaks.
    await new Promise((resolve) => response.write(': cut\n\n', resolve));
    response.destroy();
    return;
  }
  if (then === 'done') {
    for (const data of isChat ? chatEnd(reply, request, dialect) : responsesEnd(reply)) await sendData(data);
    if (isChat) await sendLine('data: [DONE]\n\n');
  } else if (then !== 'end') {
    if ('error' in then) await sendData(isChat ? dialect.errorChunk(then.error) : responsesError(then.error));
    else await sendLine(then.raw);
  }
  response.end();
}
