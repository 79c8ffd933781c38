import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord } from '../../../src/language/is-record.ts';
import { type CountText, type RequestSizes, sizesOf, totalOf } from './request-sizes.ts';
import type { RequestKind, ScriptedModel } from './scripted-model.ts';
import { chatWire } from './wires/chat-wire.ts';
import { geminiWire } from './wires/gemini-wire.ts';
import { messagesWire } from './wires/messages-wire.ts';
import { responsesWire } from './wires/responses-wire.ts';
import type { Answer, Fields, Wire } from './wires/wire.ts';

export const wires: readonly Wire[] = [responsesWire, messagesWire, geminiWire, chatWire];

/** A request of an agent, and the reply to it. */
export interface LoggedRequest {
  /** Number of the request, counted from 1. */
  readonly number: number;
  /** Id of the wire over which the request was sent. */
  readonly wire: string;
  readonly kind: RequestKind;
  readonly body: Fields;
  readonly sizes: RequestSizes;
  readonly reply: { readonly text?: string; readonly tool?: string };
  /** Input tokens that the server reported. */
  readonly reported: number;
  /** Skipped action, because the agent declares no tool for it. */
  readonly missed?: string;
  /** Reason why the server refused the request, as an endpoint does. */
  readonly refused?: string;
}

export interface ModelServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Context window in tokens that the server reports for its models. */
export const serverWindow = 128_000;

/**
 * Serves a scripted model on loopback, over all wires at once.
 *
 * @param port 0 for any free port
 * @param log receives each request of a conversation before the reply is sent
 */
export async function serveModel(
  model: ScriptedModel,
  count: CountText,
  log: (request: LoggedRequest) => void,
  port = 0,
): Promise<ModelServer> {
  let requests = 0;
  const answer = (path: string, body: Fields): Answer | { readonly refusal: Fields } | undefined => {
    const wire = wires.find((one) => one.accepts(path));
    if (wire === undefined) return undefined;
    const number = ++requests;
    const request = wire.read(body);
    const refused = wire.rules.objection(body);
    if (refused !== undefined) {
      const sizes = sizesOf(request, count);
      log({ number, wire: wire.id, kind: 'main', body, sizes, reported: 0, reply: {}, refused });
      return { refusal: wire.rules.refusal(refused) };
    }
    const { kind, usage, missed, ...reply } = model.reply(request);
    const sizes = sizesOf(request, count);
    const input = usage ?? totalOf(sizes);
    const output = count(reply.text ?? '') + count(JSON.stringify(reply.call?.input ?? ''));
    const { text, call } = reply;
    log({
      ...{ number, wire: wire.id, kind, body, sizes, reported: input },
      reply: { ...(text !== undefined && { text }), ...(call && { tool: call.tool.name }) },
      ...(missed !== undefined && { missed }),
    });
    return wire.answer(reply, { number, path, body, usage: { input, output } });
  };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const path = request.url ?? '';
      if (request.method === 'GET' && path.includes('/models')) return sendJson(response, modelList);
      if (/count_?tokens/i.test(path)) return sendJson(response, tokensIn(body, count));
      const made = request.method === 'POST' ? answer(path, body) : undefined;
      if (made === undefined) return sendJson(response, { error: { message: 'not found' } }, 404);
      if ('refusal' in made) return sendJson(response, made.refusal, 400);
      if ('json' in made) return sendJson(response, made.json);
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      response.end(made.events.join(''));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const modelList = {
  object: 'list',
  data: ['stub-model', 'gpt-5.5', 'claude-sonnet-4-5'].map((id) => ({
    id,
    object: 'model',
    owned_by: 'stub',
    context_length: serverWindow,
    context_window: serverWindow,
    max_model_len: serverWindow,
  })),
  models: [],
};

function tokensIn(body: Fields, count: CountText): object {
  const tokens = count(JSON.stringify(body));
  return { input_tokens: tokens, totalTokens: tokens };
}

async function bodyOf(request: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return isRecord(body) ? body : {};
  } catch {
    return {};
  }
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
